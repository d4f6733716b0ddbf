import { POSITIONS, type Position } from '@outcomes/contracts';
import { paintedPixels } from '../../test/draw-chart';
import { pooledRates, type GroupCounts } from '../rates/rate-estimates';
import { recipientAnalysis, recipientProfiling } from './recipient-analysis';
import type { RecipientSegments } from './recipient-segments';
import type { Responders } from './responder.repository';
import type { DescribedSegment } from './segment-texts';

const updated = '2026-06-01T02:00:00.000Z';
const responders = (position: Position, people: number, confident = people): Responders => ({
  position,
  people,
  confident,
  responses: people + 1,
  confidence: 0.876,
});
const countsOf = (known: Partial<Record<Position, [messages: number, replies: number]>>): GroupCounts[] =>
  POSITIONS.map((position) => {
    const [messages, replies] = known[position] ?? [0, 0];
    return { messages, settled: messages, replies, answered: replies };
  });
const NO_SEGMENTS: RecipientSegments = { compared: true, attribute: null, segments: [], differences: [] };
const segment = (index: number, size: number): DescribedSegment => ({
  id: `segment-${index}`,
  name: `Industry: number ${index}`,
  size,
  dominant_position: 'unknown',
  key_insights: ['Tone: answers "Direct tone" more than other recipients do (odds ratio 1.6).'],
  optimal_patterns: { tone: { code: 'TA-1' } },
  confidence_level: size >= 10 ? 'high' : 'medium',
  stability: 1,
});
const analysisOf = (
  people: Responders[],
  counts: GroupCounts[],
  segments = NO_SEGMENTS,
  described: DescribedSegment[] = [],
  since?: { counts: GroupCounts[]; changed: string },
) => {
  const { counts: recent, changed } = since ?? { counts, changed: null };
  const today = { counts: recent, rates: pooledRates(recent), changed };
  return recipientAnalysis({ responders: people, counts, today, segments, described, updated });
};

