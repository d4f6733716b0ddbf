import { isAscii } from 'node:buffer';
import type { JSONRPCRequest, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { AppError } from '@outcomes/contracts';
import { countJsonValues, parseJson } from '@outcomes/platform';

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
export const UNSUPPORTED_VERSION = -32000;
export const RESOURCE_NOT_FOUND = -32002;

/** The one method whose params are passed on to no schema of the SDK, and may be larger. */
export const TOOLS_CALL = 'tools/call';

/** No request of this protocol nests deeper than a handful of levels. */
const MAX_DEPTH = 32;
/** Values in any message. The largest call has some 120; hashing 100,000 takes a fifth of a second of everybody's time. */
const MAX_VALUES = 2_000;
/** Bytes of a message that calls no tool. */
const MAX_FREE_BYTES = 64 * 1_024;
/** Values in such a message: the SDK's look at each of them costs as much as a small answer. */
const MAX_FREE_VALUES = 1_000;
const MAX_ID_CHARACTERS = 128;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A refusal in JSON-RPC words. Its message is ours and public; nothing else ever becomes one. */
export class RpcFault extends Error {
  /** Of HTTP; undefined where a method refuses, which is an answer like any other. */
  readonly status: number | undefined;
  /** What a program may want to know of it. */
  readonly data: object | undefined;

  constructor(
    readonly code: number,
    message: string,
    { status, data }: { status?: number; data?: object } = {},
  ) {
    super(message);
    this.name = 'RpcFault';
    this.status = status;
    this.data = data;
  }
}

/** One message: a request to answer, or one that only wants to be taken note of. */
export type Incoming = Request | Notice;

interface Request {
  readonly kind: 'request';
  readonly id: RequestId;
  readonly method: string;
  readonly params?: JSONRPCRequest['params'];
}

/** A notification, or (without a method) an answer to what nobody asked. */
interface Notice {
  readonly kind: 'notice';
  readonly method?: string;
  readonly params?: JSONRPCRequest['params'];
}

/**
 * Reads one JSON-RPC message.
 * @throws RpcFault -32700 for what is no UTF-8 JSON, -32600 for JSON that is no single JSON-RPC 2.0 message
 * @throws AppError PAYLOAD_TOO_LARGE for one that is too large to be anything but a call of a tool
 */
export function readMessage(body: Buffer): Incoming {
  const values = countJsonValues(body, MAX_DEPTH);
  if (values === 'too deep')
    throw new RpcFault(INVALID_REQUEST, `The message nests deeper than ${MAX_DEPTH} levels.`);
  // Without the name in it, it need not be parsed to be known as none.
  if (body.length > MAX_FREE_BYTES && !body.includes(TOOLS_CALL)) throw tooLarge();
  if (values > MAX_VALUES) throw tooManyValues(MAX_VALUES);
  const message = parseBody(body);
  if (Array.isArray(message)) throw new RpcFault(INVALID_REQUEST, 'Batches are not taken. Send one message.');
  if (!isObject(message) || message.jsonrpc !== '2.0') {
    throw new RpcFault(INVALID_REQUEST, 'The body is not a JSON-RPC 2.0 message.');
  }
  if (!('method' in message)) return readResponse(message);
  const { id, method, params } = message;
  if (typeof method !== 'string' || (params !== undefined && !isObject(params))) {
    throw new RpcFault(INVALID_REQUEST, 'method must be a string and params, where present, an object.');
  }
  if (method !== TOOLS_CALL) {
    if (body.length > MAX_FREE_BYTES) throw tooLarge();
    if (values > MAX_FREE_VALUES) throw tooManyValues(MAX_FREE_VALUES);
  }
  const content = { method, ...(params !== undefined && { params }) };
  if (!('id' in message)) return { kind: 'notice', ...content };
  if (!isId(id)) {
    const message = `id must be an integer or a string of at most ${MAX_ID_CHARACTERS} characters, and not null.`;
    throw new RpcFault(INVALID_REQUEST, message);
  }
  return { kind: 'request', id, ...content };
}

/** An answer, around a result that is JSON already. */
export function resultAnswer(id: RequestId, resultJson: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${resultJson}}`;
}

/** @param id - null where the message had none that could be read */
export function faultAnswer(
  id: RequestId | null,
  { code, message }: Pick<RpcFault, 'code' | 'message'>,
  data?: object,
): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data && { data }) } });
}

/** What of an error may be said: a fault of ours as it is, anything else as an internal error. */
export function faultOf(error: unknown): RpcFault {
  return error instanceof RpcFault ? error : new RpcFault(INTERNAL_ERROR, 'Internal error.');
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** This server asks its callers nothing, so an answer is noted and dropped. */
function readResponse(message: Record<string, unknown>): Incoming {
  if (isId(message.id) && ('result' in message || 'error' in message)) return { kind: 'notice' };
  throw new RpcFault(INVALID_REQUEST, 'The body is not a JSON-RPC 2.0 message.');
}

function isId(id: unknown): id is string | number {
  return typeof id === 'string' ? id.length <= MAX_ID_CHARACTERS : Number.isSafeInteger(id);
}

function tooLarge(): AppError {
  const message = `A message that calls no tool has at most ${MAX_FREE_BYTES} bytes.`;
  return new AppError('PAYLOAD_TOO_LARGE', {}, { message });
}

function tooManyValues(most: number): RpcFault {
  return new RpcFault(INVALID_REQUEST, `The message holds too many values. Send at most ${most}.`);
}

function parseBody(body: Buffer): unknown {
  try {
    return parseJson(isAscii(body) ? body.toString('latin1') : utf8.decode(body));
  } catch {
    throw new RpcFault(PARSE_ERROR, 'The body is not valid JSON in UTF-8.');
  }
}
