import { gammaQuantile } from '../numerics/incomplete-gamma';
import { requireDomain } from '../numerics/stats-domain-error';
import { type DailySeries, dailySeries, perDay, perStratum } from './daily-series';
import type {
  DriftAssessment,
  DriftCohort,
  DriftDirection,
  DriftInput,
  DriftKind,
  DriftSegment,
  DriftState,
  DriftStratum,
} from './drift-types';
import { mixChange } from './mix-drift';
import { type RateChange, rateChange } from './rate-drift';
import { BURN_IN_DAYS, driftThreshold, WINDOW_DAYS } from './threshold';
import { volumeChange } from './volume-drift';

const DEFAULT_ARL0_DAYS = 365;
/** Changes of mix and volume that are real but too small to matter raise no alarm. */
const SMALLEST_MIX_DISTANCE = 0.1;
const SMALLEST_VOLUME_RATIO = 1.3;
/** Expected replies after a rate drift that make the new posteriors trustworthy again. */
const TRUSTED_AFTER = 20;
/** Normal limit of the thresholds, for the dispersion-corrected mix and volume statistics. */
const MANY_EVENTS = 1e6;
const LISTED_STRATA = 5;

interface Signal {
  readonly kind: Exclude<DriftKind, 'none'>;
  readonly statistic: number;
  readonly threshold: number;
  readonly cut: number;
  /** false where the change is too small to matter, or has been watched too briefly */
  readonly matters: boolean;
}

const sumOf = (values: Float64Array, from: number, to: number): number =>
  values.subarray(from, to).reduce((a, b) => a + b, 0);

/** A reply rate with its exact-ish interval: Gamma(replies + 1/2) over the expected replies, times the reference rate. */
function segment(series: DailySeries, expected: Float64Array, from: number, to: number): DriftSegment {
  const sendsPerDay = perDay(series, series.n);
  const repliesPerDay = perDay(series, series.y);
  const sends = sumOf(sendsPerDay, from, to);
  const replies = sumOf(repliesPerDay, from, to);
  const e = sumOf(expected, from, to);
  const allSends = sumOf(sendsPerDay, 0, series.days);
  const reference = allSends > 0 ? sumOf(expected, 0, series.days) / allSends : 0;
  const scaled = (events: number): number => (e > 0 ? Math.min(1, (reference * events) / e) : reference);
  return {
    fromDay: series.firstDay + from,
    toDay: series.firstDay + to - 1,
    sends,
    replies,
    rate: scaled(replies),
    low: e > 0 ? scaled(gammaQuantile(0.025, replies + 0.5)) : 0,
    high: e > 0 ? scaled(gammaQuantile(0.975, replies + 0.5)) : 1,
    sendsPerDay: to > from ? sends / (to - from) : 0,
  };
}

/** Strata ordered by how much of the change is theirs: replies for a rate drift, sends for the others. */
function contributions(series: DailySeries, cut: number, kind: DriftKind): DriftStratum[] {
  const n0 = perStratum(series, series.n, 0, cut);
  const n1 = perStratum(series, series.n, cut);
  const y0 = perStratum(series, series.y, 0, cut);
  const y1 = perStratum(series, series.y, cut);
  const all0 = n0.reduce((a, b) => a + b, 0);
  const all1 = n1.reduce((a, b) => a + b, 0);
  const ratio = (top: number, bottom: number): number => (bottom > 0 ? top / bottom : 0);
  const rows = series.keys.map((stratum, s) => {
    const [b, a] = [n0[s] as number, n1[s] as number];
    const rate = ratio((y0[s] as number) + (y1[s] as number), a + b);
    const rateExcess = Math.abs((y1[s] as number) - a * rate);
    const shareExcess = Math.abs(ratio(a, all1) - ratio(b, all0));
    const volumeExcess = Math.abs(a / Math.max(1, series.days - cut) - b / Math.max(1, cut));
    return {
      stratum,
      shareBefore: ratio(b, all0),
      shareAfter: ratio(a, all1),
      rateBefore: ratio(y0[s] as number, b),
      rateAfter: ratio(y1[s] as number, a),
      contribution: kind === 'rate' ? rateExcess : kind === 'mix' ? shareExcess : volumeExcess,
    };
  });
  const total = rows.reduce((sum, { contribution }) => sum + contribution, 0);
  return rows
    .map((row) => ({ ...row, contribution: ratio(row.contribution, total) }))
    .sort((one, two) => two.contribution - one.contribution)
    .slice(0, LISTED_STRATA);
}

function detect(series: DailySeries, rate: RateChange, arl0Days: number): readonly Signal[] {
  const watched = series.days >= BURN_IN_DAYS;
  const many = driftThreshold(MANY_EVENTS, arl0Days);
  const mix = mixChange(series);
  const volume = volumeChange(perDay(series, series.n));
  const volumeSize = Math.max(volume.ratio, volume.ratio > 0 ? 1 / volume.ratio : Infinity);
  return [
    { kind: 'rate', statistic: rate.statistic, threshold: rate.threshold, cut: rate.cut, matters: watched },
    {
      kind: 'mix',
      statistic: mix.statistic,
      threshold: many,
      cut: mix.cut,
      matters: watched && mix.distance >= SMALLEST_MIX_DISTANCE,
    },
    {
      kind: 'volume',
      statistic: volume.statistic,
      threshold: many,
      cut: volume.cut,
      matters: watched && volumeSize >= SMALLEST_VOLUME_RATIO,
    },
  ];
}

