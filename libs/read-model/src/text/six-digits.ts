/** Six significant digits; frozen bytes beside it have all of them. */
export function sixDigits(value: number): number;
export function sixDigits(value: number | null): number | null;
export function sixDigits(value: number | null): number | null {
  return value === null ? null : Number(value.toPrecision(6));
}
