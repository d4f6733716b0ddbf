import {
  DIMENSIONS,
  LEVELS,
  levelIndex,
  PATTERN_CATALOGUE,
  type PatternRecord,
  type RateEstimate,
} from '@outcomes/contracts';
import { plannedRows, tableOf } from '../../test/company-fixture';
import { dimensionLabel, dimensionOfCode, levelLabel, observationCodeOf } from './level-label';
import type { PatternFinding, Tier } from './pattern-finding';
import { patternFindings } from './pattern-findings';
import { confirmationsOf, patternRecords, type PatternInputs } from './pattern-records';

const NO_RATE: RateEstimate = { value: null, ci_low: null, ci_high: null, n: 0 };
const rate = (value: number, n: number): RateEstimate => ({
  value,
  ci_low: value / 2,
  ci_high: value * 2,
  n,
});

function finding(code: string, tier: Tier, oddsRatio = 1.6): PatternFinding {
  const pattern = PATTERN_CATALOGUE.find((candidate) => candidate.code === code);
  if (pattern === undefined) throw new Error(code);
  return {
    pattern,
    tier,
    evidence: {
      e_value: 1_000,
      odds_ratio: oddsRatio,
      odds_ratio_low: 1.2,
      odds_ratio_high: 2,
      probability_positive: 0.99,
      lift: oddsRatio - 1,
      with_rate: rate(0.062, 1_204),
      without_rate: rate(0.039, 53_001),
      confounding_e_value: 2,
      sends_to_decide: tier === 2 ? 4_567 : 0,
      basis: 'observational',
    },
    liftLow: 0.2,
    liftHigh: 1,
  };
}

function recordsOf(inputs: Partial<PatternInputs>): PatternRecord[] {
  return patternRecords({
    companyId: 'c',
    findings: [],
    levelRates: LEVELS.map(() => NO_RATE),
    earlier: new Map(),
    dataAsOf: '2026-06-01T00:00:00.000Z',
    updated: '2026-06-01T02:00:00.000Z',
    ...inputs,
  });
}

