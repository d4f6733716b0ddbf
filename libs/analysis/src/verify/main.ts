import { formatCheck, type Check } from '@outcomes/statistics/verify';
import type { SentDays } from './real-history';
import { verifyMemory } from './verify-memory';
import { verifyRunLength } from './verify-run-length';
import { verifyWatch } from './verify-watch';

export { readSentDays } from './real-history';

type Section = (scale: number, real: SentDays | undefined) => Promise<Check[]>;

/** Acceptance lines of the statistics design that are measured in the documents of a run. */
const SECTIONS: Readonly<Record<string, Section>> = {
  memory: verifyMemory,
  ledger: verifyRunLength,
  watch: verifyWatch,
};

/**
 * Runs the chosen sections at a scale (1: the full size).
 * @param sections - all of them where none is named
 * @param real - days of a real history; lines that need one are left out without it
 * @returns number of failures
 */
export async function verify(
  scale: number,
  sections: readonly string[],
  real: SentDays | undefined,
  print: (line: string) => void,
): Promise<number> {
  const checks: Check[] = [];
  for (const [name, section] of Object.entries(SECTIONS)) {
    if (sections.length > 0 && !sections.includes(name)) continue;
    const found = await section(scale, real);
    found.forEach((check) => print(formatCheck(check)));
    checks.push(...found);
  }
  return checks.filter(({ pass }) => !pass).length;
}
