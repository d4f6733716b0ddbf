import { Injectable } from '@nestjs/common';
import type { Exchange } from '@outcomes/platform';

/** Refusals of one payer in a second, once its burst is over. */
const PER_SECOND = 50;
/** Refusals that leave at once after a rest: who hits a limit with all its connections hears so without a wait. */
const BURST = 50;
/** How much later a refusal leaves at most: who then asks again has waited about as long as it was told to. */
const MOST_WAIT_MS = 1_000;
/** Payers who are remembered; beyond, all are forgotten at once. */
const MOST_PAYERS = 10_000;

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
   */
  async turn(payer: string): Promise<void> {
    const waitMs = this.waitOf(payer, performance.now());
    if (waitMs > 0) await new Promise<void>((resolve) => void setTimeout(resolve, waitMs));
  }

  /**
   * Refuses a request in its turn. Meanwhile it is none of the requests under way.
   * @throws error
   */
  async refuse(exchange: Exchange, payer: string, error: unknown): Promise<never> {
    exchange.letGo();
    await this.turn(payer);
    throw error;
  }

  private waitOf(payer: string, now: number): number {
    if (this.due.size >= MOST_PAYERS) this.due.clear();
    const earliest = now - BURST * SPACING_MS;
    const due = Math.max(this.due.get(payer) ?? earliest, earliest) + SPACING_MS;
    this.due.set(payer, Math.min(due, now + MOST_WAIT_MS));
    return Math.min(due - now, MOST_WAIT_MS);
  }
}
