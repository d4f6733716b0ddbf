import { createHash } from 'node:crypto';

/** A mutant as it is known before and after the run: in the report of Stryker, and to its checkers. */
export interface DrawnMutant {
  /** Path that begins with the folder of the lib's sources: src/… */
  readonly file: string;
  /** Of its first character, from 1 on. */
  readonly line: number;
  readonly column: number;
  readonly mutatorName: string;
  readonly replacement: string;
}

/**
 * Whether a mutant belongs to a random sample. What decides is a hash, so that the same mutants are drawn in each process,
 * and again in the next run, for as long as the code before them stays.
 * @param share - of all mutants, 0 to 1
 * @param seed - another one draws others
 */
export function isDrawn(mutant: DrawnMutant, share: number, seed: string): boolean {
  const { file, line, column, mutatorName, replacement } = mutant;
  const hash = createHash('sha256').update(
    JSON.stringify([seed, file, line, column, mutatorName, replacement]),
  );
  return hash.digest().readUInt32BE() / 2 ** 32 < share;
}

/**
 * Wilson's interval of 95 % for a share that was counted in a random sample (E. B. Wilson, "Probable inference, the law of
 * succession, and statistical inference", 1927). That a lib has only so many mutants would make it narrower.
 * @returns both ends, 0 to 1
 */
export function interval(counted: number, of: number): { readonly low: number; readonly high: number } {
  if (of === 0) return { low: 0, high: 1 };
  const z = 1.959964;
  const share = counted / of;
  const middle = (share + z ** 2 / (2 * of)) / (1 + z ** 2 / of);
  const half = (z * Math.sqrt((share * (1 - share)) / of + z ** 2 / (4 * of ** 2))) / (1 + z ** 2 / of);
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}
