/**
 * `npm test` runs a slice of every promise; `npm run verify:access` sets this and runs the numbers as promised.
 * @param slice - rounds, keys or calls within `npm test`
 * @param full - the same within `npm run verify:access`
 */
export function inForm(slice: number, full: number): number {
  return isFullForm() ? full : slice;
}

/** Whether the numbers are to be those of the promises. */
export function isFullForm(): boolean {
  return process.env.ACCESS_FORM === 'full';
}
