import { Ajv, type ErrorObject } from 'ajv';
import type { Schema } from '../../json-schema';
import { visibleText } from '../../untrusted-text';

export type Arguments = Readonly<Record<string, unknown>>;

/** What is wrong with one argument, in words of ours: a parser's words may quote what it read. */
export interface ArgumentFault {
  readonly field: string;
  readonly message: string;
  /** The bounds of the field; absent where it is no argument at all. */
  readonly expected?: Schema;
}

/** One for the process: compiling costs milliseconds, checking microseconds. Stops at the first fault. */
const ajv = new Ajv({ strict: true, formats: { 'date-time': isDateTime } });

const NAMED_CHARACTERS = 64;

export function argumentCheck(tool: string, schema: Schema): (given: Arguments) => ArgumentFault | undefined {
  const passes = ajv.compile(schema);
  return (given) => (passes(given) ? undefined : faultOf(tool, schema, passes.errors?.[0]));
}

function faultOf(tool: string, schema: Schema, error: ErrorObject | undefined): ArgumentFault {
  const properties = schema.properties ?? {};
  if (error?.keyword === 'additionalProperties') {
    const unknown = [...visibleText(String(error.params.additionalProperty))];
    const field = unknown.slice(0, NAMED_CHARACTERS).join('');
    const known = Object.keys(properties).join(', ');
    return { field, message: `${JSON.stringify(field)} is no argument of ${tool}. Arguments: ${known}.` };
  }
  const missing = error?.keyword === 'required';
  const field = missing ? String(error.params.missingProperty) : (error?.instancePath.slice(1) ?? '');
  const expected = properties[field] ?? {};
  const verb = missing ? 'is required and' : '';
  return { field, message: `${field} ${verb} must be ${wordsFor(expected)}.`.replace('  ', ' '), expected };
}

function wordsFor(schema: Schema): string {
  if (Array.isArray(schema.enum)) return `one of ${schema.enum.join(', ')}`;
  if (schema.format === 'date-time') {
    return 'an ISO 8601 date-time with offset, for example 2026-01-31T00:00:00Z';
  }
  if (schema.type === 'integer') {
    return `a whole number from ${String(schema.minimum)} to ${String(schema.maximum)}`;
  }
  return `a string of ${String(schema.minLength)} to ${String(schema.maxLength)} characters`;
}

const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-](0\d|1[0-4]):[0-5]\d)$/i;

/** RFC 3339, and a day that the calendar has. */
function isDateTime(value: string): boolean {
  const [, year, month, day] = DATE_TIME.exec(value)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined || year < 1) return false;
  const date = new Date(Date.UTC(2000, month - 1, day));
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
