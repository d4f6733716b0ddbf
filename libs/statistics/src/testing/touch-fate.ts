import { exp } from '../numerics/exp';
import { drawNormal, type Rng } from '../random';
import { DAY_MS } from './iso-time';

export const HOUR_MS = 3_600_000;
/** From when until when the parts of a day last, by the clock. */
export const HOURS: Readonly<Record<string, readonly [number, number]>> = {
  early: [6, 9],
  morning: [9, 12],
  midday: [12, 14],
  afternoon: [14, 17],
  evening: [17, 21],
};
/** A touch without reply is closed after this many days. */
const PATIENCE_DAYS = { email: 14, linkedin: 21 } as const;
/** Spread of log reply delays. */
const DELAY_SIGMA = 0.9;
const REPLY_MINIMUM_MS = 60_000;
const BOUNCE_MS = 5000;
const UNSUBSCRIBE_MS = 2 * HOUR_MS;

/** What a touch will have come to in the end. */
export interface TouchFate {
  readonly end: 'replied' | 'bounced' | 'unsubscribed' | 'nothing';
  /** when that happens; Infinity for nothing */
  readonly endMs: number;
}

export interface FateRates {
  readonly replyChance: number;
  readonly bounceRate: number;
  readonly unsubscribeRate: number;
  readonly medianReplyDays: number;
}

export function drawFate(
  sentMs: number,
  { replyChance, bounceRate, unsubscribeRate, medianReplyDays }: FateRates,
  rng: Rng,
): TouchFate {
  const fate = rng.next();
  const replies = rng.next() < replyChance;
  const delayMs = Math.floor(medianReplyDays * exp(DELAY_SIGMA * drawNormal(rng)) * DAY_MS);
  if (fate < bounceRate) return { end: 'bounced', endMs: sentMs + BOUNCE_MS };
  if (fate > 1 - unsubscribeRate) return { end: 'unsubscribed', endMs: sentMs + UNSUBSCRIBE_MS };
  return replies
    ? { end: 'replied', endMs: sentMs + REPLY_MINIMUM_MS + delayMs }
    : { end: 'nothing', endMs: Infinity };
}

export type MessageOutcome = 'responded' | 'no_response' | 'bounced' | 'unsubscribed';

/** The outcome as known at the end of the generated time. */
export function observe(
  { end, endMs }: TouchFate,
  sentMs: number,
  channel: 'email' | 'linkedin',
  nowMs: number,
): { outcome: MessageOutcome; outcomeMs: number; stillToCome: boolean } {
  if (end !== 'nothing' && endMs <= nowMs) {
    return { outcome: end === 'replied' ? 'responded' : end, outcomeMs: endMs, stillToCome: false };
  }
  const closedMs = Math.max(sentMs, Math.min(nowMs, sentMs + PATIENCE_DAYS[channel] * DAY_MS));
  return { outcome: 'no_response', outcomeMs: closedMs, stillToCome: end === 'replied' };
}
