import { setTimeout as delay } from 'node:timers/promises';

/**
 * Polls a condition until it holds.
 * @param what - what is awaited, for the failure's message
 * @param condition - returns the awaited value, or undefined/false while it is not there
 * @throws Error naming `what` after the deadline
 */
export async function waitUntil<Value>(
  what: string,
  condition: () => Promise<Value | undefined | false> | Value | undefined | false,
  timeoutMs = 10_000,
): Promise<Value> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > deadline) throw new Error(`gave up waiting: ${what}`);
    await delay(20);
  }
}
