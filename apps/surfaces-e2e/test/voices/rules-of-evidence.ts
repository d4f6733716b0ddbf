import type { RateEstimate } from '@outcomes/contracts';
import { alike, nameOf, orNear, within, type Pair, type Rule } from './comparing';
import { answersTo, type Document } from './voices';

const VARIANT = [
  'n',
  'y',
  'rate',
  'odds_ratio',
  'odds_ratio_low',
  'odds_ratio_high',
  'e_value',
  'evidence_tier',
];
const isHigher = (one: RateEstimate, other: RateEstimate): boolean => (one.value ?? 0) > (other.value ?? 0);

/** What a claim says of its direction, a variant of its texts, an arm of its data: the same wherever it is said. */
export const RULES_OF_EVIDENCE: readonly Rule[] = [
  within('rates, lift and advice point the same way', function* ({ question, data }) {
    if (question !== 'CampaignRecommendations') return;
    for (const { code, positive, advice, effect } of data.recommendations) {
      yield [`${code}: lift`, effect.lift > 0, positive];
      yield [`${code}: rates`, isHigher(effect.with_rate, effect.without_rate), positive];
      yield [`${code}: probability`, effect.probability_positive > 0.5, positive];
      yield [`${code}: advice`, effect.lift > 0 ? 'do_more' : 'avoid', advice];
      const ofRates: number = effect.with_rate.value / effect.without_rate.value - 1;
      yield [`${code}: lift of the rates`, effect.lift, orNear(effect.lift, ofRates, 1e-3)];
      yield [`${code}: inside`, effect.lift_low <= effect.lift && effect.lift <= effect.lift_high, true];
    }
    const gains = (data.recommendations as Document[]).map((one) => one.expected_gain?.replies ?? -1);
    yield ['largest gain first', gains, gains.toSorted((a, b) => b - a)];
  }),
  alike('a variant is the same beside its campaign and among all', function* ({ question, data }) {
    const variants: Document[] =
      question === 'CampaignRecommendations' || question === 'CampaignHealth' ? data.variants : [];
    for (const { campaign_id = data.campaign_id, variant_id, ...variant } of variants)
      for (const field of VARIANT) yield [`${campaign_id} ${variant_id}: ${field}`, variant[field]];
  }),
  {
    name: 'why nothing is claimed of a pattern is one reason',
    *pairs(said): Generator<Pair> {
      const records: Document[] = answersTo(said, 'Patterns')[0]?.data;
      const reasons = new Map(records.map(({ code, reason }) => [String(code), reason as unknown]));
      for (const voice of answersTo(said, 'CampaignRecommendations'))
        for (const { reason, codes } of voice.data.undecided)
          for (const code of codes)
            yield { what: `${code}: ${nameOf(voice)}`, one: reason, other: reasons.get(code as string) };
    },
  },
  alike('what a contact is told rests on the arm that there is', function* ({ question, data }, { plan }) {
    // Between an erasure and the analysis that follows it, contacts are of now and arms of before.
    if (plan.erased.size > 0 || plan.later.size > 0) return;
    if (question === 'BanditState')
      for (const { channel, position, observations, own_data_share } of data.arms) {
        yield [`${channel} ${position}: observations`, observations];
        yield [`${channel} ${position}: own_data_share`, own_data_share];
      }
    if (question !== 'RecipientIntelligence' || data.next_best_action.decision_id === null) return;
    const { channel, sample_size, own_data_share } = data.reply_likelihood;
    // Of a channel that was never used for the position there is no arm.
    if (channel === null || sample_size === 0) return;
    yield [`${channel} ${data.position.inferred}: observations`, sample_size];
    yield [`${channel} ${data.position.inferred}: own_data_share`, own_data_share];
  }),
  {
    name: 'recipients of a position are counted once',
    *pairs(said): Generator<Pair> {
      const analysis = answersTo(said, 'RecipientAnalysis')[0]?.data;
      const profiling = answersTo(said, 'AnalysisRecord').find(
        ({ asked }) => asked.metric_name === 'recipient_profiling',
      )?.data;
      const rows: Document[] = profiling?.data.analyses.positions ?? [];
      for (const { position, count, messages } of analysis.position_breakdown) {
        const row = rows.find((one) => one.position === position);
        yield { what: `${position}: profiled`, one: row?.profiled, other: count };
        yield { what: `${position}: messages`, one: row?.messages, other: messages };
      }
    },
  },
];
