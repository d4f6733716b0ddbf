import { ACTOR_TYPES } from '../access/permissions';
import { type ActionAuditLog, type AuditEntry } from '../read-model/results';
import { choice, count, list, nullable, number, record, share, text, timestamp } from './json-schema';
import { NEXT_CURSOR, resultSchema } from './shared-parts';

const hash = (description: string) => text(description, { pattern: '^[0-9a-f]{64}$' });

/** Result of get_action_audit_log. */
export const ACTION_AUDIT_LOG_SCHEMA = resultSchema<ActionAuditLog>({
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
      actor_type: choice(ACTOR_TYPES, 'Who called.'),
      actor_id: nullable(text('Id of the caller, null like key_id.')),
      input_sha256: hash('Of the canonical JSON (RFC 8785) of the arguments as sent.'),
      output_sha256: nullable(hash('Of the canonical JSON of the result; null when none was produced.')),
    }),
    'Newest first.',
  ),
  tool_breakdown: {
    type: 'object',
    description: 'Calls per tool name over all matching entries.',
    additionalProperties: { type: 'integer', minimum: 0 },
  },
  error_rate: share('Failed share of all matching entries.'),
  next_cursor: NEXT_CURSOR,
});
