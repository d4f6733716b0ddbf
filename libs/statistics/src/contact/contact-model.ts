import { requireDomain } from '../numerics/stats-domain-error';
import { betaInterval } from '../numerics/beta-interval';
import { betaQuantile } from '../numerics/beta-quantile';
import { expit, logit } from '../numerics/logistic';
import { normalQuantile } from '../numerics/normal';
import { isShape } from '../numerics/stats-domain-error';
import { penalisedLogistic } from './penalised-logistic';

/** One pattern of contact history with its matured outcomes. */
export interface ContactRow {
  /** the arm's posterior mean when the touch was made, in (0, 1) */
  readonly armMean: number;
  /** history features; all zero for a contact without history */
  readonly x: readonly number[];
  readonly n: number;
  readonly y: number;
}

export interface ContactModel {
  readonly coefficients: readonly number[];
  readonly covariance: readonly (readonly number[])[];
  /** sends that informed the model */
  readonly sends: number;
}

export interface ContactPrediction {
  readonly probability: number;
  /** 95 % interval */
  readonly low: number;
  readonly high: number;
  /** `arm`: nothing is known of the contact and this is the arm's posterior, exactly */
  readonly basis: 'arm' | 'contact';
}

/** Spread of true history effects on the log-odds scale: a ridge that keeps rare histories near the arm. */
const RIDGE_SD = 0.5;
const MASS = 0.95;

/**
 * How a contact's history shifts the arm's log-odds: ridge logistic regression with the arm as offset
 * and no intercept, so that no history means no shift.
 *
 * Shapes: R rows of C features in, C coefficients and their C x C covariance out.
 * @param rows - matured touches grouped by history
 * @returns model, or null where no row has a history
 * @throws StatsDomainError with code `size`, `count`, `mass` or `range`
 *
 * Reference: le Cessie and van Houwelingen (1992), Applied Statistics 41, 191-201.
 * Oracle: calibration by simulation, verify:statistics.
 *
 * @example
 * fitContactModel([{ armMean: 0.05, x: [1], n: 1000, y: 100 }]).coefficients; // [0.715]
 */
export function fitContactModel(rows: readonly ContactRow[]): ContactModel | null {
  const informed = rows.filter(({ x, n }) => n > 0 && x.some((value) => value !== 0));
  if (informed.length === 0) return null;
  const width = (informed[0] as ContactRow).x.length;
  const fit = penalisedLogistic({
    x: informed.map(({ x }) => x),
    n: informed.map(({ n }) => n),
    y: informed.map(({ y }) => y),
    offset: informed.map(({ armMean }) => logit(armMean)),
    penalties: new Array<number>(width).fill(RIDGE_SD),
  });
  return {
    coefficients: fit.coefficients,
    covariance: fit.covariance,
    sends: informed.reduce((sum, { n }) => sum + n, 0),
  };
}

/**
 * Chance that a contact replies to the next touch on an arm.
 *
 * Shapes: one model, one arm, one feature row in; one probability with its interval out.
 * @param model - from `fitContactModel`, or null
 * @param arm - the arm's Beta posterior, shapes finite and > 0
 * @param x - history features, as many as the model has; all zero for a contact without history
 * @returns the arm's own mean and interval for a contact without history, exactly
 * @throws StatsDomainError with code `shape` or `size`
 *
 * Reference: Zou and Donner (2008), Statistics in Medicine 27, 1693-1702 (interval of a sum from its parts' limits).
 *
 * @example
 * predictContact(null, { alpha: 5, beta: 95 }, []).probability; // 0.05
 */
export function predictContact(
  model: ContactModel | null,
  arm: { readonly alpha: number; readonly beta: number },
  x: readonly number[],
): ContactPrediction {
  requireDomain(
    isShape(arm.alpha) && isShape(arm.beta),
    'shape',
    'the arm needs finite Beta shapes above zero',
  );
  const mean = arm.alpha / (arm.alpha + arm.beta);
  if (model === null || x.every((value) => value === 0)) {
    return { probability: mean, ...betaInterval(arm.alpha, arm.beta, MASS), basis: 'arm' };
  }
  requireDomain(
    x.length === model.coefficients.length && x.every(Number.isFinite),
    'size',
    'features must match the model',
  );
  const shift = x.reduce((sum, value, j) => sum + value * (model.coefficients[j] as number), 0);
  let shiftVariance = 0;
  x.forEach((xi, i) =>
    x.forEach((xj, j) => {
      shiftVariance += xi * xj * ((model.covariance[i] as readonly number[])[j] as number);
    }),
  );
  // The arm's logit spread from its own quantiles: a Beta with a small alpha is far from normal.
  const z = normalQuantile((1 + MASS) / 2);
  const half = (side: -1 | 1): number => {
    const p = side < 0 ? (1 - MASS) / 2 : (1 + MASS) / 2;
    const end = Math.min(1 - 1e-12, Math.max(1e-12, betaQuantile(p, arm.alpha, arm.beta)));
    const armHalf = logit(end) - logit(mean);
    return side * Math.sqrt(armHalf * armHalf + z * z * shiftVariance);
  };
  const centre = logit(mean) + shift;
  return {
    probability: expit(centre),
    low: expit(centre + half(-1)),
    high: expit(centre + half(1)),
    basis: 'contact',
  };
}
