import { orNear, within, type Rule } from './comparing';
import type { Document } from './voices';

const sumOf = (list: readonly Document[], field: string): number =>
  list.reduce((sum, item) => sum + Number(item[field]), 0);

/** Everything with a value and an interval, wherever it stands. */
function* intervalsOf(value: Document, path = ''): Generator<readonly [path: string, interval: Document]> {
  if (typeof value !== 'object' || value === null) return;
  if ('ci_low' in value && 'ci_high' in value) yield [path, value];
  for (const [key, inner] of Object.entries(value as Record<string, Document>))
    yield* intervalsOf(inner, `${path}/${key}`);
}

/** Numbers of one answer that follow from each other. */
export const RULES_OF_NUMBERS: readonly Rule[] = [
  within('a value lies in its interval, and what rests on nothing has none', function* ({ data }) {
    for (const [path, interval] of intervalsOf(data)) {
      const { ci_low, ci_high, n } = interval;
      const named = ['value', 'posterior_mean', 'ratio'].find((name) => name in interval) ?? 'value';
      const value = interval[named];
      yield [`${path}: known`, [ci_low === null, ci_high === null], [value === null, value === null]];
      if (value === null || ci_low === null || value === undefined) continue;
      yield [`${path}: inside`, ci_low <= value && value <= ci_high, true];
      if (n !== undefined) yield [`${path}: rests on something`, n > 0, true];
    }
  }),
  within('arms are what their shapes say', function* ({ question, data, asked }) {
    if (question !== 'BanditState') return;
    const { arms, arm_count, alerts } = data;
    for (const { alpha, beta, posterior_mean, posterior_variance, ...arm } of arms as Document[]) {
      const all = alpha + beta;
      const what = `${arm.channel} ${arm.position}`;
      yield [`${what}: mean`, posterior_mean, orNear(posterior_mean, alpha / all)];
      yield [
        `${what}: variance`,
        posterior_variance,
        orNear(posterior_variance, (alpha * beta) / (all * all * (all + 1))),
      ];
      yield [`${what}: borrowed`, 1 + arm.prior_weight, orNear(1 + arm.prior_weight, 2 - arm.own_data_share)];
      yield [`${what}: replies`, arm.replies <= arm.observations, true];
      if (asked.channel !== undefined) yield [`${what}: channel`, arm.channel, asked.channel];
    }
    const means = (arms as Document[]).map(({ posterior_mean }) => Number(posterior_mean));
    yield ['best first', means, [...means].sort((a, b) => b - a)];
    const isWhole = arms.length === arm_count;
    yield ['truncated', alerts.includes('results_truncated'), !isWhole];
    if (isWhole && arm_count > 0) yield ['one is best', sumOf(arms, 'probability_best').toFixed(3), '1.000'];
  }),
  within('calibration adds up', function* ({ question, data }) {
    if (question !== 'Calibration') return;
    const { predictions, observed_replies, expected_replies, by_run, observed_over_expected } = data;
    if (by_run.length < 30) {
      yield ['predictions', sumOf(by_run, 'predictions'), predictions];
      yield ['observed_replies', sumOf(by_run, 'observed_replies'), observed_replies];
    }
    const { value } = observed_over_expected;
    if (value !== null && expected_replies > 0)
      yield ['observed over expected', value, orNear(value, observed_replies / expected_replies)];
    const { groups, covered, share } = data.interval_coverage;
    if (share !== null) yield ['interval_coverage', share, orNear(share, covered / groups)];
    const { ever_confirmed, retracted, retracted_share } = data.patterns;
    if (retracted_share !== null)
      yield ['retracted_share', retracted_share, orNear(retracted_share, retracted / ever_confirmed)];
    const bins = (data.reliability_bins as Document[]).map(({ observed }) => Number(observed.n));
    if (bins.length > 0) yield ['reliability_bins', bins.reduce((sum, n) => sum + n, 0), predictions];
  }),
  within('the log of calls adds up', function* ({ question, data }) {
    if (question !== 'ActionAuditLog') return;
    const { entries, entry_count, total_count, tool_breakdown, error_rate, next_cursor } = data;
    const calls = Object.values(tool_breakdown as Record<string, number>);
    yield ['entry_count', entry_count, entries.length];
    yield ['total_count', total_count, calls.reduce((sum, one) => sum + one, 0)];
    yield ['next_cursor', next_cursor === null, entry_count === total_count];
    if (next_cursor !== null) return;
    const failed = (entries as Document[]).filter(({ status }) => status === 'error').length;
    if (total_count > 0) yield ['error_rate', error_rate, orNear(error_rate, failed / total_count)];
  }),
  within('levels of an analysis add up', function* ({ question, data }) {
    if (question !== 'AnalysisRecord' || !data) return;
    for (const [name, dimension] of Object.entries(data.data.analyses as Record<string, Document>)) {
      if (!Array.isArray(dimension?.levels)) continue;
      for (const { level, messages, replies, reply_rate } of dimension.levels as Document[]) {
        yield [`${name} ${level}: n`, reply_rate.n, messages];
        yield [`${name} ${level}: replies`, replies <= messages, true];
      }
    }
  }),
];
