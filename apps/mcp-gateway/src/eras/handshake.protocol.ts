import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { faultAnswer, RpcFault, UNSUPPORTED_VERSION } from '../json-rpc.protocol';
import { namesEvents, namesJson, notAcceptable } from './accept.protocol';
import type { Era } from './era.protocol';

/** As the SDK's clients write it. */
const USUAL_ACCEPT = 'application/json, text/event-stream';

/** Revisions up to 2025-11-25: `initialize` agrees on a version, and results come as events. */
export const handshakeEra: Era = {
  ownResults: new Map(),

  formOf(accept) {
    if (accept === USUAL_ACCEPT || (namesJson(accept) && namesEvents(accept))) return 'events';
    throw notAcceptable('the Accept header must name both application/json and text/event-stream.');
  },

  /** Without the header a client is from before it. */
  judge(_message, { 'mcp-protocol-version': version }) {
    if (version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(String(version))) return undefined;
    const supported = SUPPORTED_PROTOCOL_VERSIONS.join(', ');
    return new RpcFault(
      UNSUPPORTED_VERSION,
      `This MCP-Protocol-Version is not supported. Supported: ${supported}.`,
      { status: 400 },
    );
  },

  resultOf: (_method, json) => json,
  faultAnswer: (id, fault) => faultAnswer(id, fault),
};
