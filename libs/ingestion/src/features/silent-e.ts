const VOWELS = 'aeiouy';
const [E, S, D] = [...'esd'].map((letter) => letter.charCodeAt(0));

// After which letters an e at the end is heard, in bits: tree, table; with an s, boxes; with a d, wanted.
const ALONE = 1;
const BEFORE_S = 2;
const BEFORE_D = 4;
const LETTERS: readonly (readonly [bit: number, letters: string])[] = [
  [ALONE, `${VOWELS}l`],
  [BEFORE_S, `${VOWELS}sxzhcg`],
  [BEFORE_D, `${VOWELS}td`],
];
const IS_HEARD_AFTER = Uint8Array.from({ length: 128 }, (_, unit) =>
  LETTERS.reduce((bits, [bit, letters]) => bits | (letters.includes(String.fromCharCode(unit)) ? bit : 0), 0),
);

/**
 * Whether a word with several groups of vowels ends in an e that is not heard: remake, remakes, refused.
 * @param units - of UTF-16; those of the word are ASCII in lower case
 * @param end - the first unit behind the word
 */
export function endsInSilentE(units: Uint16Array, end: number): boolean {
  const last = units[end - 1];
  if (last === E) return !isHeard(units[end - 2], ALONE);
  if (units[end - 2] !== E) return false;
  if (last === S) return !isHeard(units[end - 3], BEFORE_S);
  return last === D && !isHeard(units[end - 3], BEFORE_D);
}

function isHeard(before: number | undefined, bit: number): boolean {
  return ((IS_HEARD_AFTER[before ?? 0] ?? 0) & bit) !== 0;
}
