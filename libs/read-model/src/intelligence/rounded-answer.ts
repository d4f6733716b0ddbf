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
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, roundedValue(key, item)]));
}
