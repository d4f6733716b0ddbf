import {
  AppError,
  argumentsSchemaOf,
  BANDIT_STATE,
  CAMPAIGN_HEALTH,
  PATTERNS,
  ANALYSIS_OF_METRIC,
  QUESTIONS,
  WORKFLOW_DECISIONS,
  type Question,
  type Schema,
} from '@outcomes/contracts';
import { argumentCheck } from './argument-check';
import { addressReader } from './query-string';

const NOTHING = { path: {}, query: {} };

function refusal(act: () => unknown): AppError {
  try {
    act();
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  throw new Error('nothing was refused');
}

describe('the address of a request', () => {
  const bandit = addressReader(BANDIT_STATE, BANDIT_STATE.rest[0]);
  const decisions = addressReader(WORKFLOW_DECISIONS, WORKFLOW_DECISIONS.rest[0]);

  it('gives the arguments, digits as a number and true as a flag', () => {
    expect(bandit(NOTHING)).toEqual({});
    expect(bandit({ path: {}, query: { top_n: '5', channel: 'email' } })).toEqual({
      top_n: 5,
      channel: 'email',
    });
    expect(decisions({ path: {}, query: { include_replay: 'true', contact_id: '7' } })).toEqual({
      include_replay: true,
      contact_id: '7',
    });
    // Words of a flag are a name where a name is asked for.
    expect(decisions({ path: {}, query: { contact_id: 'true' } })).toEqual({ contact_id: 'true' });
  });

  it('takes a list from a parameter that is repeated, or given once', () => {
    const listed = (contact_ids: unknown) => decisions({ path: {}, query: { contact_ids } });
    expect(listed(['a,b', 'c'])).toEqual({ contact_ids: ['a,b', 'c'] });
    expect(listed('a,b')).toEqual({ contact_ids: ['a,b'] });
    expect(refusal(() => listed('')).message).toBe(
      'contact_ids must be a list of 1 to 100 strings of 1 to 256 characters.',
    );
  });

  it('gives what stands in the path under the name of the argument, and takes it nowhere else', () => {
    const health = addressReader(CAMPAIGN_HEALTH, CAMPAIGN_HEALTH.rest[0]);
    expect(health({ path: { campaignId: 'spring' }, query: {} })).toEqual({ campaign_id: 'spring' });
    const refused = refusal(() => health({ path: { campaignId: 'a' }, query: { campaign_id: 'b' } }));
    expect(refused.fields).toEqual({ parameter: 'campaign_id' });
  });

  it('is refused for what cannot be asked together with what stands in the path', () => {
    const ofContact = WORKFLOW_DECISIONS.rest.find(({ path }) => path.includes('{contactId}'));
    if (!ofContact) throw new Error('no address has a contact in its path');
    const read = addressReader(WORKFLOW_DECISIONS, ofContact);
    const path = { contactId: 'anna' };
    expect(read({ path, query: { action: 'due' } })).toEqual({ contact_id: 'anna', action: 'due' });
    const refused = refusal(() => read({ path, query: { contact_ids: 'bert' } }));
    expect([refused.code, refused.fields]).toEqual(['INVALID_PARAMETER', { parameter: 'contact_ids' }]);
  });

  it('is refused for a parameter that does not exist, with those that do', () => {
    const refused = refusal(() => bandit({ path: {}, query: { topn: '5' } }));
    expect([refused.code, refused.fields, refused.message]).toEqual([
      'INVALID_PARAMETER',
      { parameter: 'topn' },
      'Unknown query parameter "topn". Known: channel, position, top_n.',
    ]);
    const long = refusal(() => bandit({ path: {}, query: { ['x'.repeat(500)]: '5' } }));
    expect(long.fields).toEqual({ parameter: 'x'.repeat(64) });
    const none = addressReader(PATTERNS, PATTERNS.rest[0]);
    expect(refusal(() => none({ path: {}, query: { x: '1' } })).message).toBe(
      'Unknown query parameter "x". This address takes none.',
    );
  });

  it.each([
    ['top_n', '0', 'top_n must be a whole number from 1 to 100.'],
    ['top_n', '1e1', 'top_n must be a whole number from 1 to 100.'],
    ['top_n', ['5', '6'], 'top_n must be given once.'],
    ['channel', 'sms', 'channel must be one of email, linkedin.'],
    ['position', '', 'position must be a string of 1 to 64 characters.'],
    ['position', 'a\0b', 'position must be a string of 1 to 64 characters without NUL.'],
    ['position', '😀'.repeat(65), 'position must be a string of 1 to 64 characters.'],
  ])('is refused in words of ours: %s=%j', (parameter, value, message) => {
    const refused = refusal(() => bandit({ path: {}, query: { [parameter]: value } }));
    expect([refused.fields, refused.message]).toEqual([{ parameter }, message]);
  });

  it('is refused with the code of the question where it has one', () => {
    const chunk = addressReader(ANALYSIS_OF_METRIC, ANALYSIS_OF_METRIC.rest[0]);
    expect(refusal(() => chunk({ path: { metricName: 'nope' }, query: {} })).code).toBe('METRIC_NOT_FOUND');
  });
});

/** Values of all kinds that an argument may be given: good ones, and each way to be bad. */
function valuesFor({
  type,
  format,
  enum: choices,
  minimum,
  maximum,
  maxLength,
  maxItems,
}: Schema): unknown[] {
  if (type === 'array') {
    const many = Array.from({ length: Number(maxItems) }, () => 'a');
    return [['a'], ['a', 'b'], many, [...many, 'a'], ['a', ''], ['a\0b']];
  }
  if (Array.isArray(choices)) return [...(choices as unknown[]), 'nothing-of-the-kind', ''];
  if (type === 'integer') return [minimum, maximum, Number(minimum) - 1, Number(maximum) + 1, 'x', 1.5];
  if (type === 'boolean') return [true, false, 'yes'];
  if (format === 'date-time') {
    return [
      ...['2026-01-31T00:00:00Z', '2026-01-31T00:00Z', '2026-02-30T00:00:00Z', '2026-01-31T24:00:00Z'],
      ...['2026-01-31T00:00:00+23:00', '2026-01-31T00:00:00+02:00', '2026-01-31', 'yesterday', ''],
    ];
  }
  return ['a', '', 'x'.repeat(Number(maxLength)), 'x'.repeat(Number(maxLength) + 1), 'a\0b'];
}

describe.each(QUESTIONS.filter((question) => 'tool' in question))('$name', (question: Question) => {
  it('takes and refuses over REST what it takes and refuses over MCP', () => {
    const [route] = question.rest;
    const placed = Object.entries(route.inPath ?? {});
    const check = argumentCheck(argumentsSchemaOf(question));
    const read = addressReader(question, route);
    let refused = 0;
    for (const [name, schema] of Object.entries(question.arguments)) {
      for (const value of valuesFor(schema)) {
        const given = { ...Object.fromEntries(placed.map(([, other]) => [other, 'a'])), [name]: value };
        const path = Object.fromEntries(
          placed.map(([parameter, other]) => [parameter, String(given[other as keyof typeof given])]),
        );
        const query = placed.some(([, other]) => other === name)
          ? {}
          : { [name]: Array.isArray(value) ? value : String(value) };
        const fault = check(given);
        if (fault) {
          refused += 1;
          expect([value, refusal(() => read({ path, query })).message]).toEqual([value, fault.message]);
        } else {
          expect(read({ path, query })).toEqual(given);
        }
      }
    }
    expect(refused).toBeGreaterThan(0);
  });
});
