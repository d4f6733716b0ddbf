import { isDeepStrictEqual } from 'node:util';
import type { Said, Voice } from './voices';

/** Two things that are said of one matter. */
export interface Pair {
  readonly what: string;
  readonly one: unknown;
  readonly other: unknown;
}

/** What answers must agree on. */
export interface Rule {
  readonly name: string;
  readonly pairs: (said: Said) => Iterable<Pair>;
}

export interface Contradiction extends Pair {
  readonly rule: string;
}

export interface VoiceVerdict {
  /** By the name of the rule. */
  readonly comparisons: ReadonlyMap<string, number>;
  readonly contradictions: readonly Contradiction[];
}

/** Holds everything that was said of a company against the rules. */
export function judged(rules: readonly Rule[], said: Said): VoiceVerdict {
  const comparisons = new Map<string, number>();
  const contradictions: Contradiction[] = [];
  for (const { name, pairs } of rules) {
    for (const pair of pairs(said)) {
      comparisons.set(name, (comparisons.get(name) ?? 0) + 1);
      if (!isDeepStrictEqual(pair.one, pair.other)) contradictions.push({ rule: name, ...pair });
    }
  }
  return { comparisons, contradictions };
}

/** What one answer says of a matter that others speak of too. */
export type Claim = readonly [matter: string, value: unknown];

/** A rule that everything that is said of one matter is the same: each saying is held against the first. */
export function alike(name: string, claims: (voice: Voice, said: Said) => Iterable<Claim>): Rule {
  return {
    name,
    *pairs(said) {
      const first = new Map<string, { value: unknown; by: string }>();
      for (const voice of said.voices) {
        for (const [matter, value] of claims(voice, said)) {
          const known = first.get(matter);
          if (known === undefined) first.set(matter, { value, by: nameOf(voice) });
          else yield { what: `${matter}: ${known.by}, ${nameOf(voice)}`, one: known.value, other: value };
        }
      }
    },
  };
}

/** A rule about each answer by itself: what it says twice, in two fields or in a field and a sentence. */
export function within(
  name: string,
  pairs: (voice: Voice, said: Said) => Iterable<readonly [what: string, one: unknown, other: unknown]>,
): Rule {
  return {
    name,
    *pairs(said) {
      for (const voice of said.voices)
        for (const [what, one, other] of pairs(voice, said))
          yield { what: `${what}: ${nameOf(voice)}`, one, other };
    },
  };
}

export function nameOf({ question, way, asked }: Voice): string {
  return `${question} over ${way}${Object.keys(asked).length === 0 ? '' : ` ${JSON.stringify(asked)}`}`;
}

/**
 * The one number where the other is as good as it, else the other: answers round to six digits, and what follows from
 * rounded numbers is a little off.
 * @param tolerance - as a share of the larger
 */
export function orNear(one: number, other: number, tolerance = 1e-4): number {
  return Math.abs(one - other) <= tolerance * Math.max(Math.abs(one), Math.abs(other)) ? one : other;
}

/** The words where a number would be told with them, to as many places; else the number. */
export function orSpoken(words: string | undefined, value: unknown): unknown {
  if (words === undefined || typeof value !== 'number') return value;
  const places = words.split('.')[1]?.length ?? 0;
  return Math.abs(Number(words) - value) <= 0.501 * 10 ** -places ? words : value;
}
