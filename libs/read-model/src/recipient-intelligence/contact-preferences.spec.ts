import { PATTERN_CATALOGUE, type PatternRecord } from '@outcomes/contracts';
import { overruled, preferencesOf, preferredChannel } from './contact-preferences';

const ofDimension = (dimension: string) => {
  const pattern = PATTERN_CATALOGUE.find((one) => one.dimension === dimension);
  if (pattern === undefined) throw new Error(`no pattern of ${dimension}`);
  return pattern;
};
const claim = (code: string, fields: Partial<PatternRecord> = {}) =>
  ({
    ...{ companyId: 'c', code, positive: true, evidence_tier: 'confirmed' },
    evidence: { lift: 0.4, with_rate: { value: 0.06, ci_low: 0.05, ci_high: 0.07, n: 900 } },
    ...fields,
  }) as PatternRecord;
const valuesOf = (records: PatternRecord[]) => preferencesOf(records).map(({ value }) => value);

describe('preferences of anybody in the company', () => {
  // What a single message can be planned by; a subject line is no preference of this answer.
  it.each([
    ['channel', 'channel'],
    ['tone', 'tone'],
    ['body_words', 'word_count'],
    ['daypart', 'send_hour'],
    ['weekday', 'send_day'],
  ])('tell the strongest level of %s', (dimension, told) => {
    const { code, level } = ofDimension(dimension);
    expect(preferencesOf([claim(code)])).toEqual([
      { dimension: told, value: level, lift: 0.4, sample_size: 900, data_source: 'company' },
    ]);
  });

  it('tell one level of each dimension: that of the first record, which is the strongest', () => {
    const tones = PATTERN_CATALOGUE.filter(({ dimension }) => dimension === 'tone').slice(0, 2);
    const day = ofDimension('weekday');
    const records = [...tones, day].map(({ code }) => claim(code));
    expect(valuesOf(records)).toEqual([tones[0]?.level, day.level]);
  });

  it.each<[string, Partial<PatternRecord>, boolean]>([
    ['likely', { evidence_tier: 'likely' }, true],
    ['directional', { evidence_tier: 'directional' }, false],
    ['to be avoided', { positive: false }, false],
  ])('of evidence that is %s: told %s', (_what, fields, told) => {
    expect(valuesOf([claim(ofDimension('tone').code, fields)])).toHaveLength(told ? 1 : 0);
  });

  it('tell nothing of other dimensions and of codes that are no pattern, and no number that is unknown', () => {
    expect(preferencesOf([claim(ofDimension('subject_question').code), claim('XX-999')])).toEqual([]);
    const { evidence: _none, ...bare } = claim(ofDimension('tone').code);
    expect(preferencesOf([bare])).toMatchObject([{ lift: null, sample_size: 0 }]);
  });
});

describe('advice beside the preference of a channel', () => {
  const LINKEDIN = preferencesOf([claim('CH-2')]);
  const [SEND, SWITCH] = [
    { action: 'send', exploration: false },
    { action: 'switch_channel', exploration: false },
  ] as const;

  it('says which of two channels holds for the contact, and why', () => {
    expect(preferredChannel(LINKEDIN)).toBe('linkedin');
    expect(overruled(LINKEDIN, { channel: 'email' }, SEND)).toBe(
      ' Over all contacts first messages on LinkedIn get more replies; for this contact the advice by email holds: ' +
        'at its position, campaign and step no channel in use promises a quarter more.',
    );
    // What was chosen to learn, or is moved, is not the better by so much or stays for that reason.
    for (const decision of [SWITCH, { ...SEND, exploration: true }])
      expect(overruled(LINKEDIN, { channel: 'email' }, decision)).toMatch(
        /the advice by email holds, which is made for its position, campaign and step\.$/,
      );
  });

  it('says nothing where both name the same, or one of them none', () => {
    expect(overruled(LINKEDIN, { channel: 'linkedin' }, SEND)).toBe('');
    expect(overruled(LINKEDIN, { channel: null }, SEND)).toBe('');
    expect(overruled(preferencesOf([claim('TA-1')]), { channel: 'email' }, SEND)).toBe('');
    expect(preferredChannel([])).toBeNull();
  });
});
