import { ACTOR_TYPES } from '../access/permissions';
import {
  choice,
  count,
  known,
  list,
  map,
  nullable,
  number,
  record,
  share,
  text,
  timestamp,
  type TypeOf,
} from '../schemas/json-schema';
import { ACTION_AUDIT_LOG_EXAMPLE } from './examples/action-audit-log';
import { CURSOR, limitOf, since, until } from './parts/arguments';
import { resultOf } from './parts/frame';
import { NEXT_CURSOR, sha256 } from './parts/rates';
import { TOOL_NAMES } from './parts/tool-names';
import { question, type Answer, type Arguments } from './question';

const STATUSES = ['success', 'error'] as const;

const ENTRY = record({
  entry_id: text('Stable id.'),
  timestamp: timestamp('When the call arrived.'),
  tool: text('Tool name; unknown_tool where the call named none of ours.'),
  status: known(STATUSES, 'How it ended.'),
  error_type: nullable(
    text('e.g. permission_denied, invalid_arguments, rate_limited, internal_error; null on success.'),
  ),
  latency_ms: number('Time to answer, in milliseconds.', { minimum: 0 }),
  key_id: nullable(
    text("Id of the API key, never the key; null where another tenant's credential asked for this tenant."),
  ),
  actor_type: known(ACTOR_TYPES, 'Who called.'),
  actor_id: nullable(text('Id of the caller, null like key_id.')),
  input_sha256: sha256('Of the canonical JSON (RFC 8785) of the arguments as sent.'),
  output_sha256: nullable(sha256('Of the canonical JSON of the result; null when none was produced.')),
});
export type AuditEntry = TypeOf<typeof ENTRY>;

export const ACTION_AUDIT_LOG = question({
  name: 'ActionAuditLog',
  arguments: {
    tool: choice(TOOL_NAMES, 'Only calls of this tool.'),
    status: choice(STATUSES, 'Only successful or only failed calls.'),
    since: since('Oldest call time to include, ISO 8601 with offset. Leave out for everything retained.'),
    until: until('call'),
    // Fifteen entries keep a page within 8 KB.
    limit: limitOf('Entries per page.', 100, 15),
    cursor: CURSOR,
  },
  required: [],
  result: resultOf({
    entry_count: count('Entries on this page.'),
    total_count: count('Entries that match the filters, over all pages.'),
    entries: list(ENTRY, 'Newest first.'),
    tool_breakdown: map<number>(
      { type: 'integer', minimum: 0 },
      'Calls per tool name over all matching entries.',
    ),
    error_rate: share('Failed share of all matching entries.'),
    next_cursor: NEXT_CURSOR,
  }),
  rest: [
    {
      path: '/intelligence/audit',
      operation: 'audit',
      says: 'Audit log of tool calls, newest first.',
      summary: 'Audit log',
      description:
        'Every MCP tool call of the company: who, when, which tool, how it ended, and hashes of input and output. Like get_action_audit_log.',
    },
  ],
  tool: {
    name: 'get_action_audit_log',
    title: 'Audit log of tool calls',
    description:
      "Returns the audit trail of this tenant's MCP tool calls, newest first: time, tool, key id, caller, status or error type, latency and SHA-256 hashes of input and output, plus calls per tool and the error rate. Payloads are not stored, so it proves that a call happened, not what it said. Use this tool when reviewing compliance, tracing one caller, or looking for refused cross-tenant attempts (error_type permission_denied). For decisions about contacts use get_workflow_decisions. tool_breakdown and error_rate cover every row that matches the filters, not just this page; rows are live. Nothing matching gives the alert no_audit_entries_available. Uses 1 call of the key's quota per page.",
  },
  example: ACTION_AUDIT_LOG_EXAMPLE,
});
export type ActionAuditLog = Answer<typeof ACTION_AUDIT_LOG>;
export type ActionAuditLogQuery = Arguments<typeof ACTION_AUDIT_LOG>;
