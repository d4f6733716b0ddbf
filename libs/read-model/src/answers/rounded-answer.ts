import { sixDigits } from '../text/six-digits';

/**
 * The shape of a posterior, and what is exactly defined by it: rounded apart, the mean would no longer be
 * alpha / (alpha + beta).
 */
const EXACT: ReadonlySet<string> = new Set(['alpha', 'beta', 'posterior_mean', 'posterior_variance']);

/** An answer with every number at six significant digits, as documents are written; whole numbers are counts, and stay. */
export function roundedAnswer<Answer>(answer: Answer): Answer {
  return roundedValue('', answer) as Answer;
}

function roundedValue(name: string, value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) || EXACT.has(name) ? value : sixDigits(value);
  if (Array.isArray(value)) return value.map((item) => roundedValue(name, item));
  if (typeof value !== 'object' || value === null) return value;
  // A copy first, then what differs: half the time of a new object from pairs, on the way of every answer.
  const copy: Record<string, unknown> = { ...value };
  for (const key of Object.keys(copy)) {
    const item = copy[key];
    if (typeof item === 'number' || (typeof item === 'object' && item !== null))
      copy[key] = roundedValue(key, item);
  }
  return copy;
}
