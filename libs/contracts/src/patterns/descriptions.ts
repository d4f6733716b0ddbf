import { PATTERN_CATALOGUE, type PatternDefinition } from './catalogue';
import type { PatternDescription } from '../questions/descriptions-of-patterns';
import { APPROACH_AND_SEQUENCE } from './texts/approach-and-sequence';
import { LENGTH_AND_SUBJECT } from './texts/length-and-subject';
import type { PatternText } from './texts/pattern-text';
import { TONE_AND_TIMING } from './texts/tone-and-timing';

export type { PatternText } from './texts/pattern-text';

const TEXTS: ReadonlyMap<string, PatternText> = new Map(
  [TONE_AND_TIMING, LENGTH_AND_SUBJECT, APPROACH_AND_SEQUENCE].flatMap((texts) => Object.entries(texts)),
);

/**
 * Texts of a pattern code.
 * @throws RangeError where the catalogue has no such code: a fault of the caller's code, not of data
 */
export function patternTextOf(code: string): PatternText {
  const text = TEXTS.get(code);
  if (!text) throw new RangeError(`no text for pattern ${code}`);
  return text;
}

/** Every code of the catalogue with its description, in catalogue order. */
export const PATTERN_DESCRIPTIONS: Readonly<Record<string, PatternDescription>> = Object.fromEntries(
  PATTERN_CATALOGUE.map((pattern) => [pattern.code, describe(pattern)]),
);

function describe(pattern: PatternDefinition): PatternDescription {
  const { description, note } = patternTextOf(pattern.code);
  return {
    description,
    category: pattern.category,
    analysis: pattern.analysis,
    type: pattern.type,
    ...(pattern.chartType !== undefined && { chartType: pattern.chartType }),
    ...(note !== undefined && { note }),
  };
}
