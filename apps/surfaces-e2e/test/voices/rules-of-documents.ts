import { EVIDENCE_TIERS, PATTERN_CATALOGUE, type EvidenceTier, type QuestionName } from '@outcomes/contracts';
import { alike, nameOf, within, type Pair, type Rule } from './comparing';
import { channelAsked, driftAnswer } from './rules-of-times';
import { answersTo, type Document, type Said } from './voices';

/** Fields of a finding that every surface that shows it has. */
const FINDING = ['tier', 'evidence_tier', 'positive'] as const;
const EFFECT = ['with_rate', 'without_rate', 'lift', 'probability_positive'] as const;
const GROUNDS = [
  ...['e_value', 'odds_ratio', 'odds_ratio_low', 'odds_ratio_high', 'n_campaigns', 'n_texts_with'],
  ...['n_texts_without', 'compared_share', 'counted_since', 'sends_to_decide', 'basis'],
];
const isClaimed = ({ evidence_tier }: Document): boolean => evidence_tier !== undefined;
const withoutMarkup = (text: string): string => text.replaceAll(/<\/?(b|em|strong|code)>/g, '');

const only = (said: Said, question: QuestionName): Document => answersTo(said, question)[0]?.data;
const lengthOf = (list: Document): number => (list as readonly unknown[]).length;

