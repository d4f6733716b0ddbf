import { setTimeout as delay } from 'node:timers/promises';

const SHORTEST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 100;

/**
 * Polls a condition until it holds: the longer it has waited the more rarely, as what is asked needs the processor, too. A
 * tenth is added to a wait at most.
 * @param what - what is awaited, for the failure's message
 * @param condition - returns the awaited value, or undefined/false while it is not there
 * @throws Error naming `what` after the deadline
 */
export async function waitUntil<Value>(
  what: string,
  condition: () => Promise<Value | undefined | false> | Value | undefined | false,
  timeoutMs = 10_000,
): Promise<Value> {
  const began = performance.now();
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== false) return value;
    const waited = performance.now() - began;
    if (waited > timeoutMs) throw new Error(`gave up waiting: ${what}`);
    await delay(Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, waited / 10)));
  }
}
