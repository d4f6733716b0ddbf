import {
  DIMENSIONS,
  LEVELS,
  levelIndex,
  NO_CLAIM_REASONS,
  PATTERN_CATALOGUE,
  patternTextOf,
  type PatternEvidence,
  type PatternRecord,
  type RateEstimate,
} from '@outcomes/contracts';
import type { EvidenceAssessment } from '@outcomes/statistics';
import { plannedRows, tableOf } from '../../test/company-fixture';
import { assessmentOf, claimOf, COUNTED_SINCE, DOWN } from '../../test/evidence-fixture';
import type { ClaimHistory } from '../evidence/claim-history';
import { CohortTable } from '../cohorts/cohort-table';
import { dimensionLabel, dimensionOfCode, levelLabel, observationCodeOf } from './level-label';
import { patternFindings } from './pattern-findings';
import { patternRecords, type PatternInputs } from './pattern-records';

const NO_RATE: RateEstimate = { value: null, ci_low: null, ci_high: null, n: 0 };
const rate = (value: number, n: number): RateEstimate => ({
  value,
  ci_low: value / 2,
  ci_high: value * 2,
  n,
});
const table = new CohortTable(0);

function recordsOf(
  assessments: readonly EvidenceAssessment[],
  inputs: Partial<PatternInputs> = {},
): PatternRecord[] {
  return patternRecords({
    companyId: 'c',
    findings: patternFindings(assessments, table, { channels: [] }),
    levelRates: LEVELS.map(() => NO_RATE),
    histories: new Map(),
    updated: '2026-06-01T02:00:00.000Z',
    ...inputs,
  });
}

/** What is said of a code that nothing is claimed of. */
const silenceOf = (code: string, parts: Partial<EvidenceAssessment>) => {
  const [record] = recordsOf([assessmentOf(code, parts)]);
  return { ...record, text: (record?.message ?? '').replace(/<[^>]+>/g, '') };
};

