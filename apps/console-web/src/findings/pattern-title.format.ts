import { PATTERN_CATALOGUE } from '@outcomes/contracts';
import { plain } from '../words.format';

/** What a pattern is, without what is found of it: "Direct tone" of TA-1. */
export function patternTitle(code: string): string {
  return plain(PATTERN_CATALOGUE.find((pattern) => pattern.code === code)?.title ?? code);
}
