/**
 * Rounding of served numbers: rates, probabilities, shares and ratios keep six significant digits, which is more
 * than any of them is known to, and hides the last bits in which platforms could differ. Posterior shapes
 * (alpha, beta) and what is defined by them exactly (mean, variance) are not rounded.
 */
const SIGNIFICANT_DIGITS = 6;
/** Evidence above this says nothing more; JSON has no infinity. */
const LARGEST = 1e300;

/** @param value - NaN is a fault of the computation and gives null */
export function rounded(value: number): number;
export function rounded(value: number | null): number | null;
export function rounded(value: number | null): number | null {
  if (value === null || Number.isNaN(value)) return null;
  return Number(Math.max(-LARGEST, Math.min(LARGEST, value)).toPrecision(SIGNIFICANT_DIGITS));
}

/** Fixed number of decimals, for fields whose definition names them. */
export function decimals(value: number, places: number): number {
  return Number(value.toFixed(places));
}
