const TOKEN = /[a-z0-9']+/g;
/** Letters of a word by which wordings are looked up; long enough to part them, short enough for `help*`. */
const KEY_LETTERS = 3;

/** A text cut into words of letters, digits and apostrophes. Punctuation and line ends do not part a wording. */
export type Tokens = readonly string[];

/** @param lower - text in lower case with plain quotes */
export function tokensOf(lower: string): Tokens {
  return lower.match(TOKEN) ?? [];
}

interface Wording<Name> {
  readonly name: Name;
  readonly words: readonly string[];
}

/**
 * Finds the wordings of several lists in one pass over a text. A list per name; in a wording, a word that ends in
 * `*` stands for every word that begins so.
 */
export class PhraseIndex<Name extends string> {
  private readonly wordings = new Map<string, Wording<Name>[]>();
  private readonly names: readonly Name[];

  constructor(lists: Readonly<Record<Name, readonly string[]>>) {
    this.names = Object.keys(lists) as Name[];
    for (const name of this.names) {
      for (const text of lists[name]) {
        const words = text.split(' ').flatMap((word) => word.match(/[a-z0-9']+\*?/g) ?? []);
        const key = (words[0] ?? '').replace('*', '').slice(0, KEY_LETTERS);
        this.wordings.set(key, [...(this.wordings.get(key) ?? []), { name, words }]);
      }
    }
  }

  /** How often each list's wordings occur. */
  count(tokens: Tokens): Record<Name, number> {
    const counts = Object.fromEntries(this.names.map((name) => [name, 0])) as Record<Name, number>;
    tokens.forEach((token, at) => {
      for (const { name, words } of this.wordings.get(token.slice(0, KEY_LETTERS)) ?? []) {
        if (stands(words, tokens, at)) counts[name] += 1;
      }
    });
    return counts;
  }
}

function stands(words: readonly string[], tokens: Tokens, at: number): boolean {
  return words.every((word, offset) => {
    const token = tokens[at + offset];
    return word.endsWith('*') ? token?.startsWith(word.slice(0, -1)) : token === word;
  });
}
