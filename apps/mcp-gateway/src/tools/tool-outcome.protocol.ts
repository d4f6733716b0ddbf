import {
  SCHEMA_VERSION,
  type AlertCode,
  type ErrorBody,
  type ErrorCode,
  type ResultFrame,
} from '@outcomes/contracts';
import { canonicalJson, KnownShapes } from '@outcomes/audit';
import { INVALID_PARAMS, RpcFault } from '../json-rpc.protocol';
import { holdsHiddenText, visibleDocument } from '../untrusted-text.format';
import type { ToolFault } from './question.tool';
import { quotedJson } from './quoted-json.format';

/** Why a call failed, as its error document and its audit row name it. */
export type ToolError =
  | 'unknown_tool'
  | 'invalid_arguments'
  | 'permission_denied'
  | 'rate_limited'
  | 'quota_exceeded'
  | 'internal_error';

/** How a call ended, before it is audited and sent. */
export interface ToolOutcome {
  readonly error: ToolError | null;
  /** The document as canonical JSON (RFC 8785): what the agent reads, and what the audit row's hash is of. */
  readonly json: string;
  /** Set where JSON-RPC says it instead of a tool result. */
  readonly fault?: RpcFault;
}

type Worded = 'unknown_tool' | 'permission_denied' | 'internal_error';

const HTTP_REFUSALS: Partial<Record<ErrorCode, ToolError>> = {
  RATE_LIMITED: 'rate_limited',
  QUOTA_EXCEEDED: 'quota_exceeded',
  Forbidden: 'permission_denied',
};

const MESSAGES: Readonly<Record<Worded, string>> = {
  unknown_tool: 'There is no tool of this name. tools/list names those that there are.',
  permission_denied:
    'This credential may not read that tenant. Leave tenant_id out to read your own. The attempt was recorded.',
  internal_error: 'Something went wrong on our side, and no data was returned. Try again later.',
};

const OTHER_TOOLS = 'This key is for other tools: tools/list names them. The attempt was recorded.';

/** Of results: there are as many as tools have parts. */
const SHAPES = new KnownShapes();

/** @param alerts - disclosures about the caller's key, which no read model knows */
export function succeeded(document: ResultFrame, alerts: readonly AlertCode[]): ToolOutcome {
  const disclosed =
    alerts.length === 0 ? document : { ...document, alerts: [...new Set([...document.alerts, ...alerts])] };
  const json = canonicalJson(disclosed, SHAPES);
  // Read models clean what they know to be foreign; this is the net below them.
  return { error: null, json: holdsHiddenText(json) ? canonicalJson(visibleDocument(disclosed)) : json };
}

/**
 * A refusal with the common fields of every result.
 * @param tenantId - the tenant of the call; empty where it is for none
 */
export function failed(
  error: 'permission_denied' | 'internal_error',
  tenantId: string,
  at: Date,
): ToolOutcome {
  return { error, json: errorDocument(error, MESSAGES[error], tenantId, at) };
}

/** A tool that the key is not for. */
export function refusedTool(tenantId: string, at: Date): ToolOutcome {
  return {
    error: 'permission_denied',
    json: errorDocument('permission_denied', OTHER_TOOLS, tenantId, at),
  };
}

export function refusedArguments(fault: ToolFault, tenantId: string, at: Date): ToolOutcome {
  const { field, message, expected } = fault;
  const details = { field, ...(expected && { expected }) };
  return {
    error: 'invalid_arguments',
    json: errorDocument('invalid_arguments', message, tenantId, at, details),
  };
}

/** JSON-RPC itself says that there is no such tool. */
export function refusedUnknownTool(): ToolOutcome {
  return told('unknown_tool', new RpcFault(INVALID_PARAMS, MESSAGES.unknown_tool));
}

/**
 * JSON-RPC itself refuses what a request says around its arguments.
 * @param error - as what it is counted and recorded
 */
export function refusedByProtocol(
  fault: RpcFault,
  error: 'invalid_arguments' | 'permission_denied',
): ToolOutcome {
  return told(error, fault);
}

function told(error: ToolError, fault: RpcFault): ToolOutcome {
  return { error, json: canonicalJson({ code: fault.code, message: fault.message }), fault };
}

/** HTTP itself refuses; the document is the error body that is sent. */
export function refusedByHttp(body: ErrorBody): ToolOutcome {
  return { error: HTTP_REFUSALS[body.error] ?? 'internal_error', json: canonicalJson(body) };
}

/** The result of tools/call as JSON: the document as text and, where the call succeeded, as a value too. */
export function resultJson({ error, json }: ToolOutcome): string {
  const content = `"content":[{"type":"text","text":${quotedJson(json)}}]`;
  return error === null ? `{${content},"structuredContent":${json}}` : `{${content},"isError":true}`;
}

function errorDocument(
  code: ToolError,
  message: string,
  tenantId: string,
  at: Date,
  details: object = {},
): string {
  return canonicalJson({
    schema_version: SCHEMA_VERSION,
    tenant_id: tenantId,
    scope: 'company',
    summary: message,
    alerts: [],
    as_of: at.toISOString(),
    data_as_of: null,
    error: { code, message, ...details },
  });
}
