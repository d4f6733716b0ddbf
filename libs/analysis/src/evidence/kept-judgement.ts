import { createHash } from 'node:crypto';
import type { CompanionPair, EvidenceAssessment } from '@outcomes/statistics';
import type { MaturedSpan } from './matured-fortnights';

/** What was judged of all campaigns of a company together: as long as they are the same, it is. */
export interface Judgement {
  /** One per code, in the order of the catalogue. */
  readonly assessments: readonly EvidenceAssessment[];
  /** Pairs whose strata it rests on. */
  readonly pairs: readonly CompanionPair[];
  /** Keys of the campaigns that have variants, by first fortnight and then by key. */
  readonly withVariants: readonly number[];
}

/** A judgement as it is kept. */
export interface JudgementNote {
  /** See `nameOfMatured`. */
  readonly judgedOf: Buffer;
  /** Packed. */
  readonly judgement: Buffer;
}

/** A campaign in the state in which it was judged. */
interface JudgedCampaign {
  readonly campaign: number;
  readonly revision: string;
  readonly span: MaturedSpan;
}

/**
 * Another one where a campaign of which anything has matured comes, goes, changes or matures further. The others say
 * nothing, and may change.
 * @param campaigns - ascending by key
 */
export function nameOfMatured(campaigns: Iterable<JudgedCampaign>): Buffer {
  const states: string[] = [];
  for (const { campaign, revision, span } of campaigns) {
    if (span.maturedOn === null) continue;
    states.push(`${campaign} ${revision} ${span.maturedOn} ${span.maturesNext ?? ''}`);
  }
  return createHash('sha256').update(states.join('\n')).digest();
}

/** Numbers come back as they were: those that JSON does not know stand by their names. */
export function packJudgement(judgement: Judgement): Buffer {
  const packed = JSON.stringify(judgement, (_, value: unknown) =>
    typeof value === 'number' && !isJsonNumber(value) ? { number: nameOf(value) } : value,
  );
  return Buffer.from(packed);
}

function isJsonNumber(value: number): boolean {
  return Number.isFinite(value) && !Object.is(value, -0);
}

function nameOf(value: number): string {
  return value === 0 ? '-0' : String(value);
}

export function unpackJudgement(bytes: Buffer): Judgement {
  return JSON.parse(bytes.toString(), (_, value: unknown) =>
    isNamedNumber(value) ? Number(value.number) : value,
  ) as Judgement;
}

function isNamedNumber(value: unknown): value is { readonly number: string } {
  return typeof value === 'object' && value !== null && 'number' in value && typeof value.number === 'string';
}
