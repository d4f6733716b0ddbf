import { FNV_OFFSET, FNV_PRIME } from './fnv';
import type { MessageTexts } from './extract-levels';
import type { ReadText } from './plain-text';

/**
 * Text ids: which messages say the same. Two minimum hashes over the trigrams of words, as in MinHash (Broder, 1997):
 * texts that share most of their trigrams, such as fillings of one template, mostly share both minima. A message has one of
 * its body and one of its subject: each is a draw of its own, that the other does not make another one.
 */

/** Odd factors of two independent hash families, from the fractional parts of square roots of primes. */
const FIRST = { factor: 0x9e3779b1, offset: 0x6a09e667 };
const SECOND = { factor: 0x85ebca77, offset: 0x3c6ef372 };

const APOSTROPHE = 39;
/** Below it, outside ASCII, are marks and blanks alone. */
const FIRST_ACCENTED = 0xc0;
const FIRST_SYMBOL = 0x2000;
/** CJK punctuation. */
const FIRST_MARK = 0x3000;
const LAST_MARK = 0x303f;
/** From here on most scripts write without blanks: each character is a word. */
const FIRST_IDEOGRAPH = 0x2e80;
const FIRST_HANGUL = 0xac00;
const LAST_HANGUL = 0xd7a3;

/**
 * The id of a text: equal texts have equal ids, whatever names of readers stand in them.
 * @param text - in lower case with plain quotes, or as it was read, which saves finding the words
 * @param readerNames - in lower case; their words are passed over
 * @returns signed 32 bits; undefined where there is no word
 */
export function textIdOf(text: string | ReadText, readerNames: readonly string[]): number | undefined {
  const passed = readerNames.flatMap((name) => wordHashesOf(name).hashes);
  let [before, last, words] = [0, 0, 0];
  let [first, second] = [0xffffffff, 0xffffffff];
  const { count, hashes } = wordHashesOf(text);
  for (let at = 0; at < count; at += 1) {
    const hash = hashes[at] ?? 0;
    if (passed.includes(hash)) continue;
    words += 1;
    // Up to the third word what there is counts, so that a text of one word has an id, too.
    const trigram = mixed(Math.imul(Math.imul(before, 31) + last, 31) + hash);
    before = last;
    last = hash;
    if (words < TRIGRAM) {
      first = second = trigram;
      continue;
    }
    if (words === TRIGRAM) first = second = 0xffffffff;
    const inFirst = mixed(Math.imul(trigram, FIRST.factor) + FIRST.offset) >>> 0;
    const inSecond = mixed(Math.imul(trigram, SECOND.factor) + SECOND.offset) >>> 0;
    if (inFirst < first) first = inFirst;
    if (inSecond < second) second = inSecond;
  }
  return words === 0 ? undefined : mixed(Math.imul(first, FNV_PRIME) ^ second) | 0;
}

const TRIGRAM = 3;

/**
 * The ids of a message: where its body or its subject is not known, that of the other stands for both.
 * @param place - names what is said where nothing of it is known
 */
export function textIdsOf(
  { subject, body }: MessageTexts,
  readerNames: readonly string[],
  { campaignId, step, variantId }: MessagePlace,
): { readonly textId: number; readonly subjectId: number } {
  const [ofBody, ofSubject] = [body, subject].map((part) => part && textIdOf(part, readerNames));
  const known = ofBody ?? ofSubject ?? placeholderTextId(campaignId, step, variantId);
  return { textId: ofBody ?? known, subjectId: ofSubject ?? known };
}

interface MessagePlace {
  readonly campaignId: string | null;
  readonly step: number;
  readonly variantId: string | null;
}

/** The id of messages whose text is not known: one for each campaign, step and variant. */
export function placeholderTextId(campaignId: string | null, step: number, variantId: string | null): number {
  let hash = FNV_OFFSET;
  for (const character of JSON.stringify([campaignId, step, variantId])) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), FNV_PRIME);
  }
  return mixed(hash) | 0;
}

/** In ASCII the words are the tokens, which have been hashed. */
function wordHashesOf(part: string | ReadText): { count: number; hashes: readonly number[] } {
  if (typeof part === 'object' && part.isAscii) return part.tokens;
  const hashes = hashWords(typeof part === 'object' ? part.lower : part);
  return { count: hashes.length, hashes };
}

/** Hashes of the runs of letters, digits and apostrophes; in scripts without blanks, of the characters. */
function hashWords(text: string): number[] {
  const hashes: number[] = [];
  let hash = FNV_OFFSET;
  let isInWord = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const isAlone = isIdeograph(code);
    if (isInWord && (isAlone || !isWordCode(code))) {
      hashes.push(hash);
      hash = FNV_OFFSET;
      isInWord = false;
    }
    if (isAlone) hashes.push(Math.imul(FNV_OFFSET ^ code, FNV_PRIME));
    else if (isWordCode(code)) {
      hash = Math.imul(hash ^ code, FNV_PRIME);
      isInWord = true;
    }
  }
  if (isInWord) hashes.push(hash);
  return hashes;
}

function isWordCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 48 && code <= 57) ||
    code === APOSTROPHE ||
    (code >= FIRST_ACCENTED && code < FIRST_SYMBOL) ||
    (code >= FIRST_HANGUL && code <= LAST_HANGUL)
  );
}

/** Characters that are written without blanks between words, and the halves of all beyond 16 bits. */
function isIdeograph(code: number): boolean {
  if (code < FIRST_IDEOGRAPH || (code >= FIRST_MARK && code <= LAST_MARK)) return false;
  return code < FIRST_HANGUL || code > LAST_HANGUL;
}

/** Finalizer of MurmurHash3: every bit of the input moves every bit of the result. */
function mixed(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
