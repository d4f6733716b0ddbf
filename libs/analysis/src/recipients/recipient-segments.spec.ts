import { dimensionOf, LEVEL_COUNT, levelIndex, POSITIONS, type Position } from '@outcomes/contracts';
import { plannedRows, type PlannedRow } from '../../test/company-fixture';
import { IndustryDay, IndustryDayWriter } from './industry-day';
import { preferenceCounts, type PreferenceCounts } from './preference-counts';
import { recipientSegments, type RecipientSegments } from './recipient-segments';
import type { RecipientReadings } from './responder.repository';
import { describedSegments, segmentDocument } from './segment-texts';

const READINGS: RecipientReadings = {
  responders: (['c_suite', 'founder', 'partner', 'vp'] as const).map((position, index) => ({
    position,
    people: [40, 30, 20, 8][index] ?? 0,
    confident: 5,
    responses: 50,
    confidence: 0.9,
  })),
  byIndustry: [],
  industryCounts: [],
  positionCounts: [],
};
/** What a company knows that sent these in a campaign of each month. */
function readingsOf(rows: readonly PlannedRow[]): RecipientReadings {
  const strata = new Map<string, PreferenceCounts>();
  for (const { day, channel, step, position, levelTouches, levelReplies } of rows) {
    const campaign = Math.floor(day / 30);
    const key = [campaign, channel, step, position].join();
    const none = () => new Int32Array(LEVEL_COUNT);
    const stratum = { group: POSITIONS[position] ?? '', campaign, channel, step, position };
    const { n, y } = strata.get(key) ?? { n: none(), y: none() };
    strata.set(key, {
      ...stratum,
      n: n.map((count, level) => count + (levelTouches[level] ?? 0)),
      y: y.map((count, level) => count + (levelReplies[level] ?? 0)),
    });
  }
  return { ...READINGS, positionCounts: [...strata.values()] };
}
/** Positions are POSITIONS[1] to POSITIONS[4]: c_suite, founder, partner and vp. */
const ofPositions = (rows: readonly PlannedRow[], positions: readonly number[]) =>
  rows.filter(({ position }) => positions.includes(position));
const alike = plannedRows({ days: 120, sendsPerDay: 120, effects: { 'tone.direct': 0.5 } });
const other = plannedRows({ days: 120, sendsPerDay: 120, seed: 2, effects: { 'tone.empathetic': 1.2 } });