describe('pattern records', () => {
  it('recommend with the evidence, up or down', () => {
    const [up, down] = recordsOf({ findings: [finding('TA-1', 3), finding('KP-2', 2, 0.6)] });
    expect(up).toMatchObject({
      companyId: 'c',
      code: 'TA-1',
      type: 'recommendation',
      positive: true,
      tier: 3,
      evidence_tier: 'confirmed',
      title: '<b>Direct tone</b>: more replies',
      metric: 'Reply rate 6.2% with, 3.9% without',
      first_confirmed_at: '2026-06-01T00:00:00.000Z',
      updated: '2026-06-01T02:00:00.000Z',
    });
    expect(up?.message).toContain(
      '<b>6.2%</b> of 1,204 messages were answered; without it, <b>3.9%</b> of 53,001.',
    );
    expect(up?.message).toContain('<b>60% more</b> replies (95% interval: 20% more to 100% more)');
    expect(up?.message).not.toContain('settle');
    expect(down?.message).toContain('About 4,600 more messages should settle it.');
    expect(down).toMatchObject({ positive: false, tier: 2, evidence_tier: 'likely' });
    expect(down).not.toHaveProperty('first_confirmed_at');
    expect(down?.message).toContain('<b>40% fewer</b>');
  });

  it('remember when a code was first confirmed and when it no longer was', () => {
    const firstRun = recordsOf({ findings: [finding('TA-1', 3), finding('TA-2', 3)] });
    const later = { dataAsOf: '2026-07-01T00:00:00.000Z', earlier: confirmationsOf(firstRun) };
    const secondRun = recordsOf({ ...later, findings: [finding('TA-1', 1), finding('TA-2', 0)] });
    expect(secondRun.map(({ code, tier, type }) => [code, tier, type])).toEqual([
      ['TA-1', 1, 'recommendation'],
      ['TA-2', 0, 'retraction'],
    ]);
    for (const record of secondRun) {
      expect(record).toMatchObject({
        first_confirmed_at: '2026-06-01T00:00:00.000Z',
        retracted_at: '2026-07-01T00:00:00.000Z',
      });
    }

    const thirdRun = recordsOf({
      dataAsOf: '2026-08-01T00:00:00.000Z',
      earlier: confirmationsOf(secondRun),
      findings: [finding('TA-1', 3), finding('TA-2', 0)],
    });
    expect(thirdRun[0]).toMatchObject({ tier: 3, first_confirmed_at: '2026-06-01T00:00:00.000Z' });
    expect(thirdRun[0]).not.toHaveProperty('retracted_at');
    expect(thirdRun[1]).toMatchObject({ code: 'TA-2', retracted_at: '2026-07-01T00:00:00.000Z' });
  });

  it('observe once per dimension that has data and no recommendation', () => {
    const levelRates = LEVELS.map(() => NO_RATE);
    levelRates[levelIndex('tone', 'direct')] = rate(0.05, 900);
    levelRates[levelIndex('weekday', 'monday')] = rate(0.04, 300);
    levelRates[levelIndex('weekday', 'friday')] = rate(0.06, 600);
    levelRates[levelIndex('subject_number', 'without')] = rate(0.05, 900);
    const records = recordsOf({ levelRates, findings: [finding('TA-1', 1)] });
    expect(records.map(({ code }) => code)).toEqual(['TA-1', 'DOW-OBS-1', 'SF-OBS-2']);
    const [, weekday, subject] = records;
    expect(weekday).toMatchObject({ tier: 0, title: '<b>Weekday</b>: no clear pattern yet' });
    expect(weekday).not.toHaveProperty('type');
    expect(weekday?.message).toContain(
      '<b>Sending on Friday</b> has the highest reply rate: <b>6.0%</b> of 600',
    );
    expect(subject?.message).toContain(
      'All 900 messages so far are of one kind (<b>Subjects without a number</b>)',
    );
  });

  it('have words of their own for every level and dimension, not names of fields', () => {
    const labels = DIMENSIONS.flatMap(({ name, levels }) => [
      dimensionLabel(name),
      ...levels.map((level) => levelLabel(name, level)),
    ]);
    for (const label of labels) expect(label).not.toMatch(/_|Without:|phrase [a-z]+ [a-z]+$|^\w+: \w+$/);
    const ofLevels = DIMENSIONS.flatMap(({ name, levels }) => levels.map((level) => levelLabel(name, level)));
    expect(new Set(ofLevels).size).toBe(ofLevels.length);
  });

  it('observe also where a code of the dimension was only retracted', () => {
    const levelRates = LEVELS.map(() => NO_RATE);
    levelRates[levelIndex('tone', 'direct')] = rate(0.05, 900);
    const records = recordsOf({
      levelRates,
      findings: [finding('TA-1', 0)],
      earlier: new Map([['TA-1', { first_confirmed_at: '2026-05-01T00:00:00.000Z' }]]),
    });
    expect(records.map(({ code }) => code)).toEqual(['TA-1', 'TA-OBS-1']);
  });

  it('give every dimension an observation code of its own, which leads back to it', () => {
    const codes = DIMENSIONS.map(({ name }) => observationCodeOf(name));
    expect(new Set(codes).size).toBe(DIMENSIONS.length);
    expect(codes).toContain('BWC-OBS-1');
    expect(codes.map(dimensionOfCode)).toEqual(DIMENSIONS.map(({ name }) => name));
  });

  it('hold plain markup only, whatever is found', () => {
    const rows = plannedRows({ days: 80, sendsPerDay: 100, effects: { 'tone.direct': 1 } });
    const records = recordsOf({
      findings: patternFindings(tableOf(rows), new Map()),
      levelRates: LEVELS.map((_, index) => rate(index / 200, 100 + index)),
    });
    expect(records.length).toBeGreaterThan(15);
    for (const { title = '', message = '' } of records) {
      for (const text of [title, message]) {
        expect(text.replace(/<\/?(b|em|strong|code)>/g, '')).not.toMatch(/[<>]|NaN|undefined|null|Infinity/);
        expect(text.match(/<b>/g)?.length ?? 0).toBe(text.match(/<\/b>/g)?.length ?? 0);
      }
    }
  });
});

describe('pattern findings', () => {
  it('say more of a tested day only to the estimates when replies come late', () => {
    const rows = plannedRows({ days: 80, sendsPerDay: 100, effects: { 'tone.direct': 0.8 } });
    const find = (changed: typeof rows) =>
      patternFindings(tableOf(changed), new Map([['TA-1', {}]])).find(
        ({ pattern }) => pattern.code === 'TA-1',
      );
    const late = rows.map((row) => {
      const direct = levelIndex('tone', 'direct');
      if ((row.levelReplies[direct] ?? 0) >= (row.levelTouches[direct] ?? 0)) return row;
      return {
        ...row,
        replies: row.replies + 1,
        levelReplies: row.levelReplies.with(direct, (row.levelReplies[direct] ?? 0) + 1),
        isTested: true,
        tested: { replies: row.replies, levelReplies: row.levelReplies },
      };
    });
    const [before, after] = [find(rows), find(late)];
    expect(after?.evidence.e_value).toBe(before?.evidence.e_value);
    expect(after?.evidence.odds_ratio).toBeGreaterThan(before?.evidence.odds_ratio ?? Infinity);
  });

  it('rest on mature days alone', () => {
    const rows = plannedRows({ days: 80, sendsPerDay: 100, effects: { 'tone.direct': 0.8 } });
    const { observedUntil } = tableOf(rows);
    const noReplyYet = rows.map((row) =>
      observedUntil - row.day >= 14
        ? row
        : { ...row, replies: 0, levelReplies: row.levelReplies.map(() => 0) },
    );
    expect(patternFindings(tableOf(noReplyYet), new Map())).toEqual(
      patternFindings(tableOf(rows), new Map()),
    );
  });
});
