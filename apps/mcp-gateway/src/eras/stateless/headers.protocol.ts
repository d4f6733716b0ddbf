import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { RpcFault, TOOLS_CALL, type Incoming } from '../../json-rpc.protocol';
import { claimedVersion } from './versions.protocol';

const HEADER_MISMATCH = -32020;

/** Which of a method's params Mcp-Name repeats. */
const NAMED: Readonly<Record<string, 'name' | 'uri'>> = {
  [TOOLS_CALL]: 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

const BASE64 = /^=\?base64\?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)\?=$/;

/** Two versions in one message: neither can be gone by, so this is told before what else is wrong with either. */
export function versionMismatchIn(message: Incoming, headers: IncomingHttpHeaders): RpcFault | undefined {
  const { 'mcp-protocol-version': version } = headers;
  const claimed = claimedVersion(message);
  if (version === undefined || claimed === undefined || version === claimed) return undefined;
  return mismatch('MCP-Protocol-Version names another version than the body.');
}

/**
 * What proxies decide by must be what is answered: headers that say something else than the body are refused. Requests
 * carry all of them; a notification may leave them out.
 */
export function mismatchIn(message: Incoming, headers: IncomingHttpHeaders): RpcFault | undefined {
  if (message.kind === 'request' && headers['mcp-protocol-version'] === undefined) {
    return missing('MCP-Protocol-Version');
  }
  const method = headers['mcp-method'];
  if (method !== undefined && method !== message.method) {
    return mismatch('Mcp-Method names another method than the body.');
  }
  if (message.kind === 'notice') return undefined;
  return method === undefined ? missing('Mcp-Method') : nameMismatch(message, headers['mcp-name']);
}

function nameMismatch(
  { method = '', params }: Incoming,
  header: string | string[] | undefined,
): RpcFault | undefined {
  const field = Object.hasOwn(NAMED, method) ? NAMED[method] : undefined;
  if (field === undefined) return undefined;
  const named = params?.[field];
  // Params that are none are refused as such, by who knows what they should be.
  if (typeof named !== 'string') return undefined;
  if (header === undefined) return missing('Mcp-Name');
  return decoded(String(header)) === named
    ? undefined
    : mismatch(`Mcp-Name names something else than params.${field} of the body.`);
}

/** What a header says in ASCII, or in Base64 of UTF-8; undefined where that is broken. */
function decoded(value: string): string | undefined {
  if (!value.startsWith('=?base64?') || !value.endsWith('?=')) return value;
  const [, base64] = BASE64.exec(value) ?? [];
  if (base64 === undefined) return undefined;
  const bytes = Buffer.from(base64, 'base64');
  return isUtf8(bytes) ? bytes.toString() : undefined;
}

function missing(header: string): RpcFault {
  return mismatch(`The header ${header} is missing.`);
}

function mismatch(what: string): RpcFault {
  return new RpcFault(HEADER_MISMATCH, `Headers and body disagree. ${what}`, { status: 400 });
}