describe('segments of recipients', () => {
  it('are none where all positions prefer the same, however strong the preference', () => {
    const { compared, attribute, segments, differences } = recipientSegments(readingsOf(alike));
    expect([compared, attribute, segments, differences]).toEqual([true, null, [], []]);
    expect(segmentDocument({ compared, attribute, segments, differences }, [])).toEqual({
      attribute: null,
      segments: [],
    });
  });

  it('are none without data', () => {
    expect(recipientSegments({ ...READINGS, responders: [] })).toMatchObject({
      compared: false,
      segments: [],
    });
  });

  it('are the positions that answer to something else, with what they answer to', () => {
    const found = recipientSegments(
      readingsOf([...ofPositions(alike, [1, 2, 3]), ...ofPositions(other, [4])]),
    );
    expect(found.attribute).toBe('position');
    expect(found.differences.map(({ test }) => test.dimension)).toEqual(['tone']);
    const described = describedSegments(found, READINGS);
    const vp = described.find(({ name }) => name === 'Position: VP');
    expect(vp).toMatchObject({
      size: 8,
      confidence_level: 'medium',
      dominant_position: 'vp',
      optimal_patterns: { tone: { level: 'empathetic', code: 'TA-4' } },
    });
    expect(vp?.key_insights[0]).toMatch(
      /^Tone: more likely than other recipients to answer "Empathetic tone"/,
    );
    expect(described.map(({ id }) => id)).toEqual(described.map((_, index) => `segment-${index}`));
    expect(described.every(({ stability }) => stability >= 0.75)).toBe(true);
    const document = segmentDocument(found, described);
    expect(document.segments.find(({ name }) => name === 'Position: VP')).toMatchObject({
      values: ['vp'],
      statistical_tests: { tone: { degrees_of_freedom: expect.any(Number), p_value: expect.any(Number) } },
    });
  });

  it('do not depend on the order of the data', () => {
    const rows = [...ofPositions(alike, [1, 2, 3]), ...ofPositions(other, [4])];
    const [one, two] = [rows, [...rows].reverse()].map((order) => recipientSegments(readingsOf(order)));
    expect(JSON.stringify(two)).toBe(JSON.stringify(one));
  });

  describe.each(['industry', 'position'] as const)('by %s', (attribute) => {
    /** Each campaign is of one tone and written to one group; 1,000 messages each. */
    const sent = [
      ['autumn', 'direct', 'founder', 100],
      ['spring', 'empathetic', 'founder', 30],
      ['summer', 'direct', 'vp', 30],
      ['winter', 'empathetic', 'vp', 100],
    ] as const;
    const segmentsOf = (campaignIdsOf: (campaign: string) => readonly (string | null)[]) => {
      const writer = new IndustryDayWriter();
      const all = sent.flatMap(([campaign, ...message]) =>
        campaignIdsOf(campaign).map((campaignId) => [campaignId, ...message] as const),
      );
      for (const [campaignId, tone, group, replies] of all) {
        const alike = {
          campaignId,
          industry: attribute === 'industry' ? group : null,
          ...{ channel: 0, step: 0, position: attribute === 'position' ? POSITIONS.indexOf(group) : 0 },
        };
        const levels = (messages: number) => `{${levelIndex('tone', tone)}}`.repeat(messages);
        const count = (messages: number, answered: boolean) =>
          writer.add({ ...alike, answered, messages, levels: levels(messages) });
        count(replies, true);
        count(1_000 - replies, false);
      }
      const days = [{ day: new IndustryDay(writer.finish()), channels: [0] }];
      const byIndustry = [
        { position: 'unknown', industry: 'founder', people: 130 },
        { position: 'unknown', industry: 'vp', people: 130 },
      ] as const;
      return recipientSegments({ ...READINGS, byIndustry, ...preferenceCounts(days) });
    };

    it('are not campaigns that differ, each written to one group', () => {
      expect(segmentsOf((campaign) => [campaign])).toMatchObject({
        compared: false,
        segments: [],
        differences: [],
      });
    });

    it('are the same groups where each of twelve campaigns wrote all of it to both', () => {
      expect(
        segmentsOf(() => Array.from({ length: 12 }, (_, month) => `month ${month}`)).segments,
      ).toHaveLength(2);
    });

    it('are not known from one campaign alone', () => {
      expect(segmentsOf(() => ['all year'])).toMatchObject({ compared: false, segments: [] });
    });

    it('are not known from messages that name no campaign', () => {
      expect(segmentsOf(() => [null])).toMatchObject({ compared: false, segments: [], differences: [] });
    });
  });
});

