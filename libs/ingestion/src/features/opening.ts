import { sentencesOf } from './plain-text';

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

/** The first sentences after the greeting. */
export function openingOf(lower: string): readonly string[] {
  return sentencesOf(lower.replace(GREETING, '')).slice(0, OPENING_SENTENCES);
}
