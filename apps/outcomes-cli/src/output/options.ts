import { InvalidArgumentError } from 'commander';

/** @throws InvalidArgumentError where the text is no whole number of seconds, 1 or more */
export function secondsOf(text: string): number {
  const seconds = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (seconds < 1) throw new InvalidArgumentError('Give a whole number of seconds, 1 or more.');
  return seconds;
}
