import { ERROR_CATALOGUE, KEY_REFUSALS, type ErrorCode, type KeyRefusal } from '../errors/catalogue';
import {
  constant,
  count,
  integer,
  known,
  record,
  text,
  timestamp,
  type Properties,
  type Schema,
} from './json-schema';

interface ExtraFields {
  readonly properties: Properties;
  readonly example: Readonly<Record<string, unknown>>;
  /** Those that are not always there. */
  readonly optional?: readonly string[];
}

const column = (example: string): ExtraFields => ({
  properties: { column: text('Name of the column at fault.') },
  example: { column: example },
});

/** What stands beside the common fields of an error, by code. */
const EXTRA_FIELDS: Readonly<Partial<Record<ErrorCode, ExtraFields>>> = {
  INVALID_PARAMETER: {
    properties: { parameter: text('Name of the parameter at fault.') },
    example: { parameter: 'limit' },
  },
  INVALID_CSV: {
    properties: { line: integer('Line at fault, from 1.', { minimum: 1 }) },
    optional: ['line'],
    example: { line: 17 },
  },
  UNKNOWN_COLUMN: column('Lead Status'),
  MISSING_COLUMN: column('outcome'),
  DUPLICATE_COLUMN: column('channel'),
  TOO_MANY_EVENTS: {
    properties: { limit: count('Most events or rows in a request.') },
    example: { limit: 500 },
  },
  PAYLOAD_TOO_LARGE: {
    properties: { limit: count('Most bytes of a body.') },
    optional: ['limit'],
    example: { limit: 8_388_608 },
  },
  self_serve_auth_failed: {
    properties: { reason: known(KEY_REFUSALS, 'Why the key was refused.') },
    example: { reason: 'TOKEN_EXPIRED' satisfies KeyRefusal },
  },
  QUOTA_EXCEEDED: {
    properties: {
      quotaLimit: count('Requests per calendar month (UTC).'),
      currentUsage: count('Requests of this month.'),
      resetAt: timestamp('When the month ends.'),
    },
    example: { quotaLimit: 1_000, currentUsage: 1_000, resetAt: '2026-03-01T00:00:00.000Z' },
  },
};

/** Name of the schema of an error's body among COMPONENT_SCHEMAS. */
export const errorSchemaName = (code: ErrorCode): string => `Error.${code}`;

/** Body of an error: the common fields, and those of its code. */
export function errorSchemaOf(code: ErrorCode): Schema {
  const { properties = {}, optional } = EXTRA_FIELDS[code] ?? {};
  const fields: Properties = {
    success: constant(false, 'Always false.'),
    error: constant(code, 'The code to branch on; it never changes within a major version.'),
    message: text('How to fix the request, for people.', { examples: [ERROR_CATALOGUE[code].message] }),
    requestId: text('The X-Request-Id of the answer, to quote in reports.'),
    timestamp: timestamp('Time of the answer.'),
    ...properties,
  };
  return record(fields, ERROR_CATALOGUE[code].message, optional);
}

/** Body of an error as it may be answered, in full. */
export function errorExampleOf(code: ErrorCode): Readonly<Record<string, unknown>> {
  return {
    success: false,
    error: code,
    message: ERROR_CATALOGUE[code].message,
    requestId: '8f14e45f-ceea-467f-9a58-2b3a6c1d7e90',
    timestamp: '2026-02-03T08:00:00.000Z',
    ...EXTRA_FIELDS[code]?.example,
  };
}
