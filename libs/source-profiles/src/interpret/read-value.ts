import type { Value } from '../profile';
import { unreadable } from './fault';
import { nameOfPath, readPath, textAt, yesOrNo, type SourceRecord } from './read-path';
import { readTime, type ReadTime } from './read-time';
import { addressOf } from './recipient-id';

/** What the reader of a file, or the settings of a receiver, add to a profile. */
export interface Reading {
  /** IANA zone of times that the tool writes without one. */
  readonly timeZone?: string | undefined;
  /** Zero-based steps by the tool's id of them. */
  readonly steps?: Readonly<Record<string, number>> | undefined;
}

/** Of the contract. */
const MAX_STEP = 50;

type Of<Op extends Value['op']> = Extract<Value, { op: Op }>;

/**
 * Reads a value that is no time.
 * @returns undefined where nothing stands there
 * @throws UnreadableValue where something else does
 */
export function readValue(
  value: Value,
  record: SourceRecord,
  reading: Reading,
): string | number | boolean | undefined {
  switch (value.op) {
    case 'const':
      return value.value;
    case 'first':
      return firstOf(value.of, (part) => readValue(part, record, reading));
    case 'bool':
      return readFlag(value, record);
    case 'map':
      return mapped(value, record);
    case 'time':
      return readMoment(value, record, reading)?.iso;
    default:
      return readText(value, record, reading);
  }
}

/** A time, with what number it is. @throws UnreadableValue */
export function readMoment(value: Value, record: SourceRecord, reading: Reading): ReadTime | undefined {
  if (value.op === 'first') return firstOf(value.of, (part) => readMoment(part, record, reading));
  if (value.op !== 'time') return undefined;
  const text = filled(value, record);
  if (text === undefined) return undefined;
  const form = { zone: value.zone ?? reading.timeZone, order: value.order, unit: value.unit };
  return readTime(text, form, nameOfPath(value.path));
}

/** The column or keys that a value is read from first. */
export function columnOf(value: Value): string {
  if (value.op === 'const') return String(value.value);
  if (value.op !== 'first') return nameOfPath(value.path);
  const [first] = value.of;
  return first === undefined ? '' : columnOf(first);
}

function firstOf<Found>(
  values: readonly Value[],
  read: (value: Value) => Found | undefined,
): Found | undefined {
  for (const value of values) {
    const found = read(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

function readFlag(value: Of<'bool'>, record: SourceRecord): boolean {
  const flag = yesOrNo(readPath(record, value.path));
  if (flag === undefined) throw unreadable('UNMAPPED_VALUE', nameOfPath(value.path));
  return flag;
}

function mapped(value: Of<'map'>, record: SourceRecord): string | undefined {
  const text = filled(value, record);
  if (text === undefined) return undefined;
  const found = Object.entries(value.values).find(([from]) => from.toLowerCase() === text.toLowerCase());
  if (!found) throw unreadable('UNMAPPED_VALUE', nameOfPath(value.path));
  return found[1];
}

function readText(
  value: Of<'text' | 'int' | 'step' | 'step_id' | 'email'>,
  record: SourceRecord,
  reading: Reading,
): string | number | undefined {
  const text = filled(value, record);
  if (text === undefined) return undefined;
  const column = nameOfPath(value.path);
  switch (value.op) {
    case 'text':
      return text;
    case 'email': {
      const address = addressOf(text);
      if (address === undefined) throw unreadable('INVALID_ADDRESS', column);
      return address;
    }
    case 'int':
      if (!/^-?\d{1,15}$/.test(text)) throw unreadable('INVALID_NUMBER', column);
      return Number(text);
    case 'step_id': {
      const step = reading.steps?.[text];
      if (step === undefined) throw unreadable('UNKNOWN_STEP_ID', column);
      return step;
    }
    case 'step':
      return stepOf(text, value, column);
  }
}

function stepOf(text: string, { base, prefix = '' }: Of<'step'>, column: string): number {
  const hasPrefix = text.toLowerCase().startsWith(prefix.toLowerCase());
  const digits = text.slice(prefix.length).trim();
  const step = /^\d{1,4}$/.test(digits) ? Number(digits) - base : -1;
  if (!hasPrefix || step < 0 || step > MAX_STEP) throw unreadable('INVALID_STEP', column);
  return step;
}

function filled(value: { readonly path: Of<'text'>['path'] }, record: SourceRecord): string | undefined {
  const text = textAt(record, value.path);
  if (text !== undefined && hasToken(text)) throw unreadable('TOKEN_NOT_FILLED', nameOfPath(value.path));
  return text;
}

/**
 * Whether a template of the tool's own was sent as it was written: {{ and }} in one line. Not by a regular expression, which
 * tries every {{ of a hostile text with all that follows.
 */
function hasToken(text: string): boolean {
  return text.split(/[\r\n]/).some((line) => {
    const opening = line.indexOf('{{');
    return opening >= 0 && line.indexOf('}}', opening + 2) >= 0;
  });
}
