/** A body as it was sent, and to whom: what was written to a single person may name that person. */
export interface Body {
  readonly text: string;
  readonly recipient: string;
}

/** A word that stands in the messages to fewer people than this may be a name. */
const FEWEST_RECIPIENTS = 5;
const MAX_CHARACTERS = 4_000;
/** Scripts without capitals hide names from the rules below; a body that is mostly in one is not used. */
const MAX_CASELESS = 0.2;

/** No word is so long. Cut away first, such a run cannot make the patterns below slow. */
const ENDLESS = /\S{61,}/g;
const INVISIBLE = /[^\P{C}\n]/gu;
const LINK =
  /\S*@\S+|\b\S+\s*[([{<]\s*at\s*[)\]}>]\s*\S+(?:\s*[([{<]?\s*dot\s*[)\]}>]?\s*\S+)*|\b\w+:\/\/\S+|\bwww\.\S+|\b[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}\b\S*/giu;
const WITH_DIGIT = /\S*\p{N}\S*(?:[\s().+/-]+\S*\p{N}\S*)*/gu;
const DIGIT_WORDS =
  'zero|oh|one|two|three|four|five|six|seven|eight|nine|ten|double|triple|hundred|thousand|dot|dash';
const SPOKEN_NUMBER = new RegExp(`\\b(?:${DIGIT_WORDS})(?:[\\s,.-]+(?:${DIGIT_WORDS})){2,}\\b`, 'giu');
const GREETING =
  /^( *(?:hi|hello|hey|dear|hiya|greetings|good (?:morning|afternoon|evening)|hallo|bonjour|hola|ciao|guten tag))\b[^\n,!.:;–—-]*/gimu;
const CLOSING =
  /^ *(?:--|[-–—_=*]{2,}|(?:kind |best |warm |many |with )*(?:regards|wishes|thanks|cheers)|best|thanks|thank you|cheers|sincerely|yours\b.*|talk soon|mit freundlichen\b.*|viele grüße|cordialement|saludos|sent from my\b.*) *[,.!]? *$/imu;
const INTRODUCTION =
  /\b(my name(?:'s| is)|i am called|call me|ask for|speak (?:to|with)|signed)\s+\S+(?:\s+(?!(?:and|from|at|of|with|i|who|to)\b)\S+)?/giu;
const HERE = /\S+ (here (?:from|at|with)) \S+/giu;
const WORD = /\p{L}[\p{L}\p{M}]*(?:['’]\p{L}+)?/gu;
const NAME = '[name]';

/**
 * Bodies without names, addresses and numbers. Nothing is recognised by lists of names; what stays is what many people
 * were written: a word is kept where messages to at least five people have it, and have it in small letters. Greetings,
 * signatures and introductions lose their names even then. Too much goes rather than too little.
 * @param bodies - a sample of one company's bodies; the more, the more stays
 * @returns one text per body, in order; undefined where nothing useful is left, or where the script has no capitals
 */
export function scrubBodies(bodies: readonly Body[]): (string | undefined)[] {
  const prepared = bodies.map(({ text }) => withoutObvious(text));
  const common = commonWords(prepared, bodies);
  return prepared.map((text) => (text === undefined ? undefined : usable(withoutRareWords(text, common))));
}

/** Everything that can be told from the text alone. */
function withoutObvious(raw: string): string | undefined {
  const text = raw
    .slice(0, MAX_CHARACTERS)
    .normalize('NFKC')
    .replaceAll('\t', ' ')
    .replace(INVISIBLE, '')
    .replace(ENDLESS, '[link]');
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const caseless = text.match(/\p{Lo}/gu)?.length ?? 0;
  if (letters === 0 || caseless > MAX_CASELESS * letters) return undefined;
  const closing = CLOSING.exec(text);
  return (closing && closing.index > 0 ? text.slice(0, closing.index) : text)
    .replace(LINK, '[link]')
    .replace(SPOKEN_NUMBER, '[number]')
    .replace(WITH_DIGIT, '[number]')
    .replace(GREETING, `$1 ${NAME}`)
    .replace(INTRODUCTION, `$1 ${NAME}`)
    .replace(HERE, `${NAME} $1 ${NAME}`);
}

/** Words that enough people were written, in small letters. */
function commonWords(texts: readonly (string | undefined)[], bodies: readonly Body[]): ReadonlySet<string> {
  const readers = new Map<string, Set<string>>();
  texts.forEach((text, index) => {
    for (const [word] of text?.matchAll(WORD) ?? []) {
      if (word !== word.toLowerCase()) continue;
      const known = readers.get(word) ?? new Set();
      readers.set(word, known.add(bodies[index]?.recipient ?? ''));
    }
  });
  return new Set([...readers].filter(([, people]) => people.size >= FEWEST_RECIPIENTS).map(([word]) => word));
}

/** Placeholders stay; a capital inside a sentence is a name, at its beginning only if nobody writes the word small. */
function withoutRareWords(text: string, common: ReadonlySet<string>): string {
  const cleaned = text.replace(
    /\[(?:name|link|number)\]|\p{L}[\p{L}\p{M}]*(?:['’]\p{L}+)?/gu,
    (word, ...rest) => {
      if (word.startsWith('[')) return word;
      const small = word.toLowerCase();
      if (small === 'i' || small.startsWith("i'") || small.startsWith('i’')) return small;
      if (!common.has(small)) return NAME;
      if (word === small) return word;
      const before = text.slice(0, rest.at(-2) as number);
      return /(?:^|[.!?:\n]["'”’)]*)\s*$/u.test(before) ? word : NAME;
    },
  );
  return cleaned
    .replace(/\[name\](?:[\s,'’-]+\[name\])+/gu, NAME)
    .replace(/ +/g, ' ')
    .trim();
}

/** A text that is mostly gaps says nothing. */
function usable(text: string): string | undefined {
  const words = text.replace(/\[(?:name|link|number)\]/g, '').match(WORD)?.length ?? 0;
  const gaps = text.match(/\[(?:name|link|number)\]/g)?.length ?? 0;
  return words >= 8 && words > gaps ? text : undefined;
}
