import { instantOf, type Schema } from '@outcomes/contracts';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';

export type GivenArguments = Readonly<Record<string, unknown>>;

/** What is wrong with one argument, in words of ours: a parser's words may quote what it read. */
export interface ArgumentFault {
  readonly field: string;
  /** `unknown`: there is no such argument. */
  readonly kind: 'unknown' | 'missing' | 'wrong';
  readonly message: string;
  /** The bounds of the argument; absent where there is none. */
  readonly expected?: Schema;
}

/** The first thing that is wrong with the arguments; undefined where they may be answered. */
export type ArgumentCheck = (given: GivenArguments) => ArgumentFault | undefined;

/** One for the process: compiling costs milliseconds, checking microseconds. Stops at the first fault. */
const ajv = new Ajv({ strict: true, formats: { 'date-time': (text) => instantOf(text) !== undefined } });

/**
 * Compiled when it is first used: together, those of all questions would be a tenth of what a service takes to start.
 * @param schema - a closed object of arguments, as argumentsSchemaOf gives it
 */
export function argumentCheck(schema: Schema): ArgumentCheck {
  let passes: ValidateFunction | undefined;
  return (given) => {
    passes ??= ajv.compile(schema);
    return passes(given) ? nulFault(schema, given) : faultOf(schema, passes.errors?.[0]);
  };
}

/** Postgres has no NUL in text, so a text that holds one names nothing that can have been stored. */
function nulFault(schema: Schema, given: GivenArguments): ArgumentFault | undefined {
  for (const field in given) {
    const value = given[field];
    const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (texts.some((text) => typeof text === 'string' && text.includes('\0')))
      return wrong(schema, field, 'without NUL');
  }
  return undefined;
}

function faultOf(schema: Schema, error: ErrorObject | undefined): ArgumentFault {
  if (error?.keyword === 'additionalProperties') {
    const field = String(error.params.additionalProperty);
    const known = Object.keys(schema.properties ?? {}).join(', ') || 'none';
    return { field, kind: 'unknown', message: `Unknown argument. Known: ${known}.` };
  }
  if (error?.keyword !== 'required') return wrong(schema, error?.instancePath.split('/')[1] ?? '');
  const field = String(error.params.missingProperty);
  const expected = schema.properties?.[field] ?? {};
  const message = `${field} is required and must be ${wordsFor(expected)}.`;
  return { field, kind: 'missing', message, expected };
}

function wrong(schema: Schema, field: string, more?: string): ArgumentFault {
  const expected = schema.properties?.[field] ?? {};
  const words = [wordsFor(expected), ...(more === undefined ? [] : [more])].join(' ');
  return { field, kind: 'wrong', message: `${field} must be ${words}.`, expected };
}

function wordsFor(schema: Schema): string {
  if (Array.isArray(schema.enum)) return `one of ${schema.enum.join(', ')}`;
  if (schema.format === 'date-time') {
    return 'an ISO 8601 date-time with offset, for example 2026-01-31T00:00:00Z';
  }
  if (schema.type === 'integer') {
    return `a whole number from ${String(schema.minimum)} to ${String(schema.maximum)}`;
  }
  if (schema.type === 'boolean') return 'true or false';
  if (schema.type === 'array') {
    const { minLength, maxLength } = schema.items as Schema;
    return `a list of ${String(schema.minItems)} to ${String(schema.maxItems)} strings of ${String(minLength)} to ${String(maxLength)} characters`;
  }
  return `a string of ${String(schema.minLength)} to ${String(schema.maxLength)} characters`;
}
