import {
  CHANNELS,
  dimensionOf,
  levelIndex,
  stepBucketOf,
  TONES,
  type DimensionName,
} from '@outcomes/contracts';
import type { Message } from './message';
import { PhraseIndex, tokensOf } from './phrase-index';
import { PHRASES } from './phrases';
import { plainText, sentencesOf, wordsOf } from './plain-text';
import { readabilityOf } from './readability';
import { inferTone } from './tone';
import type { WallClock } from './wall-clock';

const INDEX = new PhraseIndex(PHRASES);
type Counts = ReturnType<typeof INDEX.count>;

const REPLY_MARK = /^(?:\s*(?:re|fwd?|aw|wg)\s*:)+/i;
const SECOND_PERSON = /(?<![a-z0-9])(?:you|your|yours|yourself|you're|you've|you'll|you'd)(?![a-z0-9])/;
const MERGE_FIELD = /\{\{[^{}]{1,60}\}\}|\{[a-z_ ]{2,40}\}|\[(?:first|last|company)[a-z_ ]{0,20}\]/i;
const GREETING_LINE =
  /^\s*(?:hi|hello|hey|dear|good (?:morning|afternoon|evening))\b[^\n,:!.?-]{0,60}(?:[,:!.\n-]|$)/i;
const NAMED_GREETING =
  /^\s*(?:[Hh]i|[Hh]ello|[Hh]ey|[Dd]ear|[Gg]ood (?:morning|afternoon|evening))[ ,]+(?!(?:There|All|Team|Everyone|Sir|Madam|Folks|Both)\b)\p{Lu}[\p{L}'’-]+/u;
/** A result in figures: a share, a factor, an amount, or a verb of change with a number. */
const RESULT_FIGURE =
  /\b\d[\d.,]*\s?(?:%|percent\b|per cent\b)|\b\d+(?:\.\d+)?x\b|(?:[$€£]\s?\d|\b\d[\d.,]*\s?(?:million|billion|[mk])\b)|\b(?:saved?|saves|saving|cut|cuts|cutting|reduc\w*|increas\w*|boost\w*|grew|grow\w*|gain\w*|improv\w*|rais\w*|added|generat\w*)\b[^.!?\n]{0,60}\b\d/;

/**
 * The levels that a message carries, as indexes into LEVELS, ascending: at most one per dimension, none where the
 * message tells nothing about the dimension. Whether something is absent from a text can only be said where there
 * is a text. Deterministic: equal messages give equal levels.
 */
export function extractLevels(message: Message, clock: WallClock): number[] {
  const levels: number[] = [];
  const add = (dimension: DimensionName, level: string | undefined) => {
    if (level !== undefined) levels.push(levelIndex(dimension, level));
  };
  const subject =
    message.subject === null ? undefined : plainText(message.subject).replace(REPLY_MARK, '').trim();
  const shown = message.body || message.bodyExcerpt;
  const text = shown ? plainText(shown) : undefined;
  const lower = text?.toLowerCase();
  const tokens = lower === undefined ? [] : tokensOf(lower);
  const found = INDEX.count(tokens);

  add('tone', message.tone === null ? inferTone(lower ?? '', tokens) : TONES[message.tone]);
  add('weekday', dimensionOf('weekday').levels[clock.weekday]);
  add('daypart', clock.hour === null ? undefined : daypartOf(clock.hour));
  add('body_words', bodyWordsOf(message));
  if (subject) addSubject(add, subject, message.readerNames);
  if (text !== undefined && lower !== undefined) {
    add('readability', readabilityOf(text));
    add('personalization', personalizationOf(text, lower, found, message));
    add('social_proof_customers', flag(found.peers > 0, true));
    add('social_proof_figures', flag(RESULT_FIGURE.test(lower), true));
    add('messaging_approach', approachOf(lower));
  }
  const inSubject = INDEX.count(tokensOf(subject?.toLowerCase() ?? ''));
  for (const [dimension, list] of PHRASE_DIMENSIONS) {
    add(dimension, flag(found[list] + inSubject[list] > 0, text !== undefined));
  }
  add('sequence_step', dimensionOf('sequence_step').levels[stepBucketOf(message.sequenceStep)]);
  add('channel', CHANNELS[message.channel]);
  return levels.sort((a, b) => a - b);
}

const PHRASE_DIMENSIONS = [
  ['phrase_quick_question', 'quickQuestion'],
  ['phrase_following_up', 'followingUp'],
  ['phrase_worth_a_chat', 'softAsk'],
  ['phrase_calendar_link', 'calendarLink'],
  ['phrase_no_pressure', 'noPressure'],
] as const satisfies readonly (readonly [DimensionName, keyof Counts])[];

type Add = (dimension: DimensionName, level: string | undefined) => void;

/** `with` may be seen in a subject alone; `without` needs the text to be known. */
function flag(found: boolean, textIsKnown: boolean): 'with' | 'without' | undefined {
  if (found) return 'with';
  return textIsKnown ? 'without' : undefined;
}

function addSubject(add: Add, subject: string, readerNames: readonly string[]): void {
  const lower = subject.toLowerCase();
  const words = wordsOf(subject).length;
  if (words > 0) add('subject_words', rangeOf(words, SUBJECT_RANGES));
  add('subject_question', flag(subject.includes('?'), true));
  add('subject_number', flag(/\d/.test(subject), true));
  const personal = SECOND_PERSON.test(lower) || MERGE_FIELD.test(subject) || namesReader(lower, readerNames);
  add('subject_personal', flag(personal, true));
}

function daypartOf(hour: number): string {
  if (hour < 5 || hour >= 17) return 'evening_or_night';
  if (hour < 8) return 'early_morning';
  if (hour < 11) return 'morning';
  return hour < 14 ? 'midday' : 'afternoon';
}

type Ranges = readonly (readonly [below: number, level: string])[];
const BODY_RANGES: Ranges = [
  [50, 'under_50'],
  [100, '50_to_99'],
  [150, '100_to_149'],
  [200, '150_to_199'],
  [Infinity, '200_or_more'],
];
const SUBJECT_RANGES: Ranges = [
  [4, '1_to_3'],
  [7, '4_to_6'],
  [10, '7_to_9'],
  [Infinity, '10_or_more'],
];

function rangeOf(count: number, ranges: Ranges): string | undefined {
  return ranges.find(([below]) => count < below)?.[1];
}

/** An excerpt says nothing about the length of the whole. */
function bodyWordsOf({ body, wordCount }: Message): string | undefined {
  const words = body ? wordsOf(plainText(body)).length : wordCount;
  return words === null || words === 0 ? undefined : rangeOf(words, BODY_RANGES);
}

function personalizationOf(text: string, lower: string, found: Counts, message: Message): string {
  if (found.aboutReader > 0) return 'deep';
  const title = message.jobTitle?.trim().toLowerCase();
  const named =
    NAMED_GREETING.test(text) ||
    MERGE_FIELD.test(text) ||
    namesReader(lower, message.readerNames) ||
    (title !== undefined && title.length >= 3 && namesReader(lower, [title]));
  return named ? 'light' : 'none';
}

function namesReader(lower: string, names: readonly string[]): boolean {
  return names.some((name) => {
    const at = lower.indexOf(name);
    if (at === -1) return false;
    const isWordEnd = (character: string | undefined) => !character || !/[\p{L}\p{N}]/u.test(character);
    return isWordEnd(lower[at - 1]) && isWordEnd(lower[at + name.length]);
  });
}

/** How the first sentence after the greeting begins the conversation. */
function approachOf(lower: string): string {
  const opening = sentencesOf(lower.replace(GREETING_LINE, ''))[0] ?? '';
  const found = INDEX.count(tokensOf(opening));
  if (found.referral > 0) return 'referral_led';
  if (opening.includes('?')) return 'question_led';
  if (found.problem > 0) return 'problem_led';
  return found.value > 0 ? 'value_led' : 'other';
}
