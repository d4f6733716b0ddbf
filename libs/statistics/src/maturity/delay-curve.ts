import { exp } from '../numerics/exp';
import { log } from '../numerics/log';
import { normalCdf } from '../numerics/normal';
import { square } from '../numerics/square';
import { requireDomain } from '../numerics/stats-domain-error';

/** Replies of the cohorts of one age. */
export interface DelayCohort {
  /** days since the send, in completed quarters; shorter delays have been fully observed */
  readonly ageDays: number;
  /** replies by completed quarter days of delay (index floor(4 * delayDays)); entries at or beyond the age are ignored */
  readonly repliesByDelay: ArrayLike<number>;
}

/** Delays are counted in quarters of a day: a young tenant's curve shows within its first days, or not at all. */
export const DELAY_BINS_PER_DAY = 4;

export interface DefaultDelay {
  /** median days until a reply */
  readonly medianDays: number;
  /** spread of the logarithm of the delay */
  readonly sigma: number;
  /** days after which a cohort counts as matured */
  readonly matureDays: number;
}

/** What a channel's replies are like before the tenant has shown its own. */
export const EMAIL_DELAY: DefaultDelay = { medianDays: 0.6, sigma: 1, matureDays: 14 };
export const LINKEDIN_DELAY: DefaultDelay = { medianDays: 1.8, sigma: 1, matureDays: 21 };

export interface DelayCurve {
  readonly matureDays: number;
  /** index a: share of the replies within `matureDays` that have arrived after a completed days; F[matureDays] = 1 */
  readonly arrived: readonly number[];
  /** the same by quarter days: index floor(4 * days) */
  readonly byQuarter: readonly number[];
  /** replies that informed the curve */
  readonly replies: number;
}

/** Log time scales, relative to the default median, among which the fit chooses; and their prior spread. */
const LOG_SCALES = Array.from({ length: 41 }, (_, i) => -2.5 + i * 0.125);
const LOG_SCALE_SD = 0.7;
const LOG_SIGMAS = [-0.4, -0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3] as const;
const LOG_SIGMA_SD = 0.2;
/** Sets of shapes kept at once. */
const MAX_DEFAULTS = 16;
/** Pseudo-replies by which each quarter day's reverse hazard leans on the fitted default shape. */
const LEAN = 15;

/** Log-normal arrival curve at quarter days, conditional on arriving before maturity. */
function shape(medianDays: number, sigma: number, matureDays: number): Float64Array {
  const bins = matureDays * DELAY_BINS_PER_DAY;
  const arrived: Float64Array = new Float64Array(bins + 1);
  for (let b = 1; b <= bins; b++) arrived[b] = normalCdf(log(b / (DELAY_BINS_PER_DAY * medianDays)) / sigma);
  const end = arrived[bins] as number;
  return arrived.map((value) => value / end);
}

/** Replies of all cohorts: by delay, and by how many bins their cohort has been watched for. */
interface PooledDelays {
  readonly byDelay: Float64Array;
  readonly byWatch: Float64Array;
}

function pool(cohorts: readonly DelayCohort[], matureDays: number): PooledDelays {
  const bins = matureDays * DELAY_BINS_PER_DAY;
  const pooled = { byDelay: new Float64Array(bins), byWatch: new Float64Array(bins + 1) };
  for (const { ageDays, repliesByDelay } of cohorts) {
    const seen = Math.min(ageDays, matureDays) * DELAY_BINS_PER_DAY;
    for (let d = 0; d < Math.min(seen, repliesByDelay.length); d++) {
      const count = repliesByDelay[d] as number;
      pooled.byDelay[d] = (pooled.byDelay[d] as number) + count;
      pooled.byWatch[seen] = (pooled.byWatch[seen] as number) + count;
    }
  }
  return pooled;
}

function logLikelihood({ logSteps, logArrived }: PriorShape, { byDelay, byWatch }: PooledDelays): number {
  let sum = 0;
  for (let d = 0; d < byDelay.length; d++) {
    const count = byDelay[d] as number;
    if (count > 0) sum += count * (logSteps[d] as number);
  }
  for (let seen = 0; seen < byWatch.length; seen++) {
    const count = byWatch[seen] as number;
    if (count > 0) sum -= count * (logArrived[seen] as number);
  }
  return sum;
}

/** A log-normal curve of arrivals by quarter days, and how likely it is beforehand. */
export interface PriorShape {
  readonly arrived: Float64Array;
  readonly logPrior: number;
  /** logarithms of what arrives in each bin, and of what has arrived by its beginning */
  readonly logSteps: Float64Array;
  readonly logArrived: Float64Array;
}

export const logOf = (share: number): number => log(Math.max(1e-12, share));

/** Shapes of the defaults in use: there are a handful, and each takes a hundred thousand Gaussian tails to make. */
const shapesByDefaults = new Map<string, readonly PriorShape[]>();

export function priorShapes({ medianDays, sigma, matureDays }: DefaultDelay): readonly PriorShape[] {
  const key = `${medianDays} ${sigma} ${matureDays}`;
  const known = shapesByDefaults.get(key);
  if (known) return known;
  const shapes = LOG_SCALES.flatMap((logScale) =>
    LOG_SIGMAS.map((logSigma) => {
      const arrived = shape(medianDays * exp(logScale), sigma * exp(logSigma), matureDays);
      return {
        arrived,
        logPrior: -0.5 * (square(logScale / LOG_SCALE_SD) + square(logSigma / LOG_SIGMA_SD)),
        logSteps: arrived.subarray(1).map((share, d) => logOf(share - (arrived[d] as number))),
        logArrived: arrived.map(logOf),
      };
    }),
  );
  if (shapesByDefaults.size >= MAX_DEFAULTS) shapesByDefaults.clear();
  shapesByDefaults.set(key, shapes);
  return shapes;
}

