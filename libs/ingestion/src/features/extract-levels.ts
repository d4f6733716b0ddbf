import {
  CHANNELS,
  dimensionOf,
  levelIndex,
  stepBucketOf,
  TONES,
  type DimensionName,
} from '@outcomes/contracts';
import type { Message } from './message';
import { greetsByName, openingOf } from './opening';
import { PhraseIndex } from './phrase-index';
import { readText, type ReadText } from './plain-text';
import { readabilityOf } from './readability';
import { inferTone } from './tone';
import type { WallClock } from './wall-clock';
import { LETTER_OR_DIGIT, type Tokens, UNSPACED, wordsOf } from './words';
import { KEY_PHRASES } from './wordings/key-phrases';
import { PHRASE_LISTS } from './wordings/phrase-lists';

// English only: a text in another language carries few of these and counts as plain.
const INDEX = new PhraseIndex({ ...KEY_PHRASES, ...PHRASE_LISTS });
const IS_JOINED = new RegExp(`${UNSPACED.source}|\\p{scx=Hangul}`, 'u');
type Counts = ReturnType<typeof INDEX.count>;

const REPLY_MARK = /^(?:\s*(?:re|fwd?|aw|wg)\s*:)+/i;
/** A token that speaks to the reader. */
const SECOND_PERSON = /(?<![a-z0-9'])you(?:rs?|rself|'(?:re|ve|ll|d))?(?![a-z0-9'])/;
/** Of any script; the Greek one is a semicolon of its own. */
const QUESTION_MARK = /[?\uFF1F\u061F\u037E]/;
const MERGE_FIELD = /\{\{[^{}]{1,60}\}\}|\{[a-z_ ]{2,40}\}|\[(?:first|last|company)[a-z_ ]{0,20}\]/i;
/** A result in figures: a share, a factor, an amount, or a verb of change with a number. */
const FIGURE = /\d\s?(?:%|percent\b|per cent\b|x\b|million\b|billion\b|[mk]\b)|[$€£]\s?\d/;
const CHANGE_WITH_NUMBER =
  /\b(?:saved?|saves|saving|cuts?|cutting|reduc\w*|increas\w*|boost\w*|gr[eo]w\w*|gain\w*|improv\w*|rais\w*|added|generat\w*)\b[^.!?\n]{0,60}\b\d/;

/** Which wordings speak for which dimension of key phrases. */
const PHRASE_DIMENSIONS = [
  ['phrase_quick_question', 'quickQuestion'],
  ['phrase_following_up', 'followingUp'],
  ['phrase_worth_a_chat', 'softAsk'],
  ['phrase_calendar_link', 'calendarLink'],
  ['phrase_no_pressure', 'noPressure'],
] as const satisfies readonly (readonly [DimensionName, keyof Counts])[];

/** The texts of a message as its reader sees them; undefined where they are not known. */
export interface MessageTexts {
  /** Without the marks of replies and forwarding. */
  readonly subject: ReadText | undefined;
  /** The body, or where only that is known, its excerpt. */
  readonly body: ReadText | undefined;
}

export function readTexts({ subject, body, bodyExcerpt }: Message): MessageTexts {
  const shown = body || bodyExcerpt;
  return {
    subject: subject === null ? undefined : readText(subject.replace(REPLY_MARK, '').trim()),
    body: shown ? readText(shown) : undefined,
  };
}

/** Where a link of HTML leads, which its reader does not see as text. Bounded, as tags are. */
const LINK = /<a\s[^<>]{0,500}?\bhref\s{0,9}=\s{0,9}["']?([^"'<>\s]{1,500})/gi;

function linksToCalendar({ body, bodyExcerpt }: Message): boolean {
  const shown = body || bodyExcerpt;
  if (!shown?.includes('<')) return false;
  const links = Array.from(shown.matchAll(LINK), ([, link]) => link).join('\n');
  return links !== '' && INDEX.count(wordsOf(links.toLowerCase()).tokens).calendarLink > 0;
}

type Add = (dimension: DimensionName, level: string | undefined) => void;

/**
 * The levels that a message carries, as indexes into LEVELS, ascending: at most one per dimension, none where the
 * message tells nothing about the dimension. Whether something is absent from a text can only be said where there
 * is a text. Deterministic: equal messages give equal levels.
 * @param texts - of this message, where they have been read already
 */
export function extractLevels(message: Message, clock: WallClock, texts = readTexts(message)): number[] {
  const levels: number[] = [];
  const add: Add = (dimension, level) => {
    if (level !== undefined) levels.push(levelIndex(dimension, level));
  };
  const { subject, body: read } = texts;

  add('tone', message.tone === null ? read && inferTone(read) : TONES[message.tone]);
  add('weekday', dimensionOf('weekday').levels[clock.weekday]);
  add('daypart', clock.hour === null ? undefined : daypartOf(clock.hour));
  add('body_words', bodyWordsOf(message, read));
  if (subject?.text) addSubject(add, subject, message.readerNames);
  const found = read && INDEX.count(read.tokens);
  if (read && found) addText(add, read, found, message);
  const inSubject = subject && INDEX.count(subject.tokens);
  for (const [dimension, list] of PHRASE_DIMENSIONS) {
    const isFound = (found?.[list] ?? 0) + (inSubject?.[list] ?? 0) > 0;
    add(
      dimension,
      flag(isFound || (list === 'calendarLink' && linksToCalendar(message)), read !== undefined),
    );
  }
  add('sequence_step', dimensionOf('sequence_step').levels[stepBucketOf(message.sequenceStep)]);
  add('channel', CHANNELS[message.channel]);
  // An array that grew keeps room for more, and thousands of these are held at once.
  return levels.sort((a, b) => a - b).slice();
}

/** `with` may be seen in a subject alone; `without` needs the text to be known. */
function flag(found: boolean, textIsKnown: boolean): 'with' | 'without' | undefined {
  if (found) return 'with';
  return textIsKnown ? 'without' : undefined;
}

function addSubject(add: Add, read: ReadText, readerNames: readonly string[]): void {
  const { text, lower, wordCount, hasDigit } = read;
  if (wordCount > 0 && hasWords(read)) add('subject_words', rangeOf(wordCount, SUBJECT_RANGES));
  add('subject_question', flag(QUESTION_MARK.test(text), true));
  add('subject_number', flag(hasDigit, true));
  add(
    'subject_personal',
    flag(SECOND_PERSON.test(lower) || hasMergeField(text) || namesReader(lower, readerNames), true),
  );
}

function addText(add: Add, read: ReadText, found: Counts, message: Message): void {
  add('readability', readabilityOf(read));
  add('personalization', personalizationOf(read, found, message));
  add('social_proof_customers', flag(found.peers > 0, true));
  add('social_proof_figures', flag(hasFigure(read), true));
  add('messaging_approach', approachOf(read));
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

const ALL_UNSPACED = new RegExp(UNSPACED.source, 'gu');

/** Whether blanks tell the words: not where there are more characters of scripts without blanks than runs between blanks. */
function hasWords({ lower, wordCount, isAscii }: ReadText): boolean {
  return isAscii || (lower.match(ALL_UNSPACED)?.length ?? 0) <= wordCount;
}

/** Of the body, else as the caller counted. An excerpt says nothing about the length of the whole. */
function bodyWordsOf({ body, wordCount }: Message, read: ReadText | undefined): string | undefined {
  const words = body && read && hasWords(read) ? read.wordCount : wordCount;
  return words === null || words === 0 ? undefined : rangeOf(words, BODY_RANGES);
}

function personalizationOf({ text, lower }: ReadText, found: Counts, message: Message): string {
  if (found.aboutReader > 0) return 'deep';
  const title = message.jobTitle?.trim().toLowerCase() ?? '';
  const names = title.length >= 3 ? [...message.readerNames, title] : message.readerNames;
  return greetsByName(text) || hasMergeField(text) || namesReader(lower, names) ? 'light' : 'none';
}

/** Both look at every character: most texts have no bracket, and no digit. */
function hasMergeField(text: string): boolean {
  return (text.includes('{') || text.includes('[')) && MERGE_FIELD.test(text);
}

function hasFigure({ lower, hasDigit }: ReadText): boolean {
  return hasDigit && (FIGURE.test(lower) || CHANGE_WITH_NUMBER.test(lower));
}

function namesReader(lower: string, names: readonly string[]): boolean {
  // A title of courtesy follows a name without a blank in some scripts.
  const isWordEnd = (character: string) => !LETTER_OR_DIGIT.test(character) || IS_JOINED.test(character);
  return names.some((name) => {
    // It may stand inside of other words first. A look from behind each place keeps the time in line with the text.
    for (let at = lower.indexOf(name); at !== -1; at = lower.indexOf(name, at + name.length)) {
      if (isWordEnd(lower.charAt(at - 1)) && isWordEnd(lower.charAt(at + name.length))) return true;
    }
    return false;
  });
}

/** How a message begins the conversation, once greetings and remarks on the reader are through. */
function approachOf({ lower, tokens }: ReadText): string {
  let to = 0;
  for (const { start, end, isQuestion } of openingOf(lower)) {
    const from = firstAt(tokens, start, to);
    to = firstAt(tokens, end, from);
    const found = INDEX.count(tokens, from, to);
    if (found.referral > 0) return 'referral_led';
    if (found.aboutReader + found.pleasantry > 0) continue;
    if (isQuestion) return 'question_led';
    if (found.problem > 0) return 'problem_led';
    return found.value > 0 ? 'value_led' : 'other';
  }
  return 'other';
}

/** The first token, from a known one on, that begins at a place or behind it. */
function firstAt({ count, starts }: Tokens, place: number, from: number): number {
  let at = from;
  while (at < count && (starts[at] ?? 0) < place) at += 1;
  return at;
}