/** What documents of the same run say of the same messages, patterns and recipients. */
export const RULES_OF_DOCUMENTS: readonly Rule[] = [
  alike('a pattern is the same on every surface', function* ({ question, data, asked }) {
    const records =
      question === 'Patterns'
        ? data
        : question === 'AnalysisRecord'
          ? (data?.data.recommendations ?? [])
          : [];
    for (const record of records) {
      for (const field of FINDING) yield [`${record.code}: ${field}`, record[field]];
      if (!isClaimed(record)) continue;
      yield [`${record.code}: message`, withoutMarkup(record.message as string)];
      for (const field of EFFECT) yield [`${record.code}: ${field}`, record.evidence[field]];
      for (const field of GROUNDS) yield [`${record.code}: ${field}`, record.evidence[field]];
      yield [`${record.code}: level_since`, record.evidence.level_since ?? null];
    }
    if (question !== 'CampaignRecommendations') return;
    for (const { code, message, effect, evidence, ...advice } of data.recommendations) {
      for (const field of FINDING) yield [`${code}: ${field}`, advice[field]];
      yield [`${code}: message`, message];
      for (const field of GROUNDS) yield [`${code}: ${field}`, evidence[field]];
      // Of one channel, rates and lift are at its own level of replies.
      if (asked.channel !== undefined) continue;
      for (const field of EFFECT) yield [`${code}: ${field}`, effect[field]];
      yield [`${code}: level_since`, effect.level_since];
    }
  }),
  within('a tier is the same in figures and in words', function* ({ question, data }) {
    const claims: Document[] =
      question === 'Patterns'
        ? (data as Document[]).filter(isClaimed)
        : question === 'CampaignRecommendations'
          ? data.recommendations
          : [];
    for (const { code, tier, evidence_tier } of claims)
      yield [String(code), tier, 3 - EVIDENCE_TIERS.indexOf(evidence_tier as EvidenceTier)];
  }),
  {
    name: 'as many recommendations as patterns with a claim',
    *pairs(said): Generator<Pair> {
      const claimed = (only(said, 'Patterns') as Document[]).filter(isClaimed);
      for (const voice of answersTo(said, 'CampaignRecommendations')) {
        const { recommendation_count, by_evidence_tier, by_kind, recommendations, alerts } = voice.data;
        const what = nameOf(voice);
        for (const counts of [by_evidence_tier, by_kind] as Record<string, number>[]) {
          const all = Object.values(counts).reduce((sum, many) => sum + many, 0);
          yield { what: `${what}: counts`, one: all, other: recommendation_count };
        }
        // What a channel has no use for is left out where it is asked for.
        const ofUse = voice.asked.channel === undefined ? claimed : [];
        if (ofUse.length > 0) yield { what, one: recommendation_count, other: ofUse.length };
        for (const tier of ofUse.length > 0 ? EVIDENCE_TIERS : []) {
          const many = ofUse.filter(({ evidence_tier }) => evidence_tier === tier).length;
          yield { what: `${what}: ${tier}`, one: by_evidence_tier[tier], other: many };
        }
        const isCut = lengthOf(recommendations) < recommendation_count;
        yield { what: `${what}: cut`, one: alerts.includes('results_truncated'), other: isCut };
        if (voice.asked.limit === 51) yield { what: `${what}: none left out`, one: isCut, other: false };
      }
    },
  },
  {
    name: 'recommendations are worth what replies are worth since they changed',
    *pairs(said): Generator<Pair> {
      const days = (driftAnswer(said).changes as Document[]).map(({ since }) => String(since)).sort();
      const newest = days.at(-1);
      for (const voice of answersTo(said, 'CampaignRecommendations'))
        for (const { code, effect, evidence } of voice.data.recommendations) {
          const ofCompany = newest !== undefined && (evidence.counted_since ?? '') < newest ? newest : null;
          const since = driftAnswer(said, channelAsked(voice)).tests[0]?.since ?? null;
          const isOfChannel = channelAsked(voice) !== undefined && effect.level_since === since;
          yield {
            what: `${code}: ${nameOf(voice)}`,
            one: effect.level_since,
            other: isOfChannel ? since : ofCompany,
          };
        }
    },
  },
  {
    name: 'a metric has data where the catalogue says so',
    *pairs(said): Generator<Pair> {
      const { chunks, summary } = only(said, 'ChunkCatalogue');
      const records = new Map(
        answersTo(said, 'AnalysisRecord').map((voice) => [voice.asked.metric_name, voice]),
      );
      for (const { metricName, hasData, lastUpdated, analysisKey } of chunks) {
        const record = records.get(metricName as string)?.data;
        yield { what: String(metricName), one: record !== undefined, other: hasData };
        if (record === undefined) continue;
        yield { what: `${metricName}: key`, one: record.analysisKey, other: analysisKey };
        yield { what: `${metricName}: time`, one: record.metadata.updated, other: lastUpdated };
      }
      const available = (chunks as Document[]).filter(({ hasData }) => hasData).length;
      yield { what: 'available', one: summary.available, other: available };
      const first = only(said, 'FirstAnalysis');
      const keys = [...records.values()]
        .flatMap(({ data }) => (data ? [String(data.analysisKey)] : []))
        .sort();
      yield { what: 'the first', one: first.analysisKey, other: keys[0] };
    },
  },
  alike('messages and replies are counted once for all analyses', function* ({ question, data }) {
    if (question === 'ContactInsights')
      for (const { analysisKey, ...totals } of data.by_analysis) yield* totalsOf(String(analysisKey), totals);
    if (question === 'ContactInsights' && data.by_analysis.length > 0) yield* totalsOf('all', data);
    if (question === 'AnalysisRecord' && data?.data.summary)
      yield* totalsOf(data.analysisKey as string, data.data.summary);
    if (question === 'AnalysisRecord' && data?.analysisKey === 'general_analysis')
      yield* totalsOf('all', data.data.summary);
  }),
  {
    name: 'every code has its description',
    *pairs(said): Generator<Pair> {
      const { data: described } = only(said, 'PatternDescriptions');
      for (const { code } of PATTERN_CATALOGUE) yield { what: code, one: code in described, other: true };
    },
  },
];

function* totalsOf(of: string, totals: Document): Generator<readonly [string, unknown]> {
  for (const field of ['total_messages', 'total_replies'])
    if (totals[field] !== undefined) yield [`${of}: ${field}`, totals[field]];
}
