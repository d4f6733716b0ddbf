import { hashOf } from './fnv';
import type { Tokens } from './words';

/**
 * Words that hold English sentences together, and are rare in the languages that mails are most often written in besides.
 * Those that others share are left out: "is" and "of" are Dutch, "for" and "at" Danish, "in" and "was" German, "on" French,
 * "a" and "no" Spanish, "to" Polish.
 */
const WORDS = (
  'the and you your yours our ours its it their them they this that these those there here with without within from ' +
  'into about across through throughout between before after because if than then but or not cannot can could would ' +
  'should might must may are been being have has having does did how what when where which who why any some each every ' +
  'more most other one just only up out ' +
  "it's i'm i'd i'll i've we're we've we'd we'll you're you've you'd you'll that's there's let's don't doesn't can't"
).split(' ');

/**
 * English prose has a quarter and more, a list of nouns still this much; other languages next to none, or what an English
 * line among theirs has.
 */
const LEAST_SHARE = 0.06;
/** At the end mails have signatures, and lines by which one unsubscribes, in whatever language. */
const JUDGED_TOKENS = 60;

const HASHES = new Set(WORDS.map(hashOf));
/** 1 where a hash may be one of them, by its last bits: few have to be looked up. */
const PLACES = 4_096;
const MAY_BE_WORD = new Uint8Array(PLACES);
for (const hash of HASHES) MAY_BE_WORD[hash & (PLACES - 1)] = 1;

/** Whether a text is in English, by the share of such words in its beginning. Of most that are, the first ten tokens tell. */
export function isEnglish({ count, hashes }: Tokens): boolean {
  const judged = Math.min(count, JUDGED_TOKENS);
  let missing = Math.ceil(judged * LEAST_SHARE);
  for (let at = 0; at < judged && missing > 0; at += 1) {
    const hash = hashes[at] ?? 0;
    if (MAY_BE_WORD[hash & (PLACES - 1)] === 1 && HASHES.has(hash)) missing -= 1;
  }
  return missing <= 0;
}
