import {
  TOOL_NAMES,
  type ActionAuditLog,
  type ActionAuditLogQuery,
  type AuditEntry,
} from '@outcomes/contracts';
import {
  choice,
  count,
  CURSOR,
  input,
  limitOf,
  list,
  NEXT_CURSOR,
  nullable,
  number,
  record,
  result,
  share,
  text,
  timestamp,
} from '../json-schema';
import { defineTool } from './definition';

const hash = (description: string) => text(description, { pattern: '^[0-9a-f]{64}$' });

export const getActionAuditLog = defineTool<ActionAuditLogQuery>(
  {
    name: 'get_action_audit_log',
    title: 'Audit log of tool calls',
    description:
      "Returns the audit trail of this tenant's MCP tool calls, newest first: time, tool, key id, caller, status or error type, latency and SHA-256 hashes of input and output, plus calls per tool and the error rate. Payloads are not stored, so it proves that a call happened, not what it said. Use this tool when reviewing compliance, tracing one caller, or looking for refused cross-tenant attempts (error_type permission_denied). For decisions about contacts use get_workflow_decisions. tool_breakdown and error_rate cover every row that matches the filters, not just this page; rows are live, but this call shows up only in the next read. To page, pass next_cursor with the same filters until it is null. Nothing matching gives the alert no_audit_entries_available. Uses 1 call of the key's quota per page.",
    inputSchema: input<ActionAuditLogQuery>({
      tool: choice(TOOL_NAMES, 'Only calls of this tool.'),
      status: choice(['success', 'error'], 'Only successful or only failed calls.'),
      since: timestamp(
        'Oldest call time to include, ISO 8601 with offset. Leave out for everything retained.',
      ),
      until: timestamp('Exclusive upper bound of the call time, ISO 8601 with offset. Defaults to now.'),
      limit: limitOf('Entries per page.', 100, 15),
      cursor: CURSOR,
    }),
    outputSchema: result<ActionAuditLog>({
      entry_count: count('Entries on this page.'),
      total_count: count('Entries that match the filters, over all pages.'),
      entries: list(
        record<AuditEntry>({
          entry_id: text('Stable id.'),
          timestamp: timestamp('When the call arrived.'),
          tool: text('Tool name; unknown_tool where the call named none of ours.'),
          status: choice(['success', 'error'], 'How it ended.'),
          error_type: nullable(
            text('e.g. permission_denied, invalid_arguments, rate_limited, internal_error; null on success.'),
          ),
          latency_ms: number('Time to answer, in milliseconds.', { minimum: 0 }),
          key_id: nullable(
            text(
              "Id of the API key, never the key; null where another tenant's credential asked for this tenant.",
            ),
          ),
          actor_type: text('agent, user, service or api_key.'),
          actor_id: nullable(text('Id of the caller, null like key_id.')),
          input_sha256: hash('Of the canonical JSON (RFC 8785) of the arguments as sent.'),
          output_sha256: nullable(hash('Of the canonical JSON of the result; null when none was produced.')),
        }),
        'Newest first.',
      ),
      tool_breakdown: {
        type: 'object',
        description: 'Calls per tool name over all matching entries.',
        additionalProperties: { type: 'integer' },
      },
      error_rate: share('Failed share of all matching entries.'),
      next_cursor: NEXT_CURSOR,
    }),
  },
  (intelligence, scope, query) => intelligence.actionAuditLog(scope, query),
);
