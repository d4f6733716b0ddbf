import { requireDomain } from '../numerics/stats-domain-error';

/**
 * What a dimension describes, which decides how its messages are compared:
 * - text: inside a cell, the text is what repeats
 * - weekday, daypart: inside a cell, the day is what repeats
 * - channel: first touches only, across the channels of a cell
 * - step: across the steps of a cell; described, never claimed, since only those who did not answer get a next step
 */
export type DimensionKind = 'text' | 'weekday' | 'daypart' | 'channel' | 'step';

/** A dimension of messages with the indexes of its levels in the count arrays. */
export interface EvidenceDimension {
  readonly name: string;
  readonly kind: DimensionKind;
  readonly levels: readonly number[];
}

/** A pattern: one level of a dimension against its other levels. */
export interface EvidenceCode {
  readonly code: string;
  readonly dimension: string;
  readonly level: number;
}

/** One level against all other levels of its dimension, or against all but one. */
export interface Contrast {
  readonly level: number;
  readonly others: readonly number[];
}

/** A level that is compared: every level with a code, and in dimensions of three or more levels every level. */
export interface Feature {
  readonly dimension: number;
  readonly level: number;
  /** contrast with all other levels */
  readonly contrast: number;
  /** contrasts without one other level; empty in dimensions of two levels */
  readonly without: readonly { readonly level: number; readonly contrast: number }[];
}

/** The codes of a catalogue and the contrasts that they need, worked out once. */
export interface EvidenceDesign {
  /** length of the count arrays */
  readonly width: number;
  /** exact step of a first touch */
  readonly firstStep: number;
  readonly dimensions: readonly EvidenceDimension[];
  readonly codes: readonly EvidenceCode[];
  readonly features: readonly Feature[];
  /** feature of each code */
  readonly featureOf: readonly number[];
  readonly contrasts: readonly Contrast[];
  /** features of each dimension */
  readonly featuresOf: readonly (readonly number[])[];
  /** levels that count days, for the effective number of days */
  readonly dayLevels: readonly number[];
}

export const isTiming = (kind: DimensionKind): boolean => kind === 'weekday' || kind === 'daypart';

/** The contrasts of a feature: with all other levels, then those without one of them. */
export function contrastsOf({ contrast, without }: Feature): number[] {
  return [contrast, ...without.map((left) => left.contrast)];
}

export function isTimingFeature({ dimensions }: EvidenceDesign, { dimension }: Feature): boolean {
  return isTiming((dimensions[dimension] as EvidenceDimension).kind);
}

/** Contrasts of weekday and daypart, whose units are fortnights. */
export function timingContrasts(design: EvidenceDesign): number[] {
  return design.features.filter((feature) => isTimingFeature(design, feature)).flatMap(contrastsOf);
}

function checkDimensions(dimensions: readonly EvidenceDimension[]): void {
  const levels = dimensions.flatMap((dimension) => dimension.levels);
  requireDomain(
    levels.every((level) => Number.isInteger(level) && level >= 0),
    'range',
    'a level index must be a whole number >= 0',
  );
  requireDomain(new Set(levels).size === levels.length, 'range', 'a level belongs to one dimension, once');
  requireDomain(
    new Set(dimensions.map(({ name }) => name)).size === dimensions.length,
    'range',
    'a dimension is named twice',
  );
  requireDomain(
    dimensions.filter(({ kind }) => kind === 'weekday').length <= 1,
    'range',
    'days are counted by one dimension',
  );
}

function checkCodes(dimensions: readonly EvidenceDimension[], codes: readonly EvidenceCode[]): void {
  for (const { code, dimension, level } of codes) {
    const own = dimensions.find(({ name }) => name === dimension);
    requireDomain(own !== undefined, 'range', `code ${code} is of an unknown dimension`);
    requireDomain(own.levels.includes(level), 'range', `code ${code} is a level of another dimension`);
  }
  requireDomain(
    new Set(codes.map(({ code }) => code)).size === codes.length,
    'range',
    'a code appears twice',
  );
}

/**
 * Works out which contrasts the codes of a catalogue need.
 *
 * Shapes: dimensions with m codes in, one design with m codes out.
 * @param dimensions - names and levels are unique; level indexes are whole numbers >= 0
 * @param codes - each a level of one of the dimensions
 * @param firstStep - exact step of a first touch; default 0
 * @returns the design that scores, distances and judgements are made with
 * @throws StatsDomainError with code `range`
 *
 * In a dimension of three or more levels every level is compared, with a code or without: a level without a code
 * may be the one that stands out, and the codes beside it must not be claimed in its place.
 * Reference: statistics design, section 2.1.
 *
 * @example
 * evidenceDesign([{ name: 'tone', kind: 'text', levels: [0, 1, 2] }], [{ code: 'TA-1', dimension: 'tone', level: 0 }]).contrasts.length; // 9
 */
export function evidenceDesign(
  dimensions: readonly EvidenceDimension[],
  codes: readonly EvidenceCode[],
  firstStep = 0,
): EvidenceDesign {
  checkDimensions(dimensions);
  checkCodes(dimensions, codes);
  const coded = new Set(codes.map(({ level }) => level));
  const contrasts: Contrast[] = [];
  const features: Feature[] = [];
  dimensions.forEach(({ levels }, dimension) => {
    for (const level of levels) {
      if (levels.length < 3 && !coded.has(level)) continue;
      const others = levels.filter((other) => other !== level);
      const contrast = contrasts.push({ level, others }) - 1;
      const without = (levels.length < 3 ? [] : others).map((left) => ({
        level: left,
        contrast: contrasts.push({ level, others: others.filter((other) => other !== left) }) - 1,
      }));
      features.push({ dimension, level, contrast, without });
    }
  });
  return {
    width: 1 + Math.max(-1, ...dimensions.flatMap(({ levels }) => levels)),
    firstStep,
    dimensions,
    codes,
    features,
    featureOf: codes.map((code) => features.findIndex(({ level }) => level === code.level)),
    contrasts,
    featuresOf: dimensions.map((_, d) =>
      features.flatMap(({ dimension }, f) => (dimension === d ? [f] : [])),
    ),
    dayLevels: dimensions.find(({ kind }) => kind === 'weekday')?.levels ?? [],
  };
}
