/** What was wrong with an argument; callers branch on this, never on the message. */
export type StatsDomainCode =
  | 'shape' // a distribution parameter that is not finite and positive
  | 'mass' // a probability mass outside (0, 1)
  | 'probability' // a probability outside [0, 1]
  | 'count' // a negative, infinite or inconsistent count (replies above sends)
  | 'order' // input that must be sorted is not
  | 'size' // arrays whose lengths disagree, or empty input where some is needed
  | 'range'; // any other number outside its documented range

/**
 * The only error this library throws: an argument outside the documented domain.
 * It is a programming fault of the caller, so nothing in it is meant for end users.
 */
export class StatsDomainError extends RangeError {
  constructor(
    readonly code: StatsDomainCode,
    message: string,
  ) {
    super(message);
    this.name = 'StatsDomainError';
  }
}

/** @throws StatsDomainError with `code` when the condition does not hold */
export function requireDomain(condition: boolean, code: StatsDomainCode, message: string): asserts condition {
  if (!condition) throw new StatsDomainError(code, message);
}

/** True for a usable distribution parameter: finite and above zero. */
export const isShape = (value: number): boolean => value > 0 && value < Infinity;
