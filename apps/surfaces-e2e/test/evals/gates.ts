import type { Answered } from './eval-question';

const FEWEST_RIGHT = 0.95;
const MAX_CALLS = 2;
const MAX_TOKENS = 1_500;

/** What is promised of the answers to all questions, with what came. */
export interface Gate {
  readonly name: string;
  readonly measured: string;
  readonly holds: boolean;
}

export function gatesOf(all: readonly Answered[]): readonly Gate[] {
  const right = all.filter(({ isRight }) => isRight).length;
  const misleading = all.filter(({ isMisleading }) => isMisleading).length;
  const calls = medianOf(all.map((one) => one.calls));
  const tokens = medianOf(all.map((one) => one.tokens));
  const bytes = medianOf(all.map((one) => one.bytes));
  return [
    {
      name: 'at least 95 % right',
      measured: `${right} of ${all.length}`,
      holds: right >= FEWEST_RIGHT * all.length,
    },
    { name: 'none misleading', measured: String(misleading), holds: misleading === 0 },
    { name: 'median of at most 2 calls', measured: String(calls), holds: calls <= MAX_CALLS },
    {
      name: 'median of at most 1,500 tokens',
      measured: `${tokens} (${bytes} bytes of results)`,
      holds: tokens <= MAX_TOKENS,
    },
  ];
}

function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1] ?? 0, sorted[Math.floor(middle)] ?? 0];
  return (low + high) / 2;
}
