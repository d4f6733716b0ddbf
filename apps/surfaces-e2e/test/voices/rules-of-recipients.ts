import { within, type Pair, type Rule } from './comparing';
import { answersTo, type Document } from './voices';

const FEWEST_PROFILED = 3;

/** Who has answered: profiles, positions, segments, charts. */
export const RULES_OF_RECIPIENTS: readonly Rule[] = [
  {
    name: 'who has answered is counted alike in profiles, positions and charts',
    *pairs(said): Generator<Pair> {
      // Profiles are read from the messages of now, the analysis is of its run.
      if (said.plan.erased.size > 0 || said.plan.later.size > 0) return;
      const profiles: Document[] = answersTo(said, 'RecipientProfiles')[0]?.data;
      const analysis = answersTo(said, 'RecipientAnalysis')[0]?.data;
      if (answersTo(said, 'RecipientAnalysis')[0]?.frame?.analysed_at === null) return;
      yield { what: 'total_profiled', one: analysis.overview.total_profiled, other: profiles.length };
      for (const { position, count, total_responses } of analysis.position_breakdown) {
        const own = profiles.filter(({ inferred_position }) => inferred_position === position);
        const replies = own.reduce((sum, { response_count }) => sum + Number(response_count), 0);
        yield { what: `${position}: count`, one: count, other: own.length };
        yield { what: `${position}: total_responses`, one: total_responses, other: replies };
      }
      for (const { id, size } of analysis.segments) {
        const index = (analysis.segments as Document[]).findIndex((segment) => segment.id === id);
        const own = profiles.filter(({ cluster_assignment }) => cluster_assignment === index);
        yield { what: `${id}: size`, one: size, other: own.length };
      }
    },
  },
  within('a chart shows the figures beside it', function* ({ question, data }) {
    if (question !== 'RecipientAnalysis') return;
    const { overview, position_breakdown, segments, charts } = data;
    const shown = (chart: Document): number[] => chart.datasets?.[0].data ?? [];
    const counts = (position_breakdown as Document[]).map(({ count }) => Number(count));
    yield ['positions', shown(charts.position_distribution), counts];
    yield ['segments', shown(charts.segment_sizes), (segments as Document[]).map(({ size }) => Number(size))];
    yield ['segments_count', overview.segments_count, segments.length];
    const [high = 0, other = 0] = shown(charts.confidence_levels);
    yield ['confidence', high, overview.high_confidence_count];
    yield ['all', high + other, overview.total_profiled];
    for (const { position, count, percentage } of position_breakdown) {
      yield [
        `${position}: percentage`,
        percentage,
        Math.round((1_000 * count) / overview.total_profiled) / 10,
      ];
      yield [`${position}: enough`, count >= FEWEST_PROFILED, true];
    }
    for (const { id, size, confidence_level } of segments)
      yield [`${id}: confidence`, confidence_level, size >= 10 ? 'high' : 'medium'];
    for (const part of ['segments', 'insights', 'position_breakdown'])
      if (data[part].length > 0) yield [`reason for no ${part}`, data.reasons?.[part], undefined];
  }),
  {
    name: 'a contact is in a segment that there is',
    *pairs(said): Generator<Pair> {
      const segments: Document[] = answersTo(said, 'RecipientAnalysis')[0]?.data.segments;
      for (const { data } of answersTo(said, 'RecipientIntelligence')) {
        const { id, name, size, confidence_level } = data.segment;
        if (id === null) continue;
        const own = segments.find((segment) => segment.id === id) ?? {};
        const other = { name: own.name, size: own.size, confidence_level: own.confidence_level };
        yield { what: String(data.contact_id), one: { name, size, confidence_level }, other };
      }
    },
  },
];
