import { exp } from '../numerics/exp';
import { expit, logit } from '../numerics/logistic';
import { drawIndex, drawNormal, type Rng } from '../random';
import { DIMENSIONS, type DimensionPlan, levelOffsets, POSITION_SHARES } from './dimension-plan';

/** Small integers that name a stratum's parts. */
export interface StratumKey {
  readonly channel: number;
  readonly step: number;
  readonly position: number;
}

/** What is planted in a generated company. Everything has a default: `{}` is a plain company without effects. */
export interface CompanyModelSpec {
  /** mean reply rate of the reference stratum mix; default 0.05 */
  readonly baseRate?: number;
  /** log odds ratio per "dimension.level", against the other levels of the dimension */
  readonly effects?: Readonly<Record<string, number>>;
  /** how strongly feature choice depends on the stratum (standard deviation of log weights); default 0.7 */
  readonly confounding?: number;
  /** spread of the strata's log-odds; default 0.4 */
  readonly strataSpread?: number;
  /** parts of the stratum that really change the reply rate; default all three */
  readonly strataEffects?: readonly (keyof StratumKey)[];
  readonly dimensions?: readonly DimensionPlan[];
}

export interface PlantedStratum {
  readonly key: StratumKey;
  readonly share: number;
  readonly logOdds: number;
  /** level shares per dimension, in the order of the dimensions */
  readonly levelShares: readonly Float64Array[];
}

/** A company with all its hidden truth decided; sends are drawn from it. */
export interface CompanyModel {
  readonly dimensions: readonly DimensionPlan[];
  readonly offsets: readonly number[];
  readonly width: number;
  readonly strata: readonly PlantedStratum[];
  /** added log-odds per flat level */
  readonly levelLogOr: Float64Array;
}

/** The log-odds that make the mix of strata average to the base rate. */
function centre(shares: readonly number[], raw: readonly number[], baseRate: number): number {
  let shift = logit(baseRate);
  for (let i = 0; i < 30; i++) {
    let mean = 0;
    let slope = 0;
    shares.forEach((share, s) => {
      const p = expit(shift + (raw[s] as number));
      mean += share * p;
      slope += share * p * (1 - p);
    });
    shift -= (mean - baseRate) / slope;
  }
  return shift;
}

/**
 * Decides a company's hidden truth: strata with their rates, feature choice that depends on the
 * stratum, and the planted odds ratios.
 *
 * @param spec - what to plant
 * @param rng - source of randomness for everything that the spec leaves open
 *
 * @example
 * planCompany({ effects: { 'tone.questioning': 0.6 } }, seededRng(1)).width; // 51
 */
export function planCompany(spec: CompanyModelSpec, rng: Rng): CompanyModel {
  const dimensions = spec.dimensions ?? DIMENSIONS;
  const { offsets, width } = levelOffsets(dimensions);
  const confounding = spec.confounding ?? 0.7;
  const spread = spec.strataSpread ?? 0.4;
  const levelLogOr = new Float64Array(width);
  dimensions.forEach(({ name, levels }, d) =>
    levels.forEach(
      (level, l) => (levelLogOr[(offsets[d] as number) + l] = spec.effects?.[`${name}.${level}`] ?? 0),
    ),
  );
  const shareOf = (part: 'channel' | 'step'): readonly number[] =>
    dimensions.find(({ stratumPart }) => stratumPart === part)?.shares ?? [1];
  // Feature choice leans on position and on step separately, so that strata resemble their neighbours.
  const lean = (count: number): Float64Array[] =>
    Array.from({ length: count }, () =>
      Float64Array.from({ length: width }, () => (confounding / Math.SQRT2) * drawNormal(rng)),
    );
  const leanByPosition = lean(POSITION_SHARES.length);
  const leanByStep = lean(shareOf('step').length);
  const active = spec.strataEffects ?? ['channel', 'step', 'position'];
  const effectBy = (part: keyof StratumKey, count: number): number[] =>
    Array.from({ length: count }, () => (active.includes(part) ? spread : 0) * drawNormal(rng));
  const byChannel = effectBy('channel', shareOf('channel').length);
  const byStep = effectBy('step', shareOf('step').length);
  const byPosition = effectBy('position', POSITION_SHARES.length);

  const keys: { key: StratumKey; share: number; raw: number }[] = [];
  shareOf('channel').forEach((channelShare, channel) =>
    shareOf('step').forEach((stepShare, step) =>
      POSITION_SHARES.forEach((positionShare, position) =>
        keys.push({
          key: { channel, step, position },
          share: channelShare * stepShare * positionShare,
          raw: (byChannel[channel] as number) + (byStep[step] as number) + (byPosition[position] as number),
        }),
      ),
    ),
  );
  const shift = centre(
    keys.map(({ share }) => share),
    keys.map(({ raw }) => raw),
    spec.baseRate ?? 0.05,
  );
  const strata = keys.map(({ key, share, raw }): PlantedStratum => {
    const levelShares = dimensions.map(({ shares, stratumPart, byDay }, d) => {
      const offset = offsets[d] as number;
      if (stratumPart) return Float64Array.from(shares, (_, l) => (l === key[stratumPart] ? 1 : 0));
      const weights = Float64Array.from(shares, (weight, l) => {
        const leaning =
          ((leanByPosition[key.position] as Float64Array)[offset + l] as number) +
          ((leanByStep[key.step] as Float64Array)[offset + l] as number);
        return weight * (byDay ? 1 : exp(leaning));
      });
      const total = weights.reduce((a, b) => a + b, 0);
      return weights.map((weight) => weight / total);
    });
    return { key, share, logOdds: shift + raw, levelShares };
  });
  return { dimensions, offsets, width, strata, levelLogOr };
}

/**
 * Draws one send's stratum and levels, and what they add up to.
 *
 * @param weekday - 0 is Monday; levels of dimensions that go by the day follow from it
 * @param levels - one place per dimension, overwritten with the levels that were drawn
 * @param strataShares - one share per stratum, in sum 1
 * @returns index of the stratum, and the log-odds of a reply
 *
 * @example
 * drawSend(planCompany({}, seededRng(1)), seededRng(2), 0, new Int32Array(20), [1]).stratum; // 0
 */
export function drawSend(
  model: CompanyModel,
  rng: Rng,
  weekday: number,
  levels: Int32Array,
  strataShares: ArrayLike<number>,
): { stratum: number; logOdds: number } {
  const index = drawIndex(rng, strataShares);
  const stratum = model.strata[index] as PlantedStratum;
  let logOdds = stratum.logOdds;
  model.dimensions.forEach((dimension, d) => {
    const level = dimension.byDay
      ? weekday
      : dimension.stratumPart
        ? stratum.key[dimension.stratumPart]
        : drawIndex(rng, stratum.levelShares[d] as Float64Array);
    const flat = (model.offsets[d] as number) + level;
    levels[d] = flat;
    logOdds += model.levelLogOr[flat] as number;
  });
  return { stratum: index, logOdds };
}

/**
 * Weekday of a day since the epoch: Monday is 0, and day zero was a Thursday.
 *
 * @example
 * weekdayOf(0); // 3
 */
export const weekdayOf = (day: number): number => (((day + 3) % 7) + 7) % 7;
