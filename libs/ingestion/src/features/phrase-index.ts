import { hashOf } from './fnv';
import { beginningOf, BEGINNINGS, type Tokens } from './words';

interface Wording<Name> {
  readonly name: Name;
  readonly words: readonly string[];
}

/** How wordings go on, known by numbers alone: what seems to be a wording is compared with it in the end. */
interface Step<Name> {
  /** By the hash of the next word. */
  readonly words: Map<number, Step<Name>>;
  /** By the first letters of the next word, where it ends in `*`. */
  readonly stems: Map<number, Step<Name>>;
  /** Those that have no further word. */
  readonly wordings: Wording<Name>[];
}

/**
 * Finds the wordings of several lists in one pass over a text's tokens. A list per name; in a wording, a word that
 * ends in `*` stands for every word that begins so, with three letters at least. Punctuation and line ends do not part
 * a wording.
 */
export class PhraseIndex<Name extends string> {
  private readonly first: Step<Name> = newStep();
  private readonly nothing: Record<Name, number>;
  /** 1 where a wording may begin with a token of such a hash, or of such a beginning: few have to be looked up. */
  private readonly mayBeFirst = new Uint8Array(HASHES);
  private readonly mayHaveStem = new Uint8Array(BEGINNINGS);

  constructor(lists: Readonly<Record<Name, readonly string[]>>) {
    const names = Object.keys(lists) as Name[];
    this.nothing = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
    for (const name of names) {
      for (const text of lists[name]) {
        const words = text.match(/[a-z0-9']+\*?/g) ?? [];
        words.reduce(stepTo, this.first).wordings.push({ name, words });
      }
    }
    for (const hash of this.first.words.keys()) this.mayBeFirst[hash & HASH_BITS] = 1;
    for (const beginning of this.first.stems.keys()) this.mayHaveStem[beginning] = 1;
  }

  /**
   * How often each list's wordings occur in a part of a text.
   * @param from - its first token
   * @param to - the token behind its last
   */
  count(tokens: Tokens, from = 0, to = tokens.count): Record<Name, number> {
    const counts = { ...this.nothing };
    const { hashes, beginnings } = tokens;
    for (let at = from; at < to; at += 1) {
      const hash = hashes[at] ?? 0;
      if (this.mayBeFirst[hash & HASH_BITS] === 1) {
        tally(this.first.words.get(hash), tokens, at, at + 1, to, counts);
      }
      const beginning = beginnings[at] ?? 0;
      if (this.mayHaveStem[beginning] === 1) {
        tally(this.first.stems.get(beginning), tokens, at, at + 1, to, counts);
      }
    }
    return counts;
  }
}

const HASHES = 2 ** 13;
const HASH_BITS = HASHES - 1;

function newStep<Name>(): Step<Name> {
  return { words: new Map(), stems: new Map(), wordings: [] };
}

function stepTo<Name>({ words, stems }: Step<Name>, word: string): Step<Name> {
  const [steps, key] = word.endsWith('*') ? [stems, beginningOf(...unitsOf(word))] : [words, hashOf(word)];
  const step = steps.get(key) ?? newStep<Name>();
  steps.set(key, step);
  return step;
}

function unitsOf(word: string): [number, number, number] {
  return [word.charCodeAt(0), word.charCodeAt(1), word.charCodeAt(2)];
}

/** Counts the wordings that begin at a token and have gone as far as a step, which is before the token `next`. */
function tally<Name extends string>(
  step: Step<Name> | undefined,
  tokens: Tokens,
  at: number,
  next: number,
  to: number,
  counts: Record<Name, number>,
): void {
  if (!step) return;
  for (const { name, words } of step.wordings) if (stand(words, tokens, at)) counts[name] += 1;
  if (next >= to) return;
  tally(step.words.get(tokens.hashes[next] ?? 0), tokens, at, next + 1, to, counts);
  if (step.stems.size === 0) return;
  tally(step.stems.get(tokens.beginnings[next] ?? 0), tokens, at, next + 1, to, counts);
}

/** Whether words stand at a token; the text has as many tokens from there on. */
function stand(words: readonly string[], { lower, starts, ends }: Tokens, at: number): boolean {
  for (let offset = 0; offset < words.length; offset += 1) {
    const word = words[offset] ?? '';
    const token = lower.slice(starts[at + offset], ends[at + offset]);
    if (token !== word && !(word.endsWith('*') && token.startsWith(word.slice(0, -1)))) return false;
  }
  return true;
}
