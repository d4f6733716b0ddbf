import { Ajv } from 'ajv';
import { anEvent } from '../../test/ingestion-events';
import { shapeFaults } from './event-shape';
import { EVENT_FIELDS, OUTCOME_EVENT_SCHEMA } from './outcome-event';

const faultsOf = (parts: Record<string, unknown>) => shapeFaults(anEvent(parts));
const firstOf = (parts: Record<string, unknown>) => {
  const [first, ...others] = faultsOf(parts);
  expect(others).toEqual([]);
  return first;
};

const TEXTS: readonly (readonly [field: string, max: number])[] = [
  ['recipient_id', 256],
  ['sent_at', 40],
  ['outcome_at', 40],
  ['message_ref', 256],
  ['event_id', 36],
  ['recipient_email', 320],
  ['recipient_position', 256],
  ['thread_id', 256],
  ['subject', 1_000],
  ['body_excerpt', 2_000],
  ['industry', 256],
  ['body', 10_000],
];
const VOCABULARIES: readonly (readonly [field: string, words: string])[] = [
  ['channel', 'email, linkedin'],
  ['outcome', 'no_response, responded, bounced, unsubscribed'],
  ['fact', 'sent, opened, clicked, auto_replied, meeting_booked'],
  ['outcome_at_is', 'exact, not_before, not_after'],
  ['tone', 'direct, conversational, professional, empathetic, questioning'],
];
const NUMBERS: readonly (readonly [field: string, max: number])[] = [
  ['sequence_step', 50],
  ['word_count', 2_147_483_647],
];

describe('the shape of an event', () => {
  it('is a schema by the schema of schemas', () => {
    const ajv = new Ajv();
    expect(ajv.validateSchema(OUTCOME_EVENT_SCHEMA)).toBe(true);
    expect(ajv.validateSchema({ ...OUTCOME_EVENT_SCHEMA, required: 'sent_at' })).toBe(false);
  });

  it('has the fields that the tables of this spec name, and metadata', () => {
    const fields = [...TEXTS, ...VOCABULARIES, ...NUMBERS].map(([field]) => field);
    expect(new Set([...fields, 'metadata'])).toEqual(EVENT_FIELDS);
  });

  it.each(TEXTS)('has in %s a text of at most %i code points', (field, max) => {
    const tooLong = { field, code: 'TOO_LONG', message: `Send at most ${max} characters.` };
    for (const character of ['x', '😀']) {
      expect(faultsOf({ [field]: character.repeat(max) })).toEqual([]);
      expect(firstOf({ [field]: character.repeat(max + 1) })).toEqual(tooLong);
    }
    expect(firstOf({ [field]: `😀${'x'.repeat(max)}` })).toEqual(tooLong);
    expect(faultsOf({ [field]: `😀${'x'.repeat(max - 1)}` })).toEqual([]);
    expect(firstOf({ [field]: 7 })).toEqual({
      field,
      code: 'INVALID_TYPE',
      message: 'Send a string, or leave an optional field out.',
    });
  });

  it.each(TEXTS)('has in %s a text that may be empty, unless it names something', (field) => {
    const isName = ['recipient_id', 'message_ref', 'thread_id'].includes(field);
    const message = 'Send at least one character, or leave an optional field out.';
    expect(faultsOf({ [field]: '' })).toEqual(isName ? [{ field, code: 'EMPTY', message }] : []);
  });

  it.each(VOCABULARIES)('has in %s one of %s', (field, words) => {
    for (const word of words.split(', ')) expect(faultsOf({ [field]: word })).toEqual([]);
    const message = `Send one of: ${words}.`;
    for (const word of ['', 'EMAIL', 'perhaps']) {
      expect(firstOf({ [field]: word })).toEqual({ field, code: 'NOT_ALLOWED', message });
    }
    // It is no word either, but has one fault.
    expect(firstOf({ [field]: 7 })).toMatchObject({ field, code: 'INVALID_TYPE' });
  });

  it.each(NUMBERS)('has in %s a whole number from 0 to %i', (field, max) => {
    for (const number of [0, 1, max]) expect(faultsOf({ [field]: number })).toEqual([]);
    const message = `Send a whole number from 0 to ${max}.`;
    for (const number of [-1, max + 1]) {
      expect(firstOf({ [field]: number })).toEqual({ field, code: 'OUT_OF_RANGE', message });
    }
    expect(firstOf({ [field]: '1' })).toEqual({
      field,
      code: 'INVALID_TYPE',
      message: 'Send a whole number (digits, no quotes), or leave an optional field out.',
    });
  });

  it('has in metadata an object', () => {
    expect(faultsOf({ metadata: { any: ['thing'] } })).toEqual([]);
    expect(firstOf({ metadata: 'x' })).toEqual({
      field: 'metadata',
      code: 'INVALID_TYPE',
      message: 'Send a JSON object, or leave an optional field out.',
    });
  });

  it.each(['channel', 'sequence_step', 'recipient_id'])('has %s', (field) => {
    expect(firstOf({ [field]: undefined })).toEqual({
      field,
      code: 'REQUIRED',
      message: 'This field is required.',
    });
  });

  it('has no field beyond these: it is named, up to 64 characters of it, as text that can be stored', () => {
    const message = 'An outcome event has no such field. Remove it, or move it to metadata.';
    const named = (name: string) => firstOf({ [name]: 1 });
    expect(named('Channel')).toEqual({ field: 'Channel', code: 'UNKNOWN_FIELD', message });
    expect(named('x'.repeat(64))?.field).toBe('x'.repeat(64));
    expect(named('x'.repeat(65))?.field).toBe('x'.repeat(64));
    expect(named(`${'x'.repeat(63)}😀`)?.field).toBe(`${'x'.repeat(63)}\ufffd`);
  });

  it('lists twenty faults at most, of unknown fields and of others', () => {
    const unknown = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, 1]));
    const wrong = { channel: 'fax', tone: 'dull', subject: 7 };
    const names = (count: number) => faultsOf({ ...unknown(count), ...wrong }).map(({ field }) => field);
    expect(names(17)).toEqual(expect.arrayContaining(['f16', 'channel', 'tone', 'subject']));
    for (const count of [17, 18, 20, 21, 5_000]) expect(names(count)).toHaveLength(20);
    expect(names(16)).toHaveLength(19);
    expect(names(20)).toEqual(Object.keys(unknown(20)));
  });
});
