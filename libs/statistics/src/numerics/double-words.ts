/** One number, and the two words of its bits. */
const NUMBER = new Float64Array(1);
const WORDS = new Int32Array(NUMBER.buffer);
/** Which word holds sign, exponent and the mantissa's first 20 bits: processors order them differently. */
const HIGH = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 1 : 0;

/** The high word of a number: sign, 11 bits of exponent, the first 20 of the mantissa. */
export function highWord(x: number): number {
  NUMBER[0] = x;
  return WORDS[HIGH] as number;
}

const SMALLEST = -1_074;
const LARGEST = 1_023;

/** Every power of two that is a number, from 2^-1074 on. Doubling and halving are exact. */
const POWERS = powersOfTwo();

function powersOfTwo(): Float64Array {
  const powers = new Float64Array(LARGEST - SMALLEST + 1);
  for (let k = 0, power = 1; k <= LARGEST; k++, power *= 2) powers[k - SMALLEST] = power;
  for (let k = 0, power = 1; k >= SMALLEST; k--, power /= 2) powers[k - SMALLEST] = power;
  return powers;
}

/** 2^k for a whole k from -1074 to 1023. */
export function powerOfTwo(k: number): number {
  return POWERS[k - SMALLEST] as number;
}

/** log 2 in two parts: the first has 33 bits, so that its product with an exponent is exact. */
export const LN2_HIGH = 6.9314718036912381649e-1;
export const LN2_LOW = 1.90821492927058770002e-10;
