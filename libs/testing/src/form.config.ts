import { appendFileSync } from 'node:fs';

/** Jest's, in whose tests alone this is called. */
declare const expect: { getState(): { readonly currentTestName?: string } };

/**
 * `npm test` runs a slice of every promise; what runs a suite as `tools/suites.ts` does (`npm run verify:access`,
 * `verify:analysis`) sets this and runs the numbers as promised.
 * @param slice - rounds, keys or calls within `npm test`
 * @param full - the same within these commands
 */
export function inForm(slice: number, full: number): number {
  return isFullForm() ? full : slice;
}

/** Whether the numbers are to be those of the promises. */
export function isFullForm(): boolean {
  return process.env.ACCESS_FORM === 'full';
}

/** Whether answers of which no golden is kept are to be kept: `ADD_GOLDENS=1 npm test -- apps/surfaces-e2e`. */
export function addsGoldens(): boolean {
  return process.env.ADD_GOLDENS === '1';
}

/**
 * What a promise was held with, for the closing table of `npm run verify:access`; `npm test` keeps no such notes.
 * @param text - a few figures, e.g. `7,412 requests, 0 of another company`
 */
export function noteFigures(text: string): void {
  const file = process.env.ACCESS_FIGURES;
  if (file) appendFileSync(file, `${JSON.stringify({ test: expect.getState().currentTestName, text })}\n`);
}
