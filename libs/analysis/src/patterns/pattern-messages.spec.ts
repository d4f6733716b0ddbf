import type { PatternEvidence, RateEstimate } from '@outcomes/contracts';
import { claimOf } from '../../test/evidence-fixture';
import { CohortTable } from '../cohorts/cohort-table';
import type { PatternFinding } from './pattern-finding';
import { patternFindings } from './pattern-findings';
import {
  findingMessage,
  findingTitle,
  groundsText,
  intervalText,
  observationMessage,
  outlook,
  rangeText,
  rateSentence,
  rateSummary,
} from './pattern-messages';
import { retractionTitle, undecidedMessage } from './undecided-messages';

const NO_RATE: RateEstimate = { value: null, ci_low: null, ci_high: null, n: 0 };
const rate = (value: number, n: number): RateEstimate => ({
  value,
  ci_low: value / 2,
  ci_high: value * 2,
  n,
});
/** What was found of a code, with other evidence or another assessment. */
const found = (
  code: string,
  evidence: Partial<PatternEvidence> = {},
  assessment: Partial<PatternFinding['assessment']> = {},
): PatternFinding => {
  const [own] = patternFindings([claimOf(code, 'confirmed')], new CohortTable(0), { channels: [] }) as [
    PatternFinding,
  ];
  return {
    ...own,
    assessment: { ...own.assessment, ...assessment },
    evidence: { ...own.evidence, ...evidence },
  };
};
const lifts = (lift_low: number, lift_high: number) => found('TA-1', { lift_low, lift_high }).evidence;

describe('what is said of a finding', () => {
  it('recommends what has more replies than its alternatives, and nothing that has as many', () => {
    const titles = [1.01, 1, 0.99].map((odds_ratio) =>
      findingTitle(found('TA-1', { odds_ratio })).slice(0, 10),
    );
    expect(titles).toEqual(['Do more of', 'Avoid this', 'Avoid this']);
    const [more, less] = [1.01, 1].map((odds_ratio) =>
      findingMessage(found('TA-1', { odds_ratio }), 'likely'),
    );
    expect(more).not.toBe(less);
    expect(more).toContain('<strong>Likely</strong>, not confirmed yet.');
    const drawn = findingMessage(found('TA-1', { basis: 'randomized' }), 'confirmed');
    expect(drawn).toMatch(/Who got which was drawn by lot\.$/);
    expect(drawn).not.toContain('<strong>');
  });

  it.each([
    ['TA-1', 1, 1, 1, 'Inside 1 campaign, at least 1 text of this kind was compared with at least 1 other'],
    [
      'TA-1',
      2,
      2,
      2,
      'Inside 2 campaigns, at least 2 texts of this kind were compared with at least 2 others',
    ],
    // Texts are weighed, and one is the least that anything can be compared with.
    [
      'TA-1',
      3,
      0.2,
      1.4,
      'Inside 3 campaigns, at least 1 text of this kind was compared with at least 1 other',
    ],
    [
      'TA-1',
      3,
      1.6,
      0.4,
      'Inside 3 campaigns, at least 2 texts of this kind were compared with at least 1 other',
    ],
    [
      'DOW-1',
      1_200,
      1,
      3,
      'Inside 1,200 campaigns, at least 1 day of this kind was compared with at least 3 others (the same weekday twice in a fortnight counts once)',
    ],
    [
      'HOD-1',
      2,
      5,
      1,
      'Inside 2 campaigns, at least 5 days of this kind were compared with at least 1 other (the same weekday twice in a fortnight counts once)',
    ],
  ])(
    '%s in %d campaigns, %d with it and %d without, says so',
    (code, n_campaigns, n_texts_with, n_texts_without, text) => {
      expect(groundsText(found(code, { n_campaigns, n_texts_with, n_texts_without }))).toBe(text);
    },
  );

  it.each([
    [0.2, 0.75, '20% to 75% more'],
    [-0.75, -0.2, '20% to 75% fewer'],
    [-0.2, 0.75, '20% fewer to 75% more'],
    [0, 0.2, '0.0% to 20% more'],
    [-0.2, 0, '0.0% to 20% fewer'],
  ])('an interval from %d to %d is told from its nearer end', (low, high, text) => {
    expect(intervalText(lifts(low, high))).toBe(`${text}, however often one looks`);
  });

  it('a range is told from its lower end', () => {
    expect(rangeText(lifts(-0.3, 0))).toBe(
      'between 30% fewer and 0.0% more replies (95% interval, however often one looks)',
    );
  });

  it('says how many messages more it takes, where that is known and any are needed', () => {
    const told = (sends_to_decide: number | null) => outlook(found('TA-1', { sends_to_decide }).evidence);
    expect([told(null), told(0)]).toEqual([[], []]);
    expect(told(1)).toEqual(['About 1 more message like these should settle it.']);
  });

  it('has the rates of both sides, and since when replies are at that level', () => {
    const finding = found('TA-1', { with_rate: rate(0.062, 1_900), without_rate: NO_RATE });
    const { level_since: _since, ...always } = finding.evidence;
    expect(rateSummary({ ...finding, evidence: always })).toBe('Reply rate 6.2% with, n/a without');
    expect(rateSummary({ ...finding, evidence: { ...always, level_since: '2026-01-15' } })).toBe(
      'Reply rate 6.2% with, n/a without, at the level of replies since 2026-01-15',
    );
    expect(rateSentence(finding)).toBe(
      'The estimated reply rate with it is <b>6.2%</b>, from 1,900 messages; without it <b>n/a</b>, from 0.',
    );
  });

  it('says of channels that their rates are those of first messages', () => {
    const finding = found('CH-1', { with_rate: rate(0.062, 1_900), without_rate: NO_RATE });
    expect(rateSummary(finding)).toMatch(/^Reply rate of first messages 6.2% with/);
    expect(rateSentence(finding)).toContain('from 1,900 first messages;');
  });
});

