import {
  ACTION_AUDIT_LOG,
  argumentsSchemaOf,
  PATTERNS,
  RECIPIENT_INTELLIGENCE,
  WORKFLOW_DECISIONS,
} from '@outcomes/contracts';
import { argumentCheck } from './argument-check';

describe('arguments of a question', () => {
  const decisions = argumentCheck(argumentsSchemaOf(WORKFLOW_DECISIONS));
  const audit = argumentCheck(argumentsSchemaOf(ACTION_AUDIT_LOG));
  const contact = argumentCheck(argumentsSchemaOf(RECIPIENT_INTELLIGENCE));
  const patterns = argumentCheck(argumentsSchemaOf(PATTERNS));

  it('may be left out where none is required', () => {
    expect([decisions({}), audit({}), patterns({})]).toEqual([undefined, undefined, undefined]);
    expect(decisions({ since: '2026-01-31T00:00:00Z', include_replay: true, limit: 50 })).toBeUndefined();
  });

  it.each([
    ['include_replay', 'yes', 'include_replay must be true or false.'],
    [
      'since',
      '2026-02-30T00:00:00Z',
      'since must be an ISO 8601 date-time with offset, for example 2026-01-31T00:00:00Z.',
    ],
    ['limit', 51, 'limit must be a whole number from 1 to 50.'],
    ['contact_id', '', 'contact_id must be a string of 1 to 256 characters.'],
    ['contact_id', 'a\0b', 'contact_id must be a string of 1 to 256 characters without NUL.'],
    ['contact_ids', [], 'contact_ids must be a list of 1 to 100 strings of 1 to 256 characters.'],
    // One bad text among good ones is enough.
    [
      'contact_ids',
      ['good', 'a\0b'],
      'contact_ids must be a list of 1 to 100 strings of 1 to 256 characters without NUL.',
    ],
  ])('are refused in words of ours, with what is expected: %s=%j', (field, value, message) => {
    const expected = WORKFLOW_DECISIONS.arguments[field as keyof typeof WORKFLOW_DECISIONS.arguments];
    expect(decisions({ [field]: value })).toEqual({ field, kind: 'wrong', message, expected });
  });

  it('names the choices where there are some', () => {
    expect(audit({ status: 'maybe' })?.message).toBe('status must be one of success, error.');
  });

  it('are refused where one is missing', () => {
    expect(contact({})).toEqual({
      field: 'contact_id',
      kind: 'missing',
      message: 'contact_id is required and must be a string of 1 to 256 characters.',
      expected: RECIPIENT_INTELLIGENCE.arguments.contact_id,
    });
  });

  it('are refused where there is no such argument, with those that there are', () => {
    expect(contact({ contact_id: 'anna', chanel: 'email' })).toEqual({
      field: 'chanel',
      kind: 'unknown',
      message: 'Unknown argument. Known: contact_id, channel.',
    });
    expect(patterns({ top_n: 5 })?.message).toBe('Unknown argument. Known: none.');
  });
});
