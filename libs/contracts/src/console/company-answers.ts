import type { KeyPurpose } from '../access/permissions';
import type { Channel } from '../outcomes/dimensions';

/** What is claimed of a code; `none`: nothing any more. */
export type RecordedTier = 'confirmed' | 'likely' | 'directional' | 'none';

/** A row of the record of claims: what is claimed of a code from a day of the data on. */
export interface ClaimEntry {
  readonly code: string;
  /** Counts a code's rows, from 1 on. */
  readonly number: number;
  readonly tier: RecordedTier;
  /** What the row before said; null where there is none. */
  readonly previousTier: RecordedTier | null;
  /** null where nothing is claimed. */
  readonly isMore: boolean | null;
  /** State of the data that it was found in, ISO 8601. */
  readonly since: string;
  /** found, stronger, weaker, reversed, erased, or why nothing is claimed any more. */
  readonly reason: string;
  /** The stronger code for `goes_with`, else null. */
  readonly goesWith: string | null;
  readonly oddsRatio: number;
  readonly oddsRatioLow: number;
  readonly oddsRatioHigh: number;
  /** Messages with the level that the odds ratio rests on; null in rows that are older than their count. */
  readonly messages: number | null;
}

/** A row that was written when the claim was made. */
export interface RecordedClaim extends ClaimEntry {
  /** When it was written, ISO 8601; null in rows from before that was noted. */
  readonly recordedAt: string | null;
}

/** Whether a tier is a claim: a hint is none. */
export const isClaim = (tier: RecordedTier | null) => tier === 'confirmed' || tier === 'likely';

/** Whether a row begins, changes or ends a claim; hints come and go without one. */
export const concernsClaims = ({ tier, previousTier }: Pick<ClaimEntry, 'tier' | 'previousTier'>) =>
  isClaim(tier) || isClaim(previousTier);

/** The record of claims, newest first: rows that concern claims, and others where hints were asked for. */
export interface ClaimRecord {
  /** Such rows that there are, also those that are not listed. */
  readonly total: number;
  /** Rows about hints alone, asked for or not. */
  readonly hints: number;
  /** What stands of every code now, and since when: of its newest row, whether that is listed or not. */
  readonly standing: readonly Pick<RecordedClaim, 'code' | 'tier' | 'since'>[];
  readonly claims: readonly RecordedClaim[];
}

/** What a key has used of its months. */
export interface KeyUsage {
  readonly keyId: string;
  readonly name: string;
  readonly purpose: KeyPurpose | null;
  readonly state: 'active' | 'locked' | 'expired' | 'revoked';
  /** Requests of this month. */
  readonly used: number;
  /** Requests that a month may have. */
  readonly monthlyQuota: number;
  /** Requests of the months before, newest first; those with any. */
  readonly earlier: readonly { readonly month: string; readonly used: number }[];
}

export interface CompanyUsage {
  /** First day of the month in UTC, e.g. 2026-03-01. */
  readonly month: string;
  readonly resetsAt: string;
  /** Requests are written down at least so often, in seconds: those of the last ones may be missing. */
  readonly writtenEverySeconds: number;
  readonly keys: readonly KeyUsage[];
}

export interface CompanySettings {
  readonly name: string;
  /** IANA name. */
  readonly timeZone: string;
}

/** What somebody did to a company, its people or its keys. */
export interface AdministrativeAct {
  /** 1, 2, 3, … per company. */
  readonly number: number;
  readonly occurredAt: string;
  readonly by: string;
  /** Two words, e.g. key.revoke. */
  readonly action: string;
  readonly subject: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  /** SHA-256 of this act with the seal of the one before, hex. */
  readonly seal: string;
}

/** A batch as it was taken in. */
export interface TakenBatch {
  readonly batchId: string;
  readonly receivedAt: string;
  /** null once they have been counted. */
  readonly events: number | null;
  /** null: not counted yet. */
  readonly processedAt: string | null;
  readonly failedAttempts: number;
}

/** The newest batches, newest first. */
export interface TakenBatches {
  readonly total: number;
  readonly batches: readonly TakenBatch[];
}

/** The own account of whoever is signed in. */
export interface OwnAccount {
  readonly email: string;
  /** Whether there is a password here; else people sign in at an identity provider. */
  readonly hasPassword: boolean;
  readonly sessions: readonly {
    readonly signedInAt: string;
    readonly lastUsedAt: string;
    readonly isThis: boolean;
  }[];
}

/** How the evidence about a code stood in a week. */
export interface EvidenceOfWeek {
  /** Monday of the week, YYYY-MM-DD. */
  readonly week: string;
  /** Whether there was no run then, and the week was folded afterwards from history that was brought. */
  readonly foldedLater: boolean;
  readonly tier: RecordedTier;
  /** Natural logarithm of the e-value. */
  readonly logE: number;
  /** That at which the code would have been confirmed. */
  readonly logLimit: number;
  readonly oddsRatio: number;
  readonly oddsRatioLow: number;
  readonly oddsRatioHigh: number;
  readonly messages: number;
}

/** The evidence about a code, oldest week first. */
export interface EvidencePath {
  readonly code: string;
  readonly weeks: readonly EvidenceOfWeek[];
}

/** A channel's send days, oldest first. */
export interface ChannelSeries {
  readonly channel: Channel;
  /** Last send day whose messages have all settled; replies to later ones are still to come. */
  readonly settledThrough: string;
  readonly days: readonly { readonly day: string; readonly messages: number; readonly replies: number }[];
}

/** The daily series that changes are looked for in. Channels with messages. */
export interface DailySeries {
  readonly from: string;
  readonly channels: readonly ChannelSeries[];
}
