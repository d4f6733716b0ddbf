import { createHash } from 'node:crypto';
import { DAY_MS } from '@outcomes/contracts';

export const DAYS_PER_FORTNIGHT = 14;
/** Fits a JavaScript number, and a company's campaigns do not collide: of 100,000 two do once in 56,000 companies. */
const KEY_BYTES = 6;

/** Messages that name no campaign are one campaign of this key. */
export const NO_CAMPAIGN = 0;

/** A campaign's place in the counts: the first 48 bits of the SHA-256 of its id. */
export function campaignKeyOf(campaignId: string | null): number {
  if (campaignId === null) return NO_CAMPAIGN;
  return createHash('sha256').update(campaignId).digest().readUIntBE(0, KEY_BYTES);
}

/** @param day - YYYY-MM-DD @returns days since 1970-01-01 */
export function dayNumberOf(day: string): number {
  return Date.parse(day) / DAY_MS;
}

/** @param day - days since 1970-01-01 @returns fortnights since then */
export function fortnightOf(day: number): number {
  return Math.floor(day / DAYS_PER_FORTNIGHT);
}