describe('segments as they are served', () => {
  const test = (dimension: string, pValue: number) =>
    ({
      dimension,
      statistic: 60.123_456_7,
      degrees: 8,
      dispersion: { factor: 1.5, units: 3.3 },
      pValue,
      leans: [],
    }) as const;
  const found = (
    attribute: 'industry' | 'position',
    groups: string[],
    people: number,
  ): RecipientSegments => ({
    compared: true,
    attribute,
    segments: [
      {
        ...{ groups, people, stability: 0.812_345_67, confidence: 'high' },
        preferences: [
          { dimension: 'tone', level: 0, logOddsRatio: Math.log(1.6), z: 3.123_456_7 },
          { dimension: 'subject_number', level: 0, logOddsRatio: Math.log(1.25), z: 2 },
          { dimension: 'weekday', level: 1, logOddsRatio: 0, z: 0 },
        ],
      },
    ],
    differences: [
      { attribute: 'industry', test: test('tone', 1 / 3e4) },
      { attribute: 'position', test: test('weekday', 0.001) },
    ],
  });
  const members = (...groups: (readonly [Position, string, number])[]): RecipientReadings => ({
    ...{ responders: [], industryCounts: [], positionCounts: [] },
    byIndustry: groups.map(([position, industry, people]) => ({ position, industry, people })),
  });

  it('say what they answer to, and how that is known', () => {
    const segments = found('industry', ['retail'], 20);
    const described = describedSegments(segments, members());
    const odds = { odds_ratio: 1.6, z: 3.12346 };
    expect(described).toEqual([
      {
        ...{ id: 'segment-0', name: 'Industry: retail', size: 20, dominant_position: 'unknown' },
        ...{ confidence_level: 'high', stability: 0.812346 },
        key_insights: [
          'Tone: more likely than other recipients to answer "Direct tone" (odds ratio 1.6).',
          expect.stringMatching(
            /^Numbers in the subject line: .*\(odds ratio 1\.3\)\.$|\(odds ratio 1\.2\)\.$/,
          ),
          expect.stringContaining('(odds ratio 1.0)'),
        ],
        optimal_patterns: {
          tone: { level: 'direct', label: 'Direct tone', code: 'TA-1', ...odds },
          subject_number: expect.objectContaining({ odds_ratio: 1.25, z: 2 }),
        },
      },
    ]);
    expect(described[0]?.optimal_patterns).not.toHaveProperty('weekday');
    expect(segmentDocument(segments, described)).toEqual({
      attribute: 'industry',
      segments: [
        {
          ...{
            id: 'segment-0',
            name: 'Industry: retail',
            size: 20,
            confidence_level: 'high',
            values: ['retail'],
          },
          statistical_tests: {
            tone: {
              test: 'score test of equal preferences, campaigns as units',
              ...{ statistic: 5.01029, degrees_of_freedom: 8, residual_degrees_of_freedom: 26.4 },
              p_value: 0.0000333333,
            },
          },
        },
      ],
    });
  });

  it.each<[string, number, (readonly [Position, string, number])[]]>([
    // More than half of all members, in whatever industry of the segment they are.
    [
      'vp',
      20,
      [
        ['manager', 'retail', 9],
        ['vp', 'retail', 6],
        ['vp', 'banking', 5],
      ],
    ],
    [
      'unknown',
      20,
      [
        ['vp', 'retail', 10],
        ['manager', 'retail', 10],
      ],
    ],
    ['unknown', 20, [['vp', 'elsewhere', 20]]],
  ])('are mostly of position %s', (position, people, groups) => {
    const [segment] = describedSegments(found('industry', ['banking', 'retail'], people), members(...groups));
    expect(segment?.dominant_position).toBe(position);
  });

  it('may answer to what no pattern is named after', () => {
    const level = dimensionOf('subject_number').levels.indexOf('without');
    const [own] = found('industry', ['retail'], 1).segments;
    const preferences = [{ dimension: 'subject_number', level, logOddsRatio: 0.5, z: 2 }];
    const segments = [{ ...own, preferences }] as RecipientSegments['segments'];
    const [described] = describedSegments({ ...found('industry', [], 1), segments }, members());
    expect(described?.optimal_patterns).toMatchObject({
      subject_number: { level: 'without', label: 'Subjects without a number', code: null },
    });
  });

  it('are named by what callers sent, without markup and invisible characters', () => {
    const nameOf = (attribute: 'industry' | 'position', ...groups: string[]) =>
      describedSegments(found(attribute, groups, 1), members())[0]?.name;
    expect(nameOf('industry', 'r\u200b&d', '<b>\u2028x\u0007')).toBe('Industry: r&amp;d, &lt;b&gt;x');
    expect(nameOf('position', 'c_suite', 'individual_contributor')).toBe(
      'Position: C-suite, individual contributor',
    );
  });
});