/**
 * Default curve with its time scale and spread adapted to the tenant by truncated likelihood: the
 * posterior's mode. Its mean would lean towards the slow curves that a young tenant cannot exclude, and
 * the rate would come out too high.
 */
function adaptedShape(cohorts: readonly DelayCohort[], defaults: DefaultDelay): Float64Array {
  const pooled = pool(cohorts, defaults.matureDays);
  let best = { arrived: new Float64Array(0) as Float64Array, logPosterior: -Infinity };
  for (const shapeOf of priorShapes(defaults)) {
    const logPosterior = shapeOf.logPrior + logLikelihood(shapeOf, pooled);
    if (logPosterior > best.logPosterior) best = { arrived: shapeOf.arrived, logPosterior };
  }
  return best.arrived;
}

export function checkDefaults({ matureDays, medianDays, sigma }: DefaultDelay): void {
  requireDomain(
    Number.isInteger(matureDays) && matureDays > 0 && matureDays <= 90,
    'range',
    'maturity must be 1..90 whole days',
  );
  requireDomain(medianDays > 0 && sigma > 0, 'range', 'the default delay needs a positive median and spread');
}

function checkCohort({ ageDays, repliesByDelay }: DelayCohort, matureDays: number): void {
  requireDomain(
    Number.isInteger(ageDays * DELAY_BINS_PER_DAY) && ageDays >= 0,
    'range',
    'an age must be whole quarters of a day >= 0',
  );
  for (let d = 0; d < Math.min(ageDays, matureDays) * DELAY_BINS_PER_DAY; d++) {
    const count = repliesByDelay[d] ?? 0;
    requireDomain(count >= 0 && count < Infinity, 'count', 'replies must be finite and >= 0');
  }
}

/**
 * Share of replies that have arrived by each age: Kaplan-Meier in reversed time (young cohorts have not
 * seen the long delays), shrunk to a default curve whose time scale adapts to the tenant.
 *
 * Shapes: any number of cohorts in, one curve of matureDays + 1 points out.
 * @param cohorts - replies by delay, per cohort age
 * @param defaults - the channel's usual delay
 * @returns curve with arrived[0] = 0, non-decreasing, arrived[matureDays] = 1
 * @throws StatsDomainError with code `count` or `range`
 *
 * Reference: Lagakos, Barraj and De Gruttola (1988), Biometrika 75, 515-523.
 * Oracle: fixtures/r-maturity.json (survfit of R) where replies outweigh the default, absolute error 1e-9; bias of
 * the reply rate by simulation, verify:statistics.
 *
 * @example
 * fitDelayCurve([], EMAIL_DELAY).arrived[14]; // 1
 */
export function fitDelayCurve(cohorts: readonly DelayCohort[], defaults: DefaultDelay): DelayCurve {
  checkDefaults(defaults);
  cohorts.forEach((cohort) => checkCohort(cohort, defaults.matureDays));
  return reversedKaplanMeier(cohorts, adaptedShape(cohorts, defaults));
}

/** @param fallback - shape on which each quarter's reverse hazard leans */
export function reversedKaplanMeier(cohorts: readonly DelayCohort[], fallback: Float64Array): DelayCurve {
  const bins = fallback.length - 1;
  const matureDays = bins / DELAY_BINS_PER_DAY;
  const events = new Float64Array(bins);
  const atRisk = new Float64Array(bins);
  let replies = 0;
  for (const { ageDays, repliesByDelay } of cohorts) {
    let arrived = 0;
    for (let d = 0; d < Math.min(ageDays, matureDays) * DELAY_BINS_PER_DAY; d++) {
      const count = repliesByDelay[d] ?? 0;
      arrived += count;
      events[d] = (events[d] as number) + count;
      atRisk[d] = (atRisk[d] as number) + arrived;
    }
    replies += arrived;
  }
  const curve = new Float64Array(bins + 1);
  curve[bins] = 1;
  for (let d = bins - 1; d >= 1; d--) {
    const later = fallback[d + 1] as number;
    const usual = later > 0 ? 1 - (fallback[d] as number) / later : 0;
    const reverseHazard = ((events[d] as number) + LEAN * usual) / ((atRisk[d] as number) + LEAN);
    curve[d] = (curve[d + 1] as number) * (1 - reverseHazard);
  }
  const arrived = Array.from(
    { length: matureDays + 1 },
    (_, day) => curve[day * DELAY_BINS_PER_DAY] as number,
  );
  return { matureDays, arrived, byQuarter: Array.from(curve), replies };
}

/**
 * Weight of an immature cohort's sends in an estimate: the share of its replies that can have arrived.
 *
 * Shapes: scalars in, scalar out.
 * @param curve - from `fitDelayCurve`
 * @param ageDays - days since the send, >= 0; between quarters of a day the share grows evenly
 * @returns share in [0, 1]; 1 from maturity on
 * @throws StatsDomainError with code `range`
 *
 * Reference: as `fitDelayCurve`.
 *
 * @example
 * maturity(fitDelayCurve([], EMAIL_DELAY), 20); // 1
 */
export function maturity(curve: DelayCurve, ageDays: number): number {
  requireDomain(ageDays >= 0, 'range', 'an age must be >= 0');
  const at = Math.min(curve.matureDays, ageDays) * DELAY_BINS_PER_DAY;
  const before = curve.byQuarter[Math.floor(at)] as number;
  const after = curve.byQuarter[Math.ceil(at)] as number;
  return before + (at - Math.floor(at)) * (after - before);
}
