import { exp } from '../numerics/exp';
import { requireDomain } from '../numerics/stats-domain-error';
import { decay, FORWARD_SDS, HALF_LIVES } from './half-lives';

/** Posterior weights of the half-lives and the forward variance that goes with them. */
export interface MemoryWeights {
  /** in the order of HALF_LIVES; they sum to one */
  readonly halfLives: readonly number[];
  /** mean of the squared forward spread, on the logit */
  readonly variance: number;
}

/** Scale of the exponential prior of the forward spread. */
const SPREAD_SCALE = 0.2;
/** Windows of neighbouring origins overlap, and arms of one channel move together. */
const LEARNING_RATE = 0.35;

/** Weights of half-lives and spreads from their summed scores. */
export function memoryWeights(scores: Float64Array, forgotten: number): MemoryWeights {
  const logs = scores.map(
    (score, i) =>
      LEARNING_RATE * forgotten * score - (FORWARD_SDS[i % FORWARD_SDS.length] as number) / SPREAD_SCALE,
  );
  const highest = logs.reduce((a, b) => Math.max(a, b), -Infinity);
  const weights = logs.map((log) => exp(log - highest));
  const total = weights.reduce((a, b) => a + b, 0);
  let variance = 0;
  const halfLives = HALF_LIVES.map((_, h) => {
    let sum = 0;
    FORWARD_SDS.forEach((sd, v) => {
      const weight = (weights[h * FORWARD_SDS.length + v] as number) / total;
      sum += weight;
      variance += weight * sd * sd;
    });
    return sum;
  });
  return { halfLives, variance };
}

/** What a day's counts weigh at an age: the half-lives' weights, averaged. Unchecked. */
export function weightAtAge(halfLives: readonly number[], age: number): number {
  return halfLives.reduce((sum, weight, h) => sum + weight * decay(HALF_LIVES[h] as number, age), 0);
}

/**
 * Mean age of what the arms remember: the average age of the days since `dataFrom`, each weighing what its counts
 * weigh.
 *
 * Shapes: H weights and two days in, scalar out.
 * @param halfLives - weights of the half-lives, as `ArmMemory.weights` gives them
 * @param dataFrom - first day that is remembered, whole, <= asOfDay
 * @param asOfDay - day of the estimate, whole
 * @returns days, >= 0; half of the days where nothing is forgotten, 1.44 half-lives where all but one are unlikely
 * @throws StatsDomainError with code `size` or `order`
 *
 * Reference: West and Harrison (1997), Bayesian Forecasting and Dynamic Models, section 6.3.
 *
 * @example
 * memoryDays([0, 0, 0, 0, 0, 0, 1], 0, 100); // 50
 */
export function memoryDays(halfLives: readonly number[], dataFrom: number, asOfDay: number): number {
  requireDomain(halfLives.length === HALF_LIVES.length, 'size', 'every half-life needs a weight');
  requireDomain(dataFrom <= asOfDay, 'order', 'the memory cannot begin after the estimate');
  let [ages, weights] = [0, 0];
  for (let age = 0; age <= asOfDay - dataFrom; age++) {
    const weight = weightAtAge(halfLives, age);
    ages += weight * age;
    weights += weight;
  }
  return ages / weights;
}
