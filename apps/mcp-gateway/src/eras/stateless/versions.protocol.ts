import type { IncomingHttpHeaders } from 'node:http';
import type {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  UnsupportedProtocolVersionErrorData,
} from '@modelcontextprotocol/client';
import { INVALID_PARAMS, isObject, RpcFault, type Incoming } from '../../json-rpc.protocol';

const FIRST = '2026-07-28';
/** The versions of this era that are spoken here. */
export const SUPPORTED: readonly string[] = [FIRST];

const UNSUPPORTED_PROTOCOL_VERSION = -32022;

const VERSION: typeof PROTOCOL_VERSION_META_KEY = 'io.modelcontextprotocol/protocolVersion';
const CLIENT_CAPABILITIES: typeof CLIENT_CAPABILITIES_META_KEY = 'io.modelcontextprotocol/clientCapabilities';
const CLIENT_INFO: typeof CLIENT_INFO_META_KEY = 'io.modelcontextprotocol/clientInfo';

/** Versions have ten; what a refusal repeats has an end. */
const MAX_VERSION_CHARACTERS = 64;

const IS_DATE = /^\d{4}-\d\d-\d\d$/;

/** Whether a version is of this era, spoken here or not: versions are days, and days sort as text. */
export function isOfStatelessEra(version: string | string[] | undefined): boolean {
  return typeof version === 'string' && IS_DATE.test(version) && version >= FIRST;
}

/** The version that a message claims in `_meta`; undefined where it claims none, null where it claims nonsense. */
export function claimedVersion(message: Incoming): string | null | undefined {
  const meta = metaOf(message);
  if (!meta || !(VERSION in meta)) return undefined;
  const version = meta[VERSION];
  return typeof version === 'string' && version.length <= MAX_VERSION_CHARACTERS ? version : null;
}

/** The version that a message is of: a notification may leave it to the header. */
export function versionIn(message: Incoming, headers: IncomingHttpHeaders): string {
  return claimedVersion(message) ?? String(headers['mcp-protocol-version']);
}

/** Every request carries a version and its client's capabilities. Who sends it, need not be said. */
export function envelopeFault(message: Incoming, headers: IncomingHttpHeaders): RpcFault | undefined {
  const claimed = claimedVersion(message);
  if (claimed === null) return notInMeta(`${VERSION} must be a version, as 2026-07-28.`);
  if (message.kind === 'notice') return undefined;
  if (claimed === undefined) {
    // A later revision may say it otherwise; what it needs to know is which ones are spoken.
    return (
      unsupportedVersion(versionIn(message, headers)) ??
      notInMeta(`Every request must name its version in ${VERSION}.`)
    );
  }
  const { [CLIENT_CAPABILITIES]: capabilities, [CLIENT_INFO]: client = {} } = metaOf(message) ?? {};
  if (!isObject(capabilities)) return notInMeta(`${CLIENT_CAPABILITIES} must be an object, {} for none.`);
  return isObject(client) ? undefined : notInMeta(`${CLIENT_INFO} must be an object where it is sent.`);
}

export function unsupportedVersion(requested: string): RpcFault | undefined {
  if (SUPPORTED.includes(requested)) return undefined;
  const data: UnsupportedProtocolVersionErrorData = { supported: [...SUPPORTED], requested };
  const message = `This protocol version is not supported without a handshake. Supported: ${SUPPORTED.join(', ')}.`;
  return new RpcFault(UNSUPPORTED_PROTOCOL_VERSION, message, { status: 400, data });
}

function notInMeta(what: string): RpcFault {
  return new RpcFault(INVALID_PARAMS, `Invalid params._meta: ${what}`, { status: 400 });
}

function metaOf({ params }: Incoming): Record<string, unknown> | undefined {
  return isObject(params?._meta) ? params._meta : undefined;
}