describe('pattern records', () => {
  it('recommend with the evidence, up or down, the strongest first', () => {
    const [up, down, hint] = recordsOf([
      claimOf('SP-1', 'directional', { eValue: 5_000 }),
      claimOf('KP-2', 'likely', { ...DOWN, sendsToDecide: 4_567 }),
      claimOf('TA-1', 'confirmed'),
    ]);
    expect(up).toMatchObject({
      companyId: 'c',
      code: 'TA-1',
      type: 'recommendation',
      positive: true,
      tier: 3,
      evidence_tier: 'confirmed',
      title: 'Do more of this: <b>Direct tone</b> (more replies)',
      updated: '2026-06-01T02:00:00.000Z',
    });
    expect(up).not.toHaveProperty('reason');
    expect(up?.evidence).toMatchObject({
      ...{ e_value: 1_000, odds_ratio: 1.6, odds_ratio_low: 1.2, odds_ratio_high: 2 },
      odds_ratio_expected: 1.5,
      ...{ n_campaigns: 14, n_campaigns_with: 14, n_campaigns_without: 14 },
      ...{ n_texts_with: 62.3, n_texts_without: 91 },
      // Of the two rates as they are served: at 3.95 % of all messages, of which 2.2 % have it.
      ...{ lift: expect.closeTo(0.563, 3), lift_low: expect.closeTo(0.191, 3) },
      lift_high: expect.closeTo(0.925, 3),
      ...{ compared_share: 0.9, counted_since: '2026-01-15', sends_to_decide: 0, basis: 'observational' },
    });
    expect(up?.message).toContain(
      'Inside 14 campaigns, at least 62 texts of this kind were compared with at least 91 others: such messages got <b>56% more</b> replies (95% interval: 19% to 93% more, however often one looks).',
    );
    expect(up?.message).toContain('not drawn by lot');
    expect(up?.message).not.toContain('settle');
    expect(down).toMatchObject({ code: 'KP-2', positive: false, tier: 2, evidence_tier: 'likely' });
    expect(down?.message).toContain('About 4,600 more messages like these should settle it.');
    expect(down?.title).toBe('Avoid this: <b>Following-up phrases</b> (fewer replies)');
    expect(down?.message).toContain(
      'such messages got <b>39% fewer</b> replies (95% interval: 19% to 59% fewer, however often one looks)',
    );
    expect(hint).toMatchObject({ code: 'SP-1', tier: 1, evidence_tier: 'directional' });
    expect(hint?.message).toContain('<strong>A first hint</strong>; up to half of such hints may be wrong.');
  });

  it('stand in the order of their evidence among claims of one tier, else as they came, and only of known codes', () => {
    const findings = patternFindings(
      [
        assessmentOf('TA-5', { eValue: 2 }),
        claimOf('TA-2', 'likely', { eValue: 50 }),
        { ...claimOf('TA-1', 'confirmed'), code: 'XX-1' },
        assessmentOf('TA-4', { eValue: 9_000 }),
        claimOf('TA-3', 'likely', { eValue: 60 }),
        claimOf('TA-1', 'directional', { eValue: 70 }),
      ],
      table,
      { channels: [] },
    );
    expect(findings.map(({ pattern: { code } }) => code)).toEqual(['TA-3', 'TA-2', 'TA-1', 'TA-5', 'TA-4']);
  });

  it('say nothing of when and how many where nothing was compared', () => {
    const none = { n: 0, y: 0, nOther: 0, yOther: 0, countedSince: null };
    const [finding] = patternFindings([assessmentOf('TA-1', none)], table, { channels: [] });
    expect(finding?.evidence).toMatchObject({
      with_rate: NO_RATE,
      without_rate: NO_RATE,
      counted_since: null,
    });
  });

  it('say what a pattern goes with where it goes with one, and of what has no reason that it is undecided', () => {
    expect(silenceOf('TA-2', { reason: 'goes_with', goesWith: 'TA-1' })).toMatchObject({
      ...{ reason: 'goes_with', goes_with: 'TA-1' },
    });
    const undecided = silenceOf('TA-2', { reason: null });
    expect(undecided.reason).toBe('undecided');
    expect(undecided).not.toHaveProperty('goes_with');
  });

  it('count days where the day is what repeats', () => {
    const [record] = recordsOf([claimOf('DOW-1', 'confirmed', { campaigns: 1, textsWith: 1 })]);
    expect(record?.message).toContain(
      'Inside 1 campaign, at least 1 day of this kind was compared with at least 91 others',
    );
  });

  it('begin with what to do, so that no name of a pattern is read the wrong way round', () => {
    for (const { code } of PATTERN_CATALOGUE) {
      const [more] = recordsOf([claimOf(code, 'likely')]);
      const [fewer] = recordsOf([claimOf(code, 'likely', DOWN)]);
      expect(more).toMatchObject({ positive: true, title: expect.stringMatching(/^Do more of this: /) });
      expect(fewer).toMatchObject({ positive: false, title: expect.stringMatching(/^Avoid this: /) });
      expect(more?.message).toMatch(/such messages got <b>\d+% more<\/b> replies/);
      expect(fewer?.message).toMatch(/such messages got <b>\d+% fewer<\/b> replies/);
    }
  });

  it('say why nothing is claimed, and what to send to find out', () => {
    const trial = 'about 9,400 messages, half of them with it, would confirm 50% more replies.';
    const between = silenceOf('TA-1', {
      ...{ reason: 'varies_between_campaigns', campaigns: 0, trialSends: 9_383 },
      ...{ campaignsWith: 9, campaignsWithout: 7, campaignsWithBoth: 0 },
    });
    expect(between).toMatchObject({
      code: 'TA-1',
      type: 'undecided',
      tier: 0,
      reason: 'varies_between_campaigns',
    });
    expect(between).not.toHaveProperty('evidence_tier');
    expect(between.evidence?.trial_sends).toBe(9_383);
    expect(between.text).toBe(
      `Varies only between campaigns (9 with it, 7 without): cannot tell it from the audience yet. Send both inside one campaign, by lot from message to message: ${trial}`,
    );
    expect(
      silenceOf('SF-1', { reason: 'few_texts', textsWith: 1, textsWithout: 1, trialSends: 9_383 }).text,
    ).toBe(
      `Rests on the weight of 1 text with it, 1 without, whatever the number of messages: compares texts, see variants. Send both inside one campaign, by lot from message to message: ${trial}`,
    );
    expect(silenceOf('DOW-1', { reason: 'few_texts', textsWith: 1, textsWithout: 2 }).text).toContain(
      'Rests on 1 and 2 days',
    );
    expect(silenceOf('CH-1', { reason: 'few_texts', campaigns: 2 }).text).toContain('Rests on 2 campaigns');
    const companion = silenceOf('SF-1', { reason: 'goes_with', goesWith: 'TA-5' });
    expect(companion.text).toBe(
      'Goes with Questioning tone; too little is left of its evidence once that is held fixed.',
    );
    expect(companion.goes_with).toBe('TA-5');
    const ended = silenceOf('TA-1', {
      reason: 'changed',
      change: { since: COUNTED_SINCE, seen: COUNTED_SINCE + 2 },
    });
    expect(ended.text).toContain('since 2026-01-15 evidence counts anew');
    expect(silenceOf('SS-1', { reason: 'survivors' }).title).toContain('described only');
    expect(silenceOf('TA-1', {}).text).toBe(
      'Inside 14 campaigns, at least 62 texts of this kind were compared with at least 91 others: such messages got between 30% fewer and 75% more replies (95% interval, however often one looks). About 4,600 more messages like these should settle it.',
    );
    expect(silenceOf('TA-1', { reason: 'no_data', nOther: 0, yOther: 0 }).text).toContain(
      'All 1,204 settled messages of which this is known are of this kind',
    );
    expect(silenceOf('TA-1', { reason: 'no_data', n: 1, y: 0, nOther: 0, yOther: 0 }).text).toContain(
      'The only settled message of which this is known is of this kind',
    );
    expect(silenceOf('CH-1', { reason: 'no_data', nOther: 0, yOther: 0 }).text).toContain(
      'All 1,204 settled first messages are of this kind',
    );
  });

  it('are silent about codes that no message carries', () => {
    expect(recordsOf([assessmentOf('TA-1', { n: 0, y: 0, reason: 'no_data' })])).toEqual([]);
  });

  it('tell what was claimed and no longer is, with the dates of the record', () => {
    const confirmed = { firstConfirmedAt: new Date('2026-03-01'), isErased: false };
    const histories = new Map<string, ClaimHistory>([
      ['TA-1', { ...confirmed, retractedAt: new Date('2026-05-01') }],
      ['TA-2', { retractedAt: new Date('2026-05-02'), isErased: true }],
      ['TA-3', confirmed],
      ['TA-4', { retractedAt: new Date('2026-05-03'), isErased: false }],
    ]);
    const records = recordsOf(
      [
        assessmentOf('TA-1', { reason: 'changed', change: { since: COUNTED_SINCE, seen: COUNTED_SINCE } }),
        assessmentOf('TA-2', { n: 0, y: 0, reason: 'no_data' }),
        claimOf('TA-3', 'likely'),
        claimOf('TA-4', 'directional'),
      ],
      { histories },
    );
    expect(records.map(({ code, type, tier, reason }) => [code, type, tier, reason])).toEqual([
      ['TA-3', 'recommendation', 2, undefined],
      ['TA-4', 'recommendation', 1, undefined],
      ['TA-1', 'retraction', 0, 'changed'],
      ['TA-2', 'retraction', 0, 'erased'],
    ]);
    const [likely, hint, ended, erased] = records;
    expect(likely).toMatchObject({ first_confirmed_at: '2026-03-01T00:00:00.000Z' });
    expect(likely).not.toHaveProperty('retracted_at');
    expect(hint).toMatchObject({ retracted_at: '2026-05-03T00:00:00.000Z' });
    expect(ended).toMatchObject({
      title: '<b>Direct tone</b>: no longer confirmed',
      first_confirmed_at: '2026-03-01T00:00:00.000Z',
      retracted_at: '2026-05-01T00:00:00.000Z',
    });
    expect(erased?.title).toBe('<b>Conversational tone</b>: no longer likely');
    expect(erased).not.toHaveProperty('first_confirmed_at');
  });

  it('observe once per dimension that has data and no recommendation', () => {
    const levelRates = LEVELS.map(() => NO_RATE);
    levelRates[levelIndex('tone', 'direct')] = rate(0.05, 900);
    levelRates[levelIndex('weekday', 'monday')] = rate(0.04, 300);
    levelRates[levelIndex('weekday', 'friday')] = rate(0.06, 600);
    levelRates[levelIndex('subject_number', 'without')] = rate(0.05, 900);
    const records = recordsOf([claimOf('TA-1', 'directional')], { levelRates });
    expect(records.map(({ code }) => code)).toEqual(['TA-1', 'DOW-OBS-1', 'SF-OBS-2']);
    const [, weekday, subject] = records;
    expect(weekday).toMatchObject({
      ...{ tier: 0, title: '<b>Weekday</b>: no clear pattern yet', reason: 'undecided' },
      levels: [
        { level: 'monday', rate: { value: 0.04, n: 300 } },
        { level: 'friday', rate: { value: 0.06, n: 600 } },
      ],
    });
    expect(subject).toMatchObject({ reason: 'no_data', levels: [{ level: 'without', rate: { n: 900 } }] });
    expect(weekday).not.toHaveProperty('type');
    expect(weekday?.message).toContain(
      '<b>Sending on Friday</b> has the highest estimated reply rate: <b>6.0%</b>, from 600',
    );
    expect(subject?.message).toContain(
      'All 900 messages so far of which this is known are of one kind (<b>Subjects without a number</b>)',
    );
  });

  it('say of later steps that they go to other people, and of one message that it is one', () => {
    const levelRates = LEVELS.map(() => NO_RATE);
    levelRates[levelIndex('sequence_step', 'first_touch')] = rate(0.05, 900);
    levelRates[levelIndex('sequence_step', 'late_follow_up')] = rate(0.06, 1);
    levelRates[levelIndex('tone', 'direct')] = rate(0.05, 1);
    const [tone, step] = recordsOf([], { levelRates });
    expect(tone?.message).toContain('The only message so far of which this is known is of one kind');
    expect(step).toMatchObject({ code: observationCodeOf('sequence_step'), reason: 'survivors' });
    expect(step?.message).toContain('from 1 message (95% interval');
  });

  it('have words of their own for every level and dimension, not names of fields', () => {
    const labels = DIMENSIONS.flatMap(({ name, levels }) => [
      dimensionLabel(name),
      ...levels.map((level) => levelLabel(name, level)),
    ]);
    for (const label of labels) expect(label).toMatch(/^[A-Z]\w+/);
    for (const label of labels) expect(label).not.toMatch(/_|Without:|phrase [a-z]+ [a-z]+$|^\w+: \w+$/);
    const ofLevels = DIMENSIONS.flatMap(({ name, levels }) => levels.map((level) => levelLabel(name, level)));
    expect(new Set(ofLevels).size).toBe(ofLevels.length);
    // Fields whose names nobody would say.
    for (const { name } of DIMENSIONS)
      if (name.includes('_') && !['sequence_step'].includes(name))
        expect([name, dimensionLabel(name).toLowerCase()]).not.toEqual([name, name.replaceAll('_', ' ')]);
    expect(dimensionLabel('daypart')).toBe('Time of day');
    expect(dimensionLabel('weekday')).toBe('Weekday');
  });

  it('give every dimension an observation code of its own, which leads back to it', () => {
    const codes = DIMENSIONS.map(({ name }) => observationCodeOf(name));
    expect(new Set(codes).size).toBe(DIMENSIONS.length);
    expect(codes).toContain('BWC-OBS-1');
    expect(codes.map(dimensionOfCode)).toEqual(DIMENSIONS.map(({ name }) => name));
    for (const { code, dimension } of PATTERN_CATALOGUE) expect(dimensionOfCode(code)).toBe(dimension);
    expect(dimensionOfCode('TA-99')).toBeUndefined();
  });

  it('hold plain markup only, whatever is found', () => {
    const reasons = NO_CLAIM_REASONS.map((reason) => ({
      ...{ reason, goesWith: 'TA-1', change: { since: COUNTED_SINCE, seen: COUNTED_SINCE } },
      ...{ trialSends: 9_383, ...(reason === 'no_data' && { nOther: 0, yOther: 0 }) },
    }));
    const said: Partial<EvidenceAssessment>[] = [
      ...reasons,
      ...reasons.map((one) => ({ ...one, trialSends: null })),
    ];
    const records = PATTERN_CATALOGUE.flatMap(({ code }) => [
      ...recordsOf([claimOf(code, 'confirmed')], {
        levelRates: LEVELS.map((_, index) => rate(index / 200, 100)),
      }),
      ...recordsOf([claimOf(code, 'directional', DOWN)]),
      ...said.flatMap((parts) => recordsOf([assessmentOf(code, parts)])),
      ...recordsOf([assessmentOf(code, {})], {
        histories: new Map([[code, { retractedAt: new Date(0), isErased: true }]]),
      }),
    ]);
    expect(records.length).toBeGreaterThan(51 * 16);
    for (const { title = '', message = '' } of records) {
      for (const text of [title, message]) {
        expect(text.replace(/<\/?(b|em|strong|code)>/g, '')).not.toMatch(/[<>]|NaN|undefined|null|Infinity/);
        expect(text.match(/<b>/g)?.length ?? 0).toBe(text.match(/<\/b>/g)?.length ?? 0);
      }
    }
  });

  it('rest on a lot only where every message of their dimension was assigned at random', () => {
    const rows = plannedRows({ days: 20, sendsPerDay: 60 });
    const basisOf = (share: number, code = 'TA-1') => {
      const drawn = rows.map((row) => ({
        ...row,
        levelRandomized: row.levelTouches.map((touches) => Math.floor(share * touches)),
      }));
      return patternFindings([claimOf(code, 'likely')], tableOf(drawn), { channels: [] })[0]?.evidence.basis;
    };
    expect([basisOf(0), basisOf(0.5), basisOf(1)]).toEqual(['observational', 'observational', 'randomized']);
    // Those that have not matured count too, and no few of another level may be all that is compared.
    const direct = levelIndex('tone', 'direct');
    const only = (drawn: number) =>
      tableOf(
        [0, 40].map((later) => ({
          ...(rows[0] as (typeof rows)[number]),
          day: (rows[0]?.day ?? 0) + later,
          ...{ lastOutcomeAt: null, touches: 10 },
          levelTouches: LEVELS.map((_, level) => (level === direct ? 10 : 0)),
          levelRandomized: LEVELS.map((_, level) => (level === direct && later > 0 ? drawn : 0)),
        })),
      );
    const basisIn = (counts: CohortTable) =>
      patternFindings([claimOf('TA-1', 'likely')], counts, { channels: [] })[0]?.evidence.basis;
    expect([only(19), only(20)].map(basisIn)).toEqual(['observational', 'randomized']);
    // 1,000 messages by lot in one campaign, and 50 in another whose author chose: these alone may have both levels.
    const [professional, first] = [levelIndex('tone', 'professional'), rows[0] as (typeof rows)[number]];
    const chosen = (randomized: number) =>
      tableOf([
        {
          ...first,
          touches: 1_050,
          levelTouches: LEVELS.map((_, level) =>
            level === direct ? 1_030 : level === professional ? 20 : 0,
          ),
          levelRandomized: LEVELS.map((_, level) =>
            level === direct ? 1_000 : level === professional ? randomized : 0,
          ),
        },
      ]);
    expect([chosen(0), chosen(20)].map(basisIn)).toEqual(['observational', 'observational']);
    // Nobody draws lots for weekdays by naming a variant.
    expect(basisOf(1, 'DOW-1')).toBe('observational');
  });

  describe('in words', () => {
    /** The record of one finding whose served evidence is, in parts, another. */
    const told = (
      assessment: EvidenceAssessment,
      evidence: Partial<PatternEvidence> = {},
      history?: ClaimHistory,
    ) => {
      const findings = patternFindings([assessment], table, { channels: [] }).map((finding) => ({
        ...finding,
        evidence: { ...finding.evidence, ...evidence },
      }));
      const histories = new Map(history ? [[assessment.code, history]] : []);
      return recordsOf([], { findings, histories })[0];
    };
    const grounds =
      'Inside 14 campaigns, at least 62 texts of this kind were compared with at least 91 others: such messages got';
    const lifts = { lift: 0.5, lift_low: 0.2, lift_high: 0.75 };
    const seen = `${grounds} <b>50% more</b> replies (95% interval: 20% to 75% more, however often one looks).`;
    const { more, less } = patternTextOf('TA-1');

    it.each([
      ['confirmed', 'randomized', 0, `${more} ${seen} Who got which was drawn by lot.`],
      [
        'likely',
        'observational',
        4_567,
        `${more} ${seen} <strong>Likely</strong>, not confirmed yet. Who got which was not drawn by lot, so something else may be behind it. About 4,600 more messages like these should settle it.`,
      ],
      [
        'directional',
        'randomized',
        null,
        `${more} ${seen} <strong>A first hint</strong>; up to half of such hints may be wrong. Who got which was drawn by lot.`,
      ],
    ] as const)(
      'a %s, %s finding says how sure it is and on what it rests',
      (tier, basis, sends, message) => {
        const record = told(claimOf('TA-1', tier), { ...lifts, basis, sends_to_decide: sends });
        expect(record?.message).toBe(message);
      },
    );

    it.each([
      [0.2, 0.75, '20% to 75% more'],
      [0, 0.75, '0.0% to 75% more'],
      [-0.75, -0.2, '20% to 75% fewer'],
      [-0.75, 0, '0.0% to 75% fewer'],
      [-0.1, 0.2, '10% fewer to 20% more'],
    ])('an interval from %d to %d is "%s"', (lift_low, lift_high, text) => {
      const record = told(claimOf('TA-1', 'confirmed', DOWN), { lift: -0.5, lift_low, lift_high });
      expect(record?.message).toContain(
        `<b>50% fewer</b> replies (95% interval: ${text}, however often one looks)`,
      );
      expect(record?.message?.startsWith(less)).toBe(true);
    });

    it.each([
      [
        'TA-1',
        1,
        1,
        1,
        'Inside 1 campaign, at least 1 text of this kind was compared with at least 1 other:',
      ],
      [
        'TA-1',
        2,
        1_500,
        0.2,
        'Inside 2 campaigns, at least 1,500 texts of this kind were compared with at least 1 other:',
      ],
      [
        'DP-1',
        2,
        3,
        2,
        'Inside 2 campaigns, at least 3 days of this kind were compared with at least 2 others (the same weekday twice in a fortnight counts once):',
      ],
    ])('%s is of %d campaigns, %d and %d texts or days', (code, campaigns, textsWith, textsWithout, text) => {
      const known = PATTERN_CATALOGUE.find((pattern) => pattern.dimension === 'daypart')?.code ?? '';
      const parts = { campaigns, textsWith, textsWithout };
      expect(told(claimOf(code === 'DP-1' ? known : code, 'likely', parts))?.message).toContain(text);
    });

    it('sums up the two rates, and since when they stand so', () => {
      const rates = { with_rate: rate(0.0623, 900), without_rate: rate(0.04, 1_100) };
      const metric = (evidence: Partial<PatternEvidence>) =>
        told(claimOf('TA-1', 'likely'), evidence)?.metric;
      expect(metric(rates)).toBe('Reply rate 6.2% with, 4.0% without');
      expect(metric({ ...rates, without_rate: NO_RATE, level_since: '2026-05-01' })).toBe(
        'Reply rate 6.2% with, n/a without, at the level of replies since 2026-05-01',
      );
    });

    it.each<[string, Partial<EvidenceAssessment>, string]>([
      [
        'SF-1',
        { reason: 'few_texts', textsWith: 2, textsWithout: 3, trialSends: null },
        'Rests on the weight of 2 texts with it, 3 without, whatever the number of messages: compares texts, see variants. Send both inside one campaign, by lot from message to message.',
      ],
      [
        'TA-1',
        { reason: 'varies_between_campaigns', campaignsWithBoth: 3, trialSends: null },
        'Never sent beside its alternatives to like recipients (same campaign, fortnight, step, position and channel), though 3 campaigns have both: cannot tell it from the audience yet. Send both inside one campaign, by lot from message to message.',
      ],
      [
        'DOW-1',
        { reason: 'no_data', nOther: 0, yOther: 0, trialSends: 9_383 },
        'All 1,204 settled messages of which this is known are of this kind, so there is nothing to compare with. Send at this and at other times inside one campaign: about 9,400 messages, half of them with it, would confirm 50% more replies.',
      ],
      [
        'CH-1',
        { reason: 'few_texts', campaigns: 6, textsWith: 0, textsWithout: 0 },
        'Rests on 6 campaigns whose first messages use both channels; it takes eight that share no texts.',
      ],
      [
        'CH-1',
        { reason: 'few_texts', campaigns: 0, textsWith: 0, textsWithout: 0 },
        'Where both were sent to like recipients nobody has answered yet, or everybody, so nothing can be compared.',
      ],
      [
        'CH-1',
        { reason: 'no_data', nOther: 0, yOther: 0, trialSends: null },
        'All 1,204 settled first messages are of this kind, so there is nothing to compare with. Send first messages on both channels inside campaigns, by lot from message to message: it takes eight campaigns that share no texts.',
      ],
      [
        'TA-1',
        { reason: 'undecided', sendsToDecide: null },
        `${grounds} between 30% fewer and 75% more replies (95% interval, however often one looks). Too little is known yet to say which gets more. Send both inside one campaign, by lot from message to message.`,
      ],
      [
        'TA-1',
        { reason: 'changed', change: { since: COUNTED_SINCE, seen: COUNTED_SINCE } },
        'What was seen before has ended: since 2026-01-15 evidence counts anew. About 4,600 more messages like these should settle it.',
      ],
      [
        'SS-1',
        { reason: 'survivors' },
        'Whoever answers gets no further message, so later steps go to other people than first ones: they are described and not compared.',
      ],
    ])('%s, of which nothing is claimed, says why: %j', (code, parts, text) => {
      const { title, text: message } = silenceOf(code, parts);
      expect(message).toBe(text);
      expect(title).toMatch(parts.reason === 'survivors' ? /: described only$/ : /: cannot tell yet$/);
    });

    it.each([
      [true, 'It rested on messages that were erased; without them nothing is claimed.'],
      [false, 'No settled message is of this kind.'],
    ])('what was retracted says so (erased: %s), and what replies are', (isErased, why) => {
      const none = assessmentOf('TA-1', { n: 0, y: 0, reason: 'no_data' });
      const rates = { with_rate: rate(0.0623, 900), without_rate: NO_RATE };
      const record = told(none, rates, { retractedAt: new Date(0), isErased });
      expect(record).toMatchObject({ type: 'retraction', reason: isErased ? 'erased' : 'no_data' });
      expect(record?.message?.startsWith(`This was claimed once. ${why} `)).toBe(true);
      expect(record?.message).toContain('<b>6.2%</b>, from 900 messages');
      expect(record?.message).toContain('<b>n/a</b>, from 0');
    });

    it.each([
      ['weekday', 'friday', 'monday', 'The difference to the others may well be chance, or the audience.'],
      [
        'sequence_step',
        'late_follow_up',
        'first_touch',
        'Whoever answers gets no further message, so later steps go to other people and are not compared.',
      ],
    ] as const)(
      'an observation on %s names the best level and its interval',
      (dimension, best, other, rest) => {
        const levelRates = LEVELS.map(() => NO_RATE);
        levelRates[levelIndex(dimension, other)] = { ...NO_RATE, n: 5 };
        levelRates[levelIndex(dimension, best)] = rate(0.06, 1_600);
        expect(recordsOf([], { levelRates })[0]?.message).toBe(
          `So far <b>${levelLabel(dimension, best)}</b> has the highest estimated reply rate: <b>6.0%</b>, from 1,600 messages (95% interval: 3.0% to 12%). ${rest}`,
        );
      },
    );
  });
});
