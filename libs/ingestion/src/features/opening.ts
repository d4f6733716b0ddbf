import { LETTER_OR_DIGIT } from './words';

const SALUTATION = '(?:hi|hello|hey|dear|greetings|good (?:morning|afternoon|evening))';
/** `hi anna,` at the start of a text in lower case, up to its closing mark or the end of the line. */
const GREETING = new RegExp(`^\\s*${SALUTATION}\\b[^\\n,:!.?-]{0,60}(?:[,:!.\\n-]|$)`);
/** A greeting that names somebody: capitalised words that are no collective, up to the closing mark. */
const NAMED_GREETING =
  /^\s*(?:[Hh]i|[Hh]ello|[Hh]ey|[Dd]ear|[Gg]ood (?:morning|afternoon|evening)) +(?!(?:There|All|Team|Everyone|Sir|Madam|Folks|Both)\b)\p{Lu}[\p{L}.'-]*(?: \p{Lu}[\p{L}.'-]*){0,3}\s*[,!:\n-]/u;

/** Whether a text greets its reader by name. */
export function greetsByName(text: string): boolean {
  return NAMED_GREETING.test(text);
}

/** Sentences looked at for the one that opens the conversation. */
const OPENING_SENTENCES = 3;
const SENTENCE = /[^.!?\n]+[.!?]*/g;

/** A part of a text, its closing mark included. */
export interface Sentence {
  readonly start: number;
  readonly end: number;
  readonly isQuestion: boolean;
}

/** The first sentences after the greeting that hold a letter or a digit. */
export function openingOf(lower: string): readonly Sentence[] {
  const opening: Sentence[] = [];
  SENTENCE.lastIndex = GREETING.exec(lower)?.[0].length ?? 0;
  while (opening.length < OPENING_SENTENCES) {
    const found = SENTENCE.exec(lower);
    if (!found) break;
    const [sentence] = found;
    if (!LETTER_OR_DIGIT.test(sentence)) continue;
    opening.push({ start: found.index, end: SENTENCE.lastIndex, isQuestion: sentence.includes('?') });
  }
  return opening;
}
