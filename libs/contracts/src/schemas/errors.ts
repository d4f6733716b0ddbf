import { ERROR_CATALOGUE, KEY_REFUSALS, type ErrorCode } from '../errors/catalogue';
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
  /** Those that are not always there. */
  readonly optional?: readonly string[];
}

const column: ExtraFields = { properties: { column: text('Name of the column at fault.') } };

/** What stands beside the common fields of an error, by code. */
const EXTRA_FIELDS: Readonly<Partial<Record<ErrorCode, ExtraFields>>> = {
  INVALID_PARAMETER: { properties: { parameter: text('Name of the parameter at fault.') } },
  INVALID_CSV: {
    properties: { line: integer('Line at fault, from 1.', { minimum: 1 }) },
    optional: ['line'],
  },
  UNKNOWN_COLUMN: column,
  MISSING_COLUMN: column,
  DUPLICATE_COLUMN: column,
  TOO_MANY_EVENTS: { properties: { limit: count('Most events or rows in a request.') } },
  PAYLOAD_TOO_LARGE: { properties: { limit: count('Most bytes of a body.') }, optional: ['limit'] },
  self_serve_auth_failed: { properties: { reason: known(KEY_REFUSALS, 'Why the key was refused.') } },
  QUOTA_EXCEEDED: {
    properties: {
      quotaLimit: count('Requests per calendar month (UTC).'),
      currentUsage: count('Requests of this month.'),
      resetAt: timestamp('When the month ends.'),
    },
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
    message: text('What to mend, for people.', { examples: [ERROR_CATALOGUE[code].message] }),
    requestId: text('The X-Request-Id of the answer, to quote in reports.'),
    timestamp: timestamp('Time of the answer.'),
    ...properties,
  };
  return record(fields, ERROR_CATALOGUE[code].message, optional);
}
