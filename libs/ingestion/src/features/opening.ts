import { sentencesOf } from './plain-text';

const SALUTATION = '(?:hi|hello|hey|dear|greetings|good (?:morning|afternoon|evening))';
/** `hi anna,` at the start of a text in lower case, up to its closing mark or the end of the line. */
const GREETING = new RegExp(`^\\s*${SALUTATION}\\b[^\\n,:!.?-]{0,60}(?:[,:!.\\n-]|$)`);
/** A greeting that names somebody: a capitalised word that is no collective. */
const NAMED_GREETING =
  /^\s*(?:[Hh]i|[Hh]ello|[Hh]ey|[Dd]ear|[Gg]ood (?:morning|afternoon|evening))[ ,]+(?!(?:There|All|Team|Everyone|Sir|Madam|Folks|Both)\b)\p{Lu}[\p{L}'-]+/u;

/** Whether a text greets its reader by name. */
export function greetsByName(text: string): boolean {
  return NAMED_GREETING.test(text);
}

/** The first sentence after the greeting; empty where there is none. */
export function openingOf(lower: string): string {
  return sentencesOf(lower.replace(GREETING, ''))[0] ?? '';
}
