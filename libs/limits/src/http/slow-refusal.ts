import { setTimeout as delay } from 'node:timers/promises';

/** How much later somebody is answered who goes on after he was refused. */
const WAIT_MS = 100;

/**
 * Waits before one who has nothing left is refused once more: who asks again as soon as he is answered would otherwise
 * keep the process as busy with refusals as with answers. A held connection costs next to nothing.
 */
export function beforeRefusingAgain(): Promise<void> {
  return delay(WAIT_MS);
}
