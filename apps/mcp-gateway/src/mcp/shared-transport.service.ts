import { Injectable } from '@nestjs/common';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { faultOf, INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND, RpcFault } from '../json-rpc.protocol';
import type { RpcExchange } from './rpc-exchange.protocol';

interface Open {
  readonly exchange: RpcExchange;
  readonly resolve: (resultJson: string) => void;
  readonly reject: (fault: RpcFault) => void;
  fault?: RpcFault;
}

/**
 * Lets one SDK server answer the requests of all callers. Callers choose ids freely and collide, so each request
 * travels under an id of ours, which nobody sees. A server per request, the SDK's stateless
 * pattern, costs ten times as much CPU.
 */
@Injectable()
export class SharedTransport implements Transport {
  onmessage?: Transport['onmessage'];
  onclose?: Transport['onclose'];
  onerror?: Transport['onerror'];
  private readonly open = new Map<RequestId, Open>();
  private last = 0;

  start(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.onclose?.();
    return Promise.resolve();
  }

  /**
   * Has the server answer one request.
   * @returns the result as JSON
   * @throws RpcFault and nothing else
   */
  ask({ method, params }: Pick<JSONRPCRequest, 'method' | 'params'>, exchange: RpcExchange): Promise<string> {
    const id = ++this.last;
    const message: JSONRPCRequest = { jsonrpc: '2.0', id, method, ...(params && { params }) };
    // The SDK never answers what it does not take for a request, for example because of its `_meta`.
    if (!isJSONRPCRequest(message)) return Promise.reject(refusalBySdk(INVALID_PARAMS));
    const { response } = exchange.http;
    if (response.closed) return Promise.reject(noLongerOpen());
    return new Promise((resolve, reject) => {
      this.open.set(id, { exchange, resolve, reject });
      response.once('close', () => this.abandon(id));
      this.onmessage?.(message);
    });
  }

  /** Runs a handler with the exchange of its request; what it throws is kept to ourselves unless it is a fault. */
  async handle<Result>(
    requestId: RequestId,
    work: (exchange: RpcExchange) => Result | Promise<Result>,
  ): Promise<Result> {
    const open = this.open.get(requestId);
    try {
      if (!open) throw noLongerOpen();
      return await work(open.exchange);
    } catch (error) {
      const fault = faultOf(error);
      if (open) open.fault = fault;
      if (fault !== error) this.onerror?.(error instanceof Error ? error : fault);
      throw fault;
    }
  }

  send(message: JSONRPCMessage): Promise<void> {
    const open = 'id' in message && message.id !== undefined ? this.open.get(message.id) : undefined;
    // Only answers are sent: this server asks and announces nothing.
    if (!open || 'method' in message || message.id === undefined) return Promise.resolve();
    this.open.delete(message.id);
    if ('result' in message) open.resolve(open.exchange.resultJson ?? JSON.stringify(message.result));
    else open.reject(open.fault ?? refusalBySdk('error' in message ? message.error.code : INTERNAL_ERROR));
    return Promise.resolve();
  }

  /** The client is gone, so the request is not kept, whatever its handler still waits for. */
  private abandon(id: RequestId): void {
    this.open.get(id)?.reject(noLongerOpen());
    this.open.delete(id);
  }
}

function noLongerOpen(): RpcFault {
  return new RpcFault(INTERNAL_ERROR, 'The request is no longer open.');
}

/** The SDK puts its parser's words into what it refuses before a handler runs. Ours say the same, and no more. */
function refusalBySdk(code: number): RpcFault {
  return code === METHOD_NOT_FOUND
    ? new RpcFault(METHOD_NOT_FOUND, 'Method not found.')
    : new RpcFault(INVALID_PARAMS, 'The params do not have the shape that this method takes.');
}
