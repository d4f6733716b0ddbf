import type { DiscoverResult, ResultMetaObject } from '@modelcontextprotocol/client';
import { CAPABILITIES, INSTRUCTIONS, SERVER_INFO } from '../../identity/server-info.protocol';
import {
  faultAnswer,
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  RESOURCE_NOT_FOUND,
  RpcFault,
  TOOLS_CALL,
  type Incoming,
} from '../../json-rpc.protocol';
import { namesAnything, namesEvents, namesJson, notAcceptable } from '../accept.protocol';
import type { Era } from '../era.protocol';
import { mismatchIn, versionMismatchIn } from './headers.protocol';
import { envelopeFault, SUPPORTED, unsupportedVersion, versionIn } from './versions.protocol';

/** Lists and documents change with a release of the service, never between; an hour late is early enough. */
const TTL_MS = 3_600_000;
/** Who may share a result: keys are shown the tools that they may call, everything else is alike for all. */
const CACHED: ReadonlyMap<string, 'public' | 'private'> = new Map([
  ['server/discover', 'public'],
  ['tools/list', 'private'],
  ['prompts/list', 'public'],
  ['resources/list', 'public'],
  ['resources/templates/list', 'public'],
  ['resources/read', 'public'],
]);
const METHODS = new Set([...CACHED.keys(), TOOLS_CALL, 'prompts/get', 'completion/complete']);

const META: ResultMetaObject = { 'io.modelcontextprotocol/serverInfo': SERVER_INFO };
const COMPLETE = `"resultType":"complete","_meta":${JSON.stringify(META)}`;

const DISCOVERED: Pick<DiscoverResult, 'supportedVersions' | 'capabilities' | 'instructions'> = {
  supportedVersions: [...SUPPORTED],
  capabilities: CAPABILITIES,
  instructions: INSTRUCTIONS,
};

/**
 * The revision of 2026-07-28: every request says in `_meta` which version it speaks and what its client can do, and in
 * headers what it asks for.
 */
export const statelessEra: Era = {
  ownResults: new Map([['server/discover', JSON.stringify(DISCOVERED)]]),

  /** No answer of this server needs a stream; who asks for nothing else gets one all the same. */
  formOf(accept) {
    if (namesJson(accept) || namesAnything(accept)) return 'json';
    if (namesEvents(accept)) return 'events';
    throw notAcceptable('the Accept header must name application/json or text/event-stream.');
  },

  judge(message, headers) {
    return (
      unaskedAnswer(message) ??
      envelopeFault(message, headers) ??
      versionMismatchIn(message, headers) ??
      unsupportedVersion(versionIn(message, headers)) ??
      mismatchIn(message, headers) ??
      unknownMethod(message)
    );
  },

  resultOf(method, json) {
    const scope = CACHED.get(method);
    const members = scope ? `${COMPLETE},"ttlMs":${TTL_MS},"cacheScope":"${scope}"` : COMPLETE;
    return json === '{}' ? `{${members}}` : `{${members},${json.slice(1)}`;
  },

  faultAnswer(id, fault) {
    if (fault.code !== RESOURCE_NOT_FOUND) return faultAnswer(id, fault, fault.data);
    return faultAnswer(id, { code: INVALID_PARAMS, message: fault.message }, fault.data);
  },
};

/** This server asks its callers nothing, and nobody waits for what is sent all the same. */
function unaskedAnswer({ method }: Incoming): RpcFault | undefined {
  if (method !== undefined) return undefined;
  return new RpcFault(INVALID_REQUEST, 'This server asks nothing, so it takes no answers.', { status: 400 });
}

function unknownMethod({ kind, method = '' }: Incoming): RpcFault | undefined {
  if (kind === 'notice' || METHODS.has(method)) return undefined;
  return new RpcFault(METHOD_NOT_FOUND, 'Method not found.', { status: 404 });
}