describe('what is said of a dimension of which nothing is known', () => {
  it('names the level with the highest rate, wherever it stands, and what the others are', () => {
    const levels = [
      { level: 'direct', rate: NO_RATE },
      { level: 'empathetic', rate: rate(0.04, 50) },
      { level: 'professional', rate: rate(0.03, 900) },
    ];
    for (const order of [levels, levels.toReversed()])
      expect(observationMessage('tone', order)).toBe(
        'So far <b>Empathetic tone</b> has the highest estimated reply rate: <b>4.0%</b>, from 50 messages (95% interval: 2.0% to 8.0%). The difference to the others may well be chance, or the audience.',
      );
    const [first] = levels as [(typeof levels)[number]];
    expect(observationMessage('tone', [{ ...first, rate: { ...NO_RATE, n: 1 } }, first])).toBe(
      'Messages of several kinds have been sent, all of them too young to tell a reply rate.',
    );
    for (const part of ['ci_low', 'ci_high'] as const)
      expect(
        observationMessage('tone', [{ level: 'direct', rate: { ...rate(0.1, 9), [part]: null } }, first]),
      ).toContain('(95% interval: n/a)');
  });

  it('asks for others where all messages are of one kind', () => {
    const only = (n: number) => observationMessage('tone', [{ level: 'direct', rate: rate(0.1, n) }]);
    const rest =
      'of one kind (<b>Direct tone</b>), so there is nothing to compare with. Vary it to learn more.';
    expect(only(1)).toBe(`The only message so far of which this is known is ${rest}`);
    expect(only(1_200)).toBe(`All 1,200 messages so far of which this is known are ${rest}`);
  });
});

describe('why nothing is claimed', () => {
  it('names what a pattern goes with, and a code that is not in the catalogue as it is', () => {
    const companion = (goesWith: string | null) =>
      undecidedMessage(found('TA-2', {}, { goesWith }), 'goes_with');
    expect(companion('TA-1')).toContain('Goes with <b>Direct tone</b>;');
    expect(companion('XX-9')).toContain('Goes with <b>XX-9</b>;');
  });

  it('says since when evidence counts anew, where that is known', () => {
    const ended = (sends_to_decide: number | null) =>
      undecidedMessage(found('TA-1', { sends_to_decide }, { change: null }), 'changed');
    expect(ended(null)).toBe('What was seen before has ended: since then evidence counts anew.');
    expect(ended(100)).toBe(
      'What was seen before has ended: since then evidence counts anew. About 100 more messages like these should settle it.',
    );
  });

  it.each([
    ['TA-1', 1.2, 0.1, 'Rests on the weight of 1 text with it, 1 without, whatever the number of messages'],
    ['TA-1', 2.2, 3, 'Rests on the weight of 2 texts with it, 3 without, whatever the number of messages'],
    [
      'DOW-1',
      0.2,
      3,
      'Rests on 1 and 3 days (the same weekday twice in a fortnight counts once), whatever the number of messages',
    ],
    ['TA-1', 0, 0.2, 'Rests on the weight of 1 text with it, 1 without'],
    // Texts are not counted by channel.
    ['CH-1', 0, 0, 'Rests on 14 campaigns whose first messages use both channels'],
  ])('%s on %d and %d texts rests on few', (code, textsWith, textsWithout, text) => {
    expect(undecidedMessage(found(code, {}, { textsWith, textsWithout }), 'few_texts')).toContain(text);
  });

  it.each(['TA-1', 'DOW-1', 'CH-1'])('counts nothing of %s where no reply tells any from another', (code) => {
    const silent = { campaigns: 0, textsWith: 0, textsWithout: 0, y: 0, yOther: 0 };
    const message = (parts: Partial<PatternFinding['assessment']>) =>
      undecidedMessage(found(code, {}, { ...silent, ...parts }), 'few_texts');
    expect(message({})).toBe('No reply yet, so nothing can be compared.');
    for (const elsewhere of [{ y: 3 }, { yOther: 3 }])
      expect(message(elsewhere)).toBe(
        'Where both were sent to like recipients nobody has answered yet, or everybody, so nothing can be compared.',
      );
  });

  it('speaks of one campaign in the singular', () => {
    const one = { campaigns: 1, campaignsWithBoth: 1 };
    expect(undecidedMessage(found('CH-1', {}, one), 'few_texts')).toContain('Rests on 1 campaign whose');
    expect(undecidedMessage(found('TA-1', {}, one), 'varies_between_campaigns')).toContain(
      'though 1 campaign has both',
    );
  });

  it.each([
    [-0.1, 0.1, true],
    [-0.02, 0.03, true],
    [-0.101, 0.05, false],
    [-0.05, 0.101, false],
    [-0.9, 4, false],
  ])('calls a difference of %d to %d too small for more messages: %s', (lift_low, lift_high, isSmall) => {
    const evidence = { sends_to_decide: null, lift_low, lift_high };
    const message = undecidedMessage(found('TA-1', evidence, { trialSends: null }), 'undecided');
    expect(message.includes('too small for more messages like these to settle it')).toBe(isSmall);
    expect(message.includes('Too little is known yet to say which gets more. Send both inside')).toBe(
      !isSmall,
    );
  });

  it('says how strong what was claimed once had been', () => {
    expect([true, false].map((wasConfirmed) => retractionTitle(found('TA-1'), wasConfirmed))).toEqual([
      '<b>Direct tone</b>: no longer confirmed',
      '<b>Direct tone</b>: no longer likely',
    ]);
  });
});
