import type { IncomingHttpHeaders } from 'node:http';
import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { Incoming, RpcFault } from '../json-rpc.protocol';

/** How a result is sent: as a body of JSON, or as a stream of one event. */
export type Form = 'json' | 'events';

/**
 * What the revisions of an era of the protocol have in common and those of the other have not. Everything else is the
 * same for all: tools, resources, prompts, access, limits and audit.
 */
export interface Era {
  /** Results by method that only this era has, as JSON. */
  readonly ownResults: ReadonlyMap<string, string>;
  /** @param accept - the Accept header. @throws AppError NOT_ACCEPTABLE */
  formOf(accept: string): Form;
  /**
   * Why a message is not taken, by what its headers and its `_meta` say; undefined where it is. A request has been read
   * all the same: it is answered under its id, and recorded where it is a call.
   */
  judge(message: Incoming, headers: IncomingHttpHeaders): RpcFault | undefined;
  /** A result in the form of this era, from the JSON object that is common to both. */
  resultOf(method: string, json: string): string;
  /** The JSON-RPC answer that tells a fault. */
  faultAnswer(id: RequestId, fault: RpcFault): string;
}