function directionOf(
  kind: DriftKind,
  series: DailySeries,
  expected: Float64Array,
  cut: number,
  before: DriftSegment,
  after: DriftSegment,
): DriftDirection {
  if (kind === 'rate') return after.rate >= before.rate ? 'up' : 'down';
  if (kind === 'volume') return after.sendsPerDay >= before.sendsPerDay ? 'up' : 'down';
  const expectedRate = (from: number, to: number, sends: number): number =>
    sends > 0 ? sumOf(expected, from, to) / sends : 0;
  return expectedRate(cut, series.days, after.sends) >= expectedRate(0, cut, before.sends) ? 'up' : 'down';
}

function assessSeries(series: DailySeries, arl0Days: number): DriftState {
  const rateTest = rateChange(series, arl0Days);
  const { expected } = rateTest;
  const all = detect(series, rateTest, arl0Days);
  const [rate, mix, volume] = all.map(({ statistic, threshold, matters }) =>
    matters ? statistic / threshold : 0,
  ) as [number, number, number];
  const signals = { rate, mix, volume };
  // Rates come first: they are what makes posteriors wrong. Mix and volume leave them right.
  const found = all.find(({ kind }) => signals[kind] > 1);
  if (!found) {
    const { statistic, threshold } = all[0] as Signal;
    const after = segment(series, expected, 0, series.days);
    return {
      kind: 'none',
      direction: null,
      since: null,
      before: null,
      after,
      strata: [],
      posteriorsTrustworthy: true,
      statistic,
      threshold,
      signals,
    };
  }
  const { kind, cut, statistic, threshold } = found;
  const before = segment(series, expected, 0, cut);
  const after = segment(series, expected, cut, series.days);
  return {
    kind,
    direction: directionOf(kind, series, expected, cut, before, after),
    since: series.firstDay + cut,
    before,
    after,
    strata: contributions(series, cut, kind),
    posteriorsTrustworthy: kind !== 'rate' || sumOf(expected, cut, series.days) >= TRUSTED_AFTER,
    statistic,
    threshold,
    signals,
  };
}

function check(cohorts: readonly DriftCohort[]): void {
  let day = -Infinity;
  for (const { day: at, totalN, totalY } of cohorts) {
    requireDomain(Number.isInteger(at) && at >= day, 'order', 'cohorts must be sorted by whole days');
    requireDomain(
      totalY >= 0 && totalY <= totalN && totalN < Infinity,
      'count',
      'replies must lie between zero and the sends',
    );
    day = at;
  }
}

/**
 * Drift of reply rates, of the audience mix and of the volume, per channel and overall.
 *
 * Shapes: D cohorts (send day x stratum) in; one state overall and one per channel out.
 * @param input - matured cohorts sorted by day; ARL0 and window in days
 * @returns states; `kind` is the first of rate, mix, volume whose statistic passes its threshold
 * @throws StatsDomainError with code `order`, `count` or `range`
 *
 * Rate: stratum-standardised likelihood ratio over day cuts, so that a changed audience is not a
 * changed rate; its threshold gives one false alarm per `arl0Days` daily looks on average. Mix:
 * chi-square on stratum shares; volume: Poisson likelihood ratio at equal weekdays; both corrected for
 * overdispersion. The state is a function of the window alone: nothing latches.
 * Reference: Siegmund and Venkatraman (1995). Oracle: verify:statistics.
 *
 * @example
 * assessDrift({ cohorts: [{ day: 1, stratum: { channel: 0, step: 0, position: 0 }, totalN: 40, totalY: 2 }] }).overall.kind; // 'none'
 */
export function assessDrift(input: DriftInput): DriftAssessment {
  const assess = assessorOf(input);
  const channels = [...new Set(input.cohorts.map(({ stratum }) => stratum.channel))].sort((a, b) => a - b);
  return {
    overall: assess(input.cohorts),
    channels: channels.map((channel) => ({
      channel,
      state: assess(input.cohorts.filter(({ stratum }) => stratum.channel === channel)),
    })),
  };
}

/**
 * The overall state of `assessDrift`, without those of the channels.
 *
 * Shapes: D cohorts (send day x stratum) in, one state out.
 * @param input - as `assessDrift`; cohorts before the window change nothing and may be left out
 * @returns the state over all cohorts that are given
 * @throws StatsDomainError with code `order`, `count` or `range`
 *
 * Reference: as `assessDrift`. Oracle: drift.spec.ts.
 *
 * @example
 * overallDrift({ cohorts: [{ day: 1, stratum: { channel: 0, step: 0, position: 0 }, totalN: 40, totalY: 2 }] }).kind; // 'none'
 */
export function overallDrift(input: DriftInput): DriftState {
  return assessorOf(input)(input.cohorts);
}

/** Checks the input, and assesses any of its cohorts over its window. */
function assessorOf({ cohorts, ...options }: DriftInput): (some: readonly DriftCohort[]) => DriftState {
  check(cohorts);
  const arl0Days = options.arl0Days ?? DEFAULT_ARL0_DAYS;
  const windowDays = options.windowDays ?? WINDOW_DAYS;
  requireDomain(
    Number.isInteger(windowDays) && windowDays >= 1,
    'range',
    'a window needs at least one whole day',
  );
  const asOfDay = options.asOfDay ?? cohorts.at(-1)?.day ?? 0;
  return (some) => assessSeries(dailySeries(some, asOfDay - windowDays + 1, asOfDay), arl0Days);
}
