import { WINDOWS } from './effect-change';
import { EVIDENCE_SUMS, noSums, setUnitSums } from './evidence-sums';
import type { EvidenceUnit } from './evidence-units';
import { addNumbers } from './exact-sums';

const LONGEST_WINDOW = Math.max(...WINDOWS);

/** Units of so many fortnights have few spans, which many windows share; of longer ones each is worked out again. */
const FEW_FORTNIGHTS = 8;
const SPANS = Array.from({ length: (FEW_FORTNIGHTS * (FEW_FORTNIGHTS + 1)) / 2 + 1 }, noSums);
/** Of a span: whether it was worked out, and whether it compares anything. */
const [UNKNOWN, EMPTY, FILLED] = [0, 1, 2];
const STATES = new Uint8Array(SPANS.length);

/**
 * Adds what a unit says over the newest fortnights up to each one, for every length of WINDOWS.
 *
 * @param contrasts - of the design, among which the unit's scores stand
 * @param sheetOf - sheet of a fortnight: WINDOWS times EVIDENCE_SUMS numbers
 */
export function addWindows(
  unit: EvidenceUnit,
  contrast: number,
  contrasts: number,
  sheetOf: (now: number) => Float64Array,
  sign: 1 | -1,
): void {
  const { first, length } = unit;
  STATES.fill(UNKNOWN);
  for (let now = first; now < first + length + LONGEST_WINDOW - 1; now++) {
    const last = Math.min(length - 1, now - first);
    let sheet: Float64Array | null = null;
    for (let i = 0; i < WINDOWS.length; i++) {
      const from = Math.max(0, now - (WINDOWS[i] as number) + 1 - first);
      if (from > last) continue;
      const place = length <= FEW_FORTNIGHTS ? (last * (last + 1)) / 2 + from : SPANS.length - 1;
      if (length > FEW_FORTNIGHTS || STATES[place] === UNKNOWN)
        STATES[place] = setSpan(place, unit, contrast, contrasts, from, last);
      if (STATES[place] === EMPTY) continue;
      sheet ??= sheetOf(now);
      addNumbers(sheet, SPANS[place] as Float64Array, i * EVIDENCE_SUMS, sign);
    }
  }
}

function setSpan(
  place: number,
  { z, v, distances }: EvidenceUnit,
  contrast: number,
  contrasts: number,
  from: number,
  last: number,
): number {
  let score = 0;
  let variance = 0;
  for (let row = from; row <= last; row++) {
    score += z[row * contrasts + contrast] as number;
    variance += v[row * contrasts + contrast] as number;
  }
  if (variance === 0) return EMPTY;
  setUnitSums(SPANS[place] as Float64Array, score, variance, distances[contrast] as number);
  return FILLED;
}
