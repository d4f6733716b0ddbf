import { promisify } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Exchange, hasPlainBody, readBody, requestIdOf, type FastRoute } from '@outcomes/platform';
import { raw, type Request, type Response } from 'express';
import { callerOf } from '../access';
import { AddressGuard } from '../access/address.guard';
import { CallerGuard } from '../access/caller.guard';
import { McpEndpoint } from './mcp-endpoint.service';

const MAX_BODY_BYTES = 1024 * 1024;
const BODY_TIMEOUT_MS = 30_000;
const readBytes = promisify<Request, Response, void>(raw({ type: () => true, limit: MAX_BODY_BYTES }));

/** The two ways to the endpoint: the fast path, which nearly every message takes, and Nest's for whatever is odd. */
@Injectable()
export class McpEntrance {
  constructor(
    private readonly endpoint: McpEndpoint,
    private readonly addresses: AddressGuard,
    private readonly callers: CallerGuard,
  ) {}

  /** Behind the guards of the controller. */
  receive(request: Request, response: Response): Promise<void> {
    const exchange = new Exchange(request, response, request.ip ?? '', requestIdOf(response));
    return this.endpoint.answer(exchange, callerOf(request), async () => {
      await readBytes(request, response);
      return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    });
  }

  /** Messages of plain clients: pages of the web need CORS headers, which Express adds. */
  get fastRoute(): FastRoute {
    return {
      method: 'POST',
      path: '/mcp',
      takes: (request) => request.headers.origin === undefined && hasPlainBody(request, MAX_BODY_BYTES),
      answer: async (exchange) => {
        const { request, ip, setHeader } = exchange;
        this.addresses.admit(request.headers);
        const caller = await this.callers.admit({ headers: request.headers, ip }, setHeader);
        await this.endpoint.answer(exchange, caller, () => readBody(request, BODY_TIMEOUT_MS));
      },
    };
  }
}
