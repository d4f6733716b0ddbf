import { POSITIONS, type Position } from '@outcomes/contracts';
import { pooledRates, type GroupCounts } from '../rates/rate-estimates';
import { positionAnalyses, recipientAnalysis } from './recipient-analysis';
import type { Responders } from './responder.repository';

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
    return { messages, settled: messages, replies };
  });
const analysisOf = (people: Responders[], counts: GroupCounts[]) =>
  recipientAnalysis({ responders: people, counts, rates: pooledRates(counts), updated });

describe('the recipient analysis', () => {
  it('is a well-formed empty structure where nobody has answered', () => {
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
    });
    expect(positionAnalyses({ responders: [], counts, rates: pooledRates(counts) })).toBeUndefined();
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
      ['Position vp: more replies than average', 2_000, 'position_pattern'],
      ['Position manager: fewer replies than average', 8_000, 'position_pattern'],
    ]);
    expect(analysis.validation).toEqual({
      has_significant_patterns: true,
      significant_dimensions: ['position'],
      overall_confidence: 'high',
    });
  });

  it('remarks on nothing where all positions are alike', () => {
    const counts = countsOf({ vp: [2_000, 100], manager: [2_000, 104], technical: [2_000, 97] });
    expect(analysisOf([responders('vp', 100)], counts).insights).toEqual([]);
  });

  it('gives charts that can be drawn: as many values and colours as labels', () => {
    const { charts } = analysisOf(
      [responders('vp', 30, 10), responders('manager', 12)],
      countsOf({ vp: [900, 31], manager: [300, 13] }),
    );
    const drawn = charts as unknown as Record<
      string,
      {
        type: string;
        labels: string[];
        datasets: { data: number[]; backgroundColor: string[] }[];
        options: object;
      }
    >;
    expect(drawn.position_distribution).toMatchObject({
      type: 'doughnut',
      labels: ['vp', 'manager'],
      datasets: [{ data: [30, 12] }],
    });
    expect(drawn.confidence_levels).toMatchObject({ type: 'bar', datasets: [{ data: [22, 20] }] });
    for (const chart of [drawn.position_distribution, drawn.confidence_levels]) {
      expect(chart?.datasets[0]?.data).toHaveLength(chart?.labels.length ?? -1);
      expect(chart?.datasets[0]?.backgroundColor).toHaveLength(chart?.labels.length ?? -1);
      expect(chart?.options).toEqual(expect.any(Object));
    }
    expect(drawn.segment_sizes).toEqual({});
  });
});