describe('the recipient analysis', () => {
  it('says of people who answered messages that have expired since that there is none of them left', () => {
    const { insights } = analysisOf([responders('vp', 30)], countsOf({}));
    expect(insights).toMatchObject([
      {
        ...{ type: 'general', title: '30 recipients have answered', confidence: 'medium', sample_size: 0 },
        description: 'None of 0 messages to all recipients are answered.',
      },
    ]);
  });

  it('is a well-formed empty structure where nobody has answered, and says so', () => {
    const nobody = 'Nobody has answered yet: profiles are of people who answered.';
    const counts = countsOf({ vp: [500, 0] });
    expect(analysisOf([], counts)).toEqual({
      overview: {
        total_profiled: 0,
        high_confidence_count: 0,
        segments_count: 0,
        last_updated: null,
        has_sufficient_data: false,
      },
      segments: [],
      insights: [],
      position_breakdown: [],
      validation: { has_significant_patterns: false, significant_dimensions: [], overall_confidence: 'low' },
      charts: { position_distribution: {}, confidence_levels: {}, segment_sizes: {} },
      reasons: { overview: nobody, segments: nobody, insights: nobody, position_breakdown: nobody },
    });
    expect(analysisOf([], countsOf({})).reasons?.overview).toContain('POST /ingest/events');
    expect(
      recipientProfiling({
        responders: [],
        counts,
        today: { counts, rates: pooledRates(counts), changed: null },
        described: [],
        insights: [],
      }),
    ).toBeUndefined();
  });

  it('says of a part why it is empty, and nothing of the others', () => {
    const counts = countsOf({ vp: [500, 9], unknown: [100, 9] });
    const few = analysisOf([responders('unknown', 9), responders('vp', 2)], counts);
    expect(few.insights).not.toEqual([]);
    expect(Object.keys(few.reasons ?? {})).toEqual(['segments', 'position_breakdown']);
    expect(few.reasons?.position_breakdown).toContain('send recipient_position');
    expect(few.reasons?.segments).toMatch(/^No group of recipients/);
    const uncompared = analysisOf([responders('vp', 2)], counts, { ...NO_SEGMENTS, compared: false });
    // Campaigns may be named, and all messages go to one position.
    expect(uncompared.reasons?.segments).toContain(
      'send recipient_position and industry with the events, name the campaign of each message (metadata.campaign_id)',
    );
    const full = analysisOf([responders('vp', 24)], counts, NO_SEGMENTS, [segment(0, 12), segment(1, 12)]);
    expect(full).not.toHaveProperty('reasons');
  });

  it('breaks down positions with at least three profiled people, most people first, without unknown', () => {
    const { overview, position_breakdown } = analysisOf(
      [
        responders('unknown', 9),
        responders('vp', 3, 2),
        responders('manager', 5),
        responders('technical', 2),
      ],
      countsOf({ vp: [100, 4], manager: [200, 6] }),
    );
    expect(overview).toMatchObject({ total_profiled: 19, high_confidence_count: 18, last_updated: updated });
    expect(position_breakdown).toEqual([
      expect.objectContaining({
        position: 'manager',
        count: 5,
        avg_confidence: 0.88,
        total_responses: 6,
        percentage: 26.3, // 5 of 19
        messages: 200,
      }),
      expect.objectContaining({ position: 'vp', count: 3, percentage: 15.8 }), // 3 of 19
    ]);
  });

  it('takes reply rates from all messages sent, and remarks on positions that differ', () => {
    const counts = countsOf({ vp: [2_000, 240], manager: [8_000, 160], technical: [40, 2] });
    const analysis = analysisOf([responders('vp', 240), responders('manager', 150)], counts);
    expect(analysis.insights.map(({ title, sample_size, type }) => [title, sample_size, type])).toEqual([
      ['Position VP: more replies than average', 2_000, 'position_pattern'],
      ['Position manager: fewer replies than average', 8_000, 'position_pattern'],
      ['390 recipients have answered', 10_040, 'general'],
    ]);
    expect(analysis.validation).toEqual({
      has_significant_patterns: true,
      significant_dimensions: ['position'],
      overall_confidence: 'high',
    });
  });

  describe('after replies changed', () => {
    const before = { vp: [2_000, 240], manager: [8_000, 160] } as const;
    const history = (recent: Partial<Record<Position, [number, number]>>) =>
      countsOf({
        vp: [before.vp[0] + (recent.vp?.[0] ?? 0), before.vp[1] + (recent.vp?.[1] ?? 0)],
        manager: [
          before.manager[0] + (recent.manager?.[0] ?? 0),
          before.manager[1] + (recent.manager?.[1] ?? 0),
        ],
      });
    const people = [responders('vp', 240), responders('manager', 150)];
    const changed = 'email around 2026-01-05';
    const after = (recent: Partial<Record<Position, [number, number]>>) =>
      analysisOf(people, history(recent), NO_SEGMENTS, [], { counts: countsOf(recent), changed });

    it('withholds what was true of positions before and is not borne out since, and says so', () => {
      const { insights, validation, reasons, position_breakdown } = after({
        vp: [700, 21],
        manager: [700, 21],
      });
      expect(insights.map(({ type }) => type)).toEqual(['general']);
      expect(insights[0]?.description).toBe(
        'An estimated 3.0% of messages to all recipients are answered (95% interval: 2.2% to 4.0%, from 1,400 ' +
          'messages), since replies last changed (email around 2026-01-05).',
      );
      expect(validation.significant_dimensions).toEqual([]);
      expect(reasons?.position_insights).toContain('Replies changed (email around 2026-01-05)');
      const [vp] = position_breakdown;
      expect(vp).toMatchObject({ position: 'vp', messages: 2_700, reply_rate: { n: 700 } });
      expect(vp?.reply_rate?.value).toBeCloseTo(0.03, 2);
    });

    it('tells what is so since, with the rates of today', () => {
      const { insights, reasons } = after({ vp: [1_000, 60], manager: [4_000, 40] });
      expect(insights.map(({ type }) => type)).toEqual(['position_pattern', 'position_pattern', 'general']);
      expect(insights[0]).toMatchObject({
        title: 'Position VP: more replies than average',
        description: expect.stringMatching(
          /^An estimated (5|6)\.\d% of .* from 1,000 .* since replies last changed \(email around/,
        ),
        sample_size: 1_000,
      });
      expect(reasons).not.toHaveProperty('position_insights');
    });

    it('has nothing to withhold where positions never differed', () => {
      const alike = countsOf({ vp: [2_000, 100], manager: [2_000, 100] });
      const { reasons } = analysisOf(people, alike, NO_SEGMENTS, [], {
        counts: countsOf({ vp: [50, 2] }),
        changed,
      });
      expect(reasons).not.toHaveProperty('position_insights');
    });
  });

  it('remarks on nothing where all positions are alike', () => {
    const counts = countsOf({ vp: [2_000, 100], manager: [2_000, 104], technical: [2_000, 97] });
    const { insights, validation } = analysisOf([responders('vp', 100)], counts);
    expect(insights.map(({ type }) => type)).toEqual(['general']);
    expect(validation).toMatchObject({ has_significant_patterns: false, significant_dimensions: [] });
  });

  it('does not take one interval in ten that misses by chance for a finding', () => {
    // Alike but for what chance does to ten positions: the largest is two standard errors off.
    const counts = POSITIONS.map((_, index) => {
      const replies = 50 + ([0, 4, -5, 3, -2, 14, -4, 2, -6, 1, -3][index] ?? 0);
      return { messages: 1_000, settled: 1_000, replies, answered: replies };
    });
    expect(analysisOf([responders('vp', 100)], counts).insights.map(({ type }) => type)).toEqual(['general']);
  });

  it('has insights of every type, and significant dimensions, where segments differ', () => {
    const counts = countsOf({ vp: [2_000, 240], manager: [8_000, 160] });
    const test = {
      dimension: 'tone',
      statistic: 60,
      degrees: 8,
      dispersion: { factor: 1, units: 3 },
      pValue: 4e-10,
      leans: [],
    };
    const { insights, validation, overview } = analysisOf(
      [responders('vp', 240)],
      counts,
      { compared: true, attribute: 'industry', segments: [], differences: [{ attribute: 'industry', test }] },
      [segment(0, 30), segment(1, 6)],
    );
    expect(new Set(insights.map(({ type }) => type))).toEqual(
      new Set(['segment_pattern', 'position_pattern', 'correlation', 'general']),
    );
    expect(insights.every(({ actionable, icon }) => actionable && icon.length > 0)).toBe(true);
    expect(validation.significant_dimensions).toEqual(['position', 'tone']);
    expect(overview.segments_count).toBe(2);
  });

  it.each([
    [29, false, 'low'],
    [30, true, 'medium'],
    [99, true, 'medium'],
    [100, true, 'high'],
  ])('rests on %i profiles: sufficient %s, confidence %s', (people, isSufficient, confidence) => {
    const { overview, validation } = analysisOf([responders('vp', people)], countsOf({ vp: [500, 50] }));
    expect([overview.has_sufficient_data, validation.overall_confidence]).toEqual([isSufficient, confidence]);
  });

  it('breaks down equally many people in the order of the names', () => {
    const equal = (['vp', 'manager', 'technical'] as const).map((position) => responders(position, 5));
    for (const people of [equal, equal.toReversed()])
      expect(analysisOf(people, countsOf({})).position_breakdown.map(({ position }) => position)).toEqual([
        'manager',
        'technical',
        'vp',
      ]);
    expect(analysisOf(equal, countsOf({})).position_breakdown[0]).toMatchObject({
      messages: 0,
      reply_rate: { value: null, n: 0 },
    });
  });

  it('profiles positions that were written to, with all their messages and today’s rate', () => {
    const counts = countsOf({ manager: [200, 6], vp: [100, 4], technical: [0, 0] });
    const today = { counts, rates: pooledRates(counts), changed: null };
    const rateOf = (position: Position) => today.rates[POSITIONS.indexOf(position)];
    expect(
      recipientProfiling({ responders: [responders('vp', 5)], counts, today, described: [], insights: [] }),
    ).toEqual({
      insights: [],
      segments: [],
      positions: [
        { position: 'vp', messages: 100, replies: 4, reply_rate: rateOf('vp'), profiled: 5 },
        { position: 'manager', messages: 200, replies: 6, reply_rate: rateOf('manager'), profiled: 0 },
      ],
    });
  });

  it.each([
    [299, 'medium'],
    [300, 'high'],
  ])('is told of %i messages with %s confidence', (messages, confidence) => {
    const [insight] = analysisOf([responders('vp', 30)], countsOf({ vp: [messages, 30] })).insights;
    expect(insight).toMatchObject({
      ...{ type: 'general', title: '30 recipients have answered', confidence, sample_size: messages },
      ...{ icon: 'users', actionable: true },
    });
  });

  it('speaks of one recipient and one message in the singular', () => {
    const [insight] = analysisOf([responders('vp', 1)], countsOf({ vp: [1, 1] })).insights;
    expect(insight?.title).toBe('1 recipient has answered');
    expect(insight?.description).toMatch(/from 1 message\)\.$/);
  });

  it('says nothing of people whose position is unknown, however they differ', () => {
    const counts = countsOf({ unknown: [2_000, 240], manager: [8_000, 160] });
    const { insights } = analysisOf([responders('unknown', 240)], counts);
    expect(insights.map(({ title }) => title)).toEqual([
      'Position manager: fewer replies than average',
      '240 recipients have answered',
    ]);
    expect(insights[0]).toMatchObject({
      ...{ icon: 'trending-down', confidence: 'high', actionable: true },
      description: expect.stringMatching(
        /^An estimated 2\.0% of messages to this position are answered \(95% interval: 1\.7% to 2\.3%, from 8,000 messages\), against an estimated 4\.0% of all messages\.$/,
      ),
    });
  });

  it.each([
    // A thousandth of the risk of a false claim, 0.005, is where confidence is high.
    [0.0049, 'medium', '0.0049'],
    [0.0001, 'medium', '0.0001'],
    [0.000_099, 'medium', 'below 0.0001'],
    [0.000_005, 'medium', 'below 0.0001'],
    [0.000_004, 'high', 'below 0.0001'],
  ])('tells what recipients answer to, at p = %d with %s confidence', (pValue, confidence, text) => {
    const test = {
      dimension: 'body_words',
      statistic: 60,
      degrees: 8,
      dispersion: { factor: 1, units: 3 },
      pValue,
      leans: [],
    };
    const differences = [{ attribute: 'industry' as const, test }];
    const { insights, validation } = analysisOf([], countsOf({}), { ...NO_SEGMENTS, differences });
    expect(insights).toEqual([
      {
        type: 'correlation',
        title: 'Length of the message and industry go together',
        description: `What recipients answer to differs by their industry: length of the message (p ${text}, compared within campaign, channel and step).`,
        ...{ confidence, icon: 'git-compare', actionable: true, sample_size: 0 },
      },
    ]);
    expect(validation.has_significant_patterns).toBe(true);
  });

  it('tells of a segment what it answers to', () => {
    const twice = { ...segment(0, 12), key_insights: ['One.', 'Two.'] };
    expect(analysisOf([responders('vp', 12)], countsOf({}), NO_SEGMENTS, [twice]).insights[0]).toEqual({
      type: 'segment_pattern',
      title: 'A segment of its own. Industry: number 0',
      ...{ description: 'One. Two.', confidence: 'high', icon: 'layers', actionable: true, sample_size: 12 },
    });
  });

  describe('charts', () => {
    const { charts } = analysisOf(
      [
        ...POSITIONS.slice(1).map((position, index) => responders(position, 30 - 2 * index, 10)),
        responders('unknown', 40, 0),
      ],
      countsOf({ vp: [900, 31], manager: [300, 13] }),
      NO_SEGMENTS,
      [segment(0, 60), segment(1, 20), segment(2, 5)],
    );

    it.each(['position_distribution', 'confidence_levels', 'segment_sizes'] as const)(
      '%s is drawn by Chart.js, every value in its own colour',
      (name) => {
        const chart = charts[name];
        const painted = paintedPixels(chart);
        expect(painted.length).toBe((chart.labels as string[]).length);
        expect(painted.length).toBeGreaterThanOrEqual(2);
        for (const { colour, pixels } of painted) expect([colour, pixels > 100]).toEqual([colour, true]);
        expect(new Set(painted.map(({ colour }) => colour)).size).toBe(painted.length);
      },
    );

    it('that lost a value, its colours or its data are found out', () => {
      const [dataset] = charts.segment_sizes.datasets as Record<string, unknown>[];
      const broken = (change: object) =>
        paintedPixels({ ...charts.segment_sizes, datasets: [{ ...dataset, ...change }] }).some(
          ({ pixels }) => pixels <= 100,
        );
      expect(broken({})).toBe(false);
      expect(broken({ data: [60, 20] })).toBe(true);
      expect(broken({ data: [60, Number.NaN, 5] })).toBe(true);
      expect(broken({ data: undefined, values: [60, 20, 5] })).toBe(true);
      expect(broken({ hidden: true })).toBe(true);
    });

    it('say what they show: a legend where slices have no axis, and whole numbers where there is one', () => {
      const { position_distribution: shares, confidence_levels: levels, segment_sizes: sizes } = charts;
      const titled = (text: string) => ({ display: true, text });
      expect(shares).toMatchObject({
        type: 'doughnut',
        options: {
          responsive: true,
          plugins: { title: titled('Recipients who answered, by position'), legend: { display: true } },
        },
      });
      expect(shares.options).not.toHaveProperty('scales');
      expect((shares.labels as string[]).slice(0, 2)).toEqual(['C-suite', 'founder']);
      for (const [chart, title] of [
        [levels, 'Confidence in the position'],
        [sizes, 'Recipients per segment'],
      ] as const)
        expect(chart).toMatchObject({
          type: 'bar',
          datasets: [{ label: title }],
          options: {
            plugins: { title: titled(title), legend: { display: false } },
            scales: { y: { beginAtZero: true, ticks: { precision: 0 } } },
          },
        });
      expect(levels.labels).toEqual(['high', 'medium or low']);
      // Ten known positions with 10 confident people each, of 30 + 28 + ... + 12 = 210 and 40 of no known position.
      expect((levels.datasets as { data: number[] }[])[0]?.data).toEqual([100, 150]);
    });

    it('are empty where there is nothing to draw', () => {
      const empty = analysisOf([responders('unknown', 2)], countsOf({}));
      expect(empty.charts.position_distribution).toEqual({});
      expect(empty.charts.segment_sizes).toEqual({});
      expect(paintedPixels(empty.charts.confidence_levels)).toHaveLength(2);
    });
  });
});
