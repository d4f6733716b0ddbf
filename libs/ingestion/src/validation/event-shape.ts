import { Ajv, type DefinedError, type ValidateFunction } from 'ajv';
import { CHANNELS, FACTS, OUTCOMES, TIME_MEANINGS, TONES } from '@outcomes/contracts';
import { fault, MAX_FAULTS_PER_EVENT, type FieldFault } from './field-fault';
import { EVENT_FIELDS, OUTCOME_EVENT_SCHEMA, type EventField } from './outcome-event';

let compiled: ValidateFunction | undefined;

/**
 * Compiled when an event is first checked: it takes a fifth of the time in which the analysis worker starts, more than half of
 * it for the schema of schemas, against which a test holds this one.
 */
const shape = () => (compiled ??= compileShape());

function compileShape(): ValidateFunction {
  const ajv = new Ajv({ allErrors: true, strict: true, meta: false, validateSchema: false });
  // Ajv counts the code points of every string. Only a string that may be too long needs counting.
  ajv.removeKeyword('maxLength');
  ajv.addKeyword({
    keyword: 'maxLength',
    type: 'string',
    schemaType: 'number',
    errors: false,
    compile: (max: number) => (text: string) => text.length <= max || hasAtMostCodePoints(text, max),
  });
  return ajv.compile(OUTCOME_EVENT_SCHEMA);
}

const VOCABULARIES: Readonly<Partial<Record<EventField, readonly string[]>>> = {
  channel: CHANNELS,
  outcome: OUTCOMES,
  fact: FACTS,
  outcome_at_is: TIME_MEANINGS,
  tone: TONES,
};

/**
 * Checks names, types, vocabularies, ranges and lengths of one event.
 * @param event - an object of a parsed JSON document, or one made from a CSV row
 * @returns one fault per field at most; an empty list where the shape is right
 */
export function shapeFaults(event: object): FieldFault[] {
  const faults = unknownFields(event);
  const matches = shape();
  if (matches(event)) return faults;
  const seen = new Set<string>();
  for (const error of (matches.errors ?? []) as DefinedError[]) {
    const found = faultOf(error);
    if (seen.has(found.field) || faults.length >= MAX_FAULTS_PER_EVENT) continue;
    seen.add(found.field);
    faults.push(found);
  }
  return faults;
}

function unknownFields(event: object): FieldFault[] {
  const faults: FieldFault[] = [];
  for (const name in event) {
    if (EVENT_FIELDS.has(name)) continue;
    const shown = name.slice(0, 64).toWellFormed();
    faults.push(
      fault(shown, 'UNKNOWN_FIELD', 'An outcome event has no such field. Remove it, or move it to metadata.'),
    );
    if (faults.length >= MAX_FAULTS_PER_EVENT) break;
  }
  return faults;
}

function faultOf(error: DefinedError): FieldFault {
  if (error.keyword === 'required') {
    return fault(error.params.missingProperty, 'REQUIRED', 'This field is required.');
  }
  const field = error.instancePath.slice(1);
  const rules = OUTCOME_EVENT_SCHEMA.properties[field as EventField];
  switch (error.keyword) {
    case 'type':
      return fault(field, 'INVALID_TYPE', `Send ${TYPE_NAMES[rules.type]}, or leave an optional field out.`);
    case 'enum':
      return fault(field, 'NOT_ALLOWED', vocabularyMessage(field as EventField));
    case 'minLength':
      return fault(field, 'EMPTY', 'Send at least one character, or leave an optional field out.');
    case 'minimum':
    case 'maximum':
      return fault(field, 'OUT_OF_RANGE', `Send a whole number from 0 to ${maximumOf(rules)}.`);
    default:
      return fault(field, 'TOO_LONG', `Send at most ${maxLengthOf(rules)} characters.`);
  }
}

const TYPE_NAMES = {
  string: 'a string',
  integer: 'a whole number (digits, no quotes)',
  object: 'a JSON object',
} as const;

const maximumOf = (rules: object) => ('maximum' in rules ? String(rules.maximum) : '');
const maxLengthOf = (rules: object) => ('maxLength' in rules ? String(rules.maxLength) : '');

function vocabularyMessage(field: EventField): string {
  return `Send one of: ${(VOCABULARIES[field] ?? []).join(', ')}.`;
}

function hasAtMostCodePoints(text: string, max: number): boolean {
  // A code point is one or two UTF-16 units; a longer text need not be counted.
  return text.length <= 2 * max && [...text].length <= max;
}
