import { WINDOWS } from './effect-change';
import { EVIDENCE_SUMS, noSums, setUnitSums } from './evidence-sums';
import type { EvidenceUnit } from './evidence-units';
import { addNumbers } from './exact-sums';

const LONGEST_WINDOW = Math.max(...WINDOWS);
const OWN = noSums();

/**
 * Adds what a unit says over the newest fortnights up to each one, for every length of WINDOWS.
 *
 * @param contrasts - of the design, among which the unit's scores stand
 * @param sheetOf - sheet of a fortnight: WINDOWS times EVIDENCE_SUMS numbers
 */
export function addWindows(
  { first, length, z, v, distances }: EvidenceUnit,
  contrast: number,
  contrasts: number,
  sheetOf: (now: number) => Float64Array,
  sign: 1 | -1,
): void {
  let knownScore = 0;
  let knownVariance = 0;
  for (let now = first; now < first + length + LONGEST_WINDOW - 1; now++) {
    const last = Math.min(length - 1, now - first);
    let sheet: Float64Array | null = null;
    for (let i = 0; i < WINDOWS.length; i++) {
      const from = Math.max(0, now - (WINDOWS[i] as number) + 1 - first);
      let score = 0;
      let variance = 0;
      for (let row = from; row <= last; row++) {
        score += z[row * contrasts + contrast] as number;
        variance += v[row * contrasts + contrast] as number;
      }
      if (variance === 0) continue;
      if (score !== knownScore || variance !== knownVariance) {
        setUnitSums(OWN, score, variance, distances[contrast] as number);
        knownScore = score;
        knownVariance = variance;
      }
      sheet ??= sheetOf(now);
      addNumbers(sheet, OWN, i * EVIDENCE_SUMS, sign);
    }
  }
}
