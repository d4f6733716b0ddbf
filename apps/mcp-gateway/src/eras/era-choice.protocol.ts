import type { IncomingHttpHeaders } from 'node:http';
import type { Incoming } from '../json-rpc.protocol';
import type { Era } from './era.protocol';
import { handshakeEra } from './handshake.protocol';
import { statelessEra } from './stateless/stateless.protocol';
import { claimedVersion, isOfStatelessEra } from './stateless/versions.protocol';

/** The era that the head of a request speaks of, as far as that can be known before its body is here. */
export function eraOfHead(headers: IncomingHttpHeaders): Era {
  return isOfStatelessEra(headers['mcp-protocol-version']) ? statelessEra : handshakeEra;
}

/**
 * The era of a message: the newer one where its head says so, or its `_meta` claims any version. Only that era has the
 * claim, so a wrong one is told which versions there are, and not taken for none.
 */
export function eraOf(message: Incoming, headers: IncomingHttpHeaders): Era {
  return claimedVersion(message) === undefined ? eraOfHead(headers) : statelessEra;
}
