/** Letters by which wordings that begin with `help*` and the like are looked up. */
const STEM_LETTERS = 3;

interface Wording<Name> {
  readonly name: Name;
  readonly words: readonly string[];
}

/**
 * Finds the wordings of several lists in one pass over a text's tokens. A list per name; in a wording, a word that
 * ends in `*` stands for every word that begins so. Punctuation and line ends do not part a wording.
 */
export class PhraseIndex<Name extends string> {
  private readonly byWord = new Map<string, Wording<Name>[]>();
  private readonly byStem = new Map<string, Wording<Name>[]>();
  private readonly nothing: Record<Name, number>;
  /** By the first letters of a token, 1 where a wording may begin so: few tokens have to be looked up. */
  private readonly mayBegin = new Uint8Array(BEGINNINGS);

  constructor(lists: Readonly<Record<Name, readonly string[]>>) {
    const names = Object.keys(lists) as Name[];
    this.nothing = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
    for (const name of names) {
      for (const text of lists[name]) {
        const words = text.match(/[a-z0-9']+\*?/g) ?? [];
        const first = words[0] ?? '';
        if (first.endsWith('*')) note(this.byStem, first.slice(0, STEM_LETTERS), { name, words });
        else note(this.byWord, first, { name, words });
        this.mayBegin[beginningOf(first)] = 1;
      }
    }
  }

  /** How often each list's wordings occur. */
  count(tokens: readonly string[]): Record<Name, number> {
    const counts = { ...this.nothing };
    for (let at = 0; at < tokens.length; at += 1) {
      const token = tokens[at] ?? '';
      if (this.mayBegin[beginningOf(token)] === 0) continue;
      const wordings = this.byWord.get(token);
      if (wordings) tally(wordings, tokens, at, counts);
      if (token.length < STEM_LETTERS) continue;
      const stems = this.byStem.get(token.slice(0, STEM_LETTERS));
      if (stems) tally(stems, tokens, at, counts);
    }
    return counts;
  }
}

const BEGINNINGS = 2 ** 15;

/** Three letters in 15 bits. Others share the places of letters, which costs a look-up and no more. */
function beginningOf(token: string): number {
  return ((token.charCodeAt(0) & 31) << 10) | ((token.charCodeAt(1) & 31) << 5) | (token.charCodeAt(2) & 31);
}

function tally<Name extends string>(
  wordings: readonly Wording<Name>[],
  tokens: readonly string[],
  at: number,
  counts: Record<Name, number>,
): void {
  for (const { name, words } of wordings) if (stands(words, tokens, at)) counts[name] += 1;
}

function note<Name>(wordings: Map<string, Wording<Name>[]>, key: string, wording: Wording<Name>): void {
  wordings.set(key, [...(wordings.get(key) ?? []), wording]);
}

function stands(words: readonly string[], tokens: readonly string[], at: number): boolean {
  for (let offset = 0; offset < words.length; offset += 1) {
    const word = words[offset] ?? '';
    const token = tokens[at + offset];
    if (token !== word && !(word.endsWith('*') && token?.startsWith(word.slice(0, -1)))) return false;
  }
  return true;
}
