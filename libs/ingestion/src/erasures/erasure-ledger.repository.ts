import { createHash, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { recipientShaOf } from '@outcomes/persistence';
import type { TenantTransaction } from '@outcomes/tenancy';

export type ErasedSubject = 'recipient' | 'event' | 'company';

/** What the ledger knows of an erasure: no id that a caller sent is in it. */
export interface Erasure {
  readonly erasureId: string;
  readonly subject: ErasedSubject;
  /** Of company and subject together, hexadecimal; see subjectSha256. */
  readonly subjectSha256: string;
  readonly keptSuppression: boolean;
  /** ISO 8601, to the microsecond. */
  readonly erasedAt: string;
}

/**
 * SHA-256 of the company's id, a colon and the SHA-256 of the subject's, hexadecimal: so what outlives a recipient's
 * events, which is the latter alone, can be matched as well.
 * @param subjectId - recipient_id, event_id or company_id
 */
export function subjectSha256(companyId: string, subjectId: string): string {
  return createHash('sha256')
    .update(`${companyId}:${recipientShaOf(subjectId)}`)
    .digest('hex');
}

/** The same in SQL; $1 is the company. @param sha - SQL of the subject's own SHA-256, hexadecimal */
const subjectSql = (sha: string) => `sha256(convert_to($1::uuid || ':' || ${sha}, 'UTF8'))`;
const shaSql = (id: string) => `encode(sha256(convert_to(${id}, 'UTF8')), 'hex')`;

/** Whom and what erasures of a restored company are about, found again by their hashes. */
export interface ErasedSubjects {
  /** By subjectSha256. */
  readonly recipientIds: ReadonlyMap<string, string>;
  readonly eventIds: ReadonlyMap<string, string>;
  /** SHA-256 of the recipient_id, of recipients of whom only an opt-out or a bounce is kept. */
  readonly keptShas: ReadonlyMap<string, string>;
  /** The same, of recipients who are named in held records. */
  readonly heldShas: ReadonlyMap<string, string>;
}

/** Everybody who is named in what sources delivered and nobody could read yet. */
const HELD = `(
  SELECT company_id, unnest(recipient_shas) AS recipient_sha FROM held_deliveries WHERE company_id = $1
) AS held`;

/** The append-only ledger of erasures: what a restored backup has to be freed of again. */
@Injectable()
export class ErasureLedgerRepository {
  /** Writes down an erasure of now, in its transaction. */
  async note(
    { client, companyId }: TenantTransaction,
    erased: { readonly subject: ErasedSubject; readonly id: string; readonly keptSuppression: boolean },
  ): Promise<void> {
    await client.query({
      name: 'note-erased',
      text: `INSERT INTO erasures (company_id, erasure_id, subject, subject_sha256, kept_suppression)
        VALUES ($1, $2, $3, decode($4, 'hex'), $5)`,
      values: [
        companyId,
        randomUUID(),
        erased.subject,
        subjectSha256(companyId, erased.id),
        erased.keptSuppression,
      ],
    });
  }

  /** Writes down an erasure that another database saw, once. */
  async repeat({ client, companyId }: TenantTransaction, erasure: Erasure): Promise<void> {
    await client.query(
      `INSERT INTO erasures (company_id, erasure_id, subject, subject_sha256, kept_suppression, erased_at)
       VALUES ($1, $2, $3, decode($4, 'hex'), $5, $6) ON CONFLICT DO NOTHING`,
      [
        companyId,
        erasure.erasureId,
        erasure.subject,
        erasure.subjectSha256,
        erasure.keptSuppression,
        erasure.erasedAt,
      ],
    );
  }

  /** @returns those that the ledger does not know; the owner of the tables may ask */
  async unknownAmong(
    { client, companyId }: TenantTransaction,
    erasures: readonly Erasure[],
  ): Promise<readonly Erasure[]> {
    const { rows } = await client.query<{ id: string }>(
      'SELECT erasure_id AS id FROM erasures WHERE company_id = $1 AND erasure_id = ANY ($2::uuid[])',
      [companyId, erasures.map(({ erasureId }) => erasureId)],
    );
    const known = new Set(rows.map(({ id }) => id));
    return erasures.filter(({ erasureId }) => !known.has(erasureId));
  }

  /** Finds whom erasures were about. Reads every event and every held record of the company once. */
  async find(
    { client, companyId }: TenantTransaction,
    erasures: readonly Erasure[],
  ): Promise<ErasedSubjects> {
    const found = async (of: string, id: string, sha: string) => {
      const { rows } = await client.query<{ id: string; subject: string }>(
        `SELECT DISTINCT ${id} AS id, encode(${subjectSql(sha)}, 'hex') AS subject FROM ${of}
         WHERE company_id = $1 AND ${subjectSql(sha)} = ANY (SELECT decode(unnest($2::text[]), 'hex'))`,
        [companyId, erasures.map(({ subjectSha256 }) => subjectSha256)],
      );
      return new Map(rows.map(({ id, subject }) => [subject, id]));
    };
    return {
      recipientIds: await found('outcome_events', 'recipient_id', shaSql('recipient_id')),
      eventIds: await found('outcome_events', 'event_id::text', shaSql('event_id::text')),
      keptShas: await found('suppressions', 'recipient_sha', 'recipient_sha'),
      heldShas: await found(HELD, 'recipient_sha', 'recipient_sha'),
    };
  }
}
