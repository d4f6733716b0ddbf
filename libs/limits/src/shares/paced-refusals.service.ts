import { Injectable } from '@nestjs/common';
import type { Exchange } from '@outcomes/platform';

/** Refusals of one payer in a second, once its burst is over. */
const PER_SECOND = 50;
/** Refusals that leave at once after a rest: who hits a limit with all its connections hears so without a wait. */
const BURST = 50;
/** How much later a refusal leaves at most, in which even an impatient caller does not give up. */
const MAX_WAIT_MS = 2_000;
/** Payers who are remembered; beyond, all are forgotten at once. */
const MAX_PAYERS = 10_000;

const SPACING_MS = 1_000 / PER_SECOND;

/**
 * Has the refusals of one payer leave one after the other: who asks again as soon as he is refused would otherwise
 * keep the process as busy with refusals as with answers. A held connection costs next to nothing.
 */
@Injectable()
export class PacedRefusals {
  /** By payer, when the refusal after the last one leaves at an even pace: performance.now(). */
  private readonly due = new Map<string, number>();

  /**
   * Waits for the turn of one more refusal.
   * @param payer - a company, a key of several, or an address
   * @param refusals - as how many it counts
   */
  async turn(payer: string, refusals = 1): Promise<void> {
    const waitMs = this.waitOf(payer, refusals, performance.now());
    // The connection that waits keeps the process alive, where anything does.
    if (waitMs > 0) await new Promise<void>((resolve) => void setTimeout(resolve, waitMs).unref());
  }

  /**
   * Refuses a request in its turn. Meanwhile it is none of the requests under way.
   * @throws error
   */
  async refuse(
    exchange: Pick<Partial<Exchange>, 'letGo'>,
    payer: string,
    error: unknown,
    refusals = 1,
  ): Promise<never> {
    exchange.letGo?.();
    await this.turn(payer, refusals);
    throw error;
  }

  private waitOf(payer: string, refusals: number, now: number): number {
    if (this.due.size >= MAX_PAYERS) this.due.clear();
    const earliest = now - BURST * SPACING_MS;
    const due = Math.max(this.due.get(payer) ?? earliest, earliest) + refusals * SPACING_MS;
    this.due.set(payer, Math.min(due, now + MAX_WAIT_MS));
    return Math.min(due - now, MAX_WAIT_MS);
  }
}
