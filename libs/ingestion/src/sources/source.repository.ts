import { Inject, Injectable } from '@nestjs/common';
import { TenantDatabase, type TenantTransaction } from '@outcomes/tenancy';
import { mintSystemScope } from '@outcomes/tenancy/system';
import { HELD_DAYS, MAX_HELD, MAX_TYPES, MAX_WAITING, OTHER_TYPES } from './source';

/** A source as it is stored. */
export interface SourceRow {
  readonly companyId: string;
  readonly sourceId: string;
  readonly tool: string;
  readonly campaign: string | null;
  readonly timeZone: string | null;
  readonly steps: Readonly<Record<string, number>>;
  readonly tokenSha256: Buffer | null;
  readonly previousTokenSha256: Buffer | null;
  readonly signingSecret: Buffer | null;
  readonly previousSigningSecret: Buffer | null;
  readonly previousUntil: Date | null;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
  readonly lastDeliveryAt: Date | null;
}

const SOURCE_COLUMNS = `company_id AS "companyId", source_id AS "sourceId", tool, campaign, time_zone AS "timeZone",
  steps, token_sha256 AS "tokenSha256", previous_token_sha256 AS "previousTokenSha256",
  signing_secret AS "signingSecret", previous_signing_secret AS "previousSigningSecret",
  previous_until AS "previousUntil", created_at AS "createdAt", revoked_at AS "revokedAt",
  last_delivery_at AS "lastDeliveryAt"`;

/** A record that could not be made an event, as it is stored. */
export interface HeldRow {
  readonly heldId: string;
  readonly reason: string;
  /** SHA-256 of the ids of everybody who is named in it, hexadecimal. */
  readonly recipientShas: readonly string[];
  /** Of their addresses, 16 hexadecimal digits. */
  readonly addressHashes: readonly string[];
  /** What a profile reads of it, encrypted. */
  readonly sealed: Buffer;
}

/** What is told of the types of a source's records. */
export interface TypeCount {
  readonly type: string;
  readonly records: number;
  readonly lastAt: Date;
}

/** What a source is made of. */
export type SourceToCreate = Pick<
  SourceRow,
  'sourceId' | 'tool' | 'campaign' | 'timeZone' | 'tokenSha256' | 'signingSecret' | 'createdAt'
>;

/** Sources of a company, and what came for them. */
@Injectable()
export class SourceRepository {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /** All of a company, the oldest first. */
  async all({ client, companyId }: TenantTransaction): Promise<SourceRow[]> {
    const { rows } = await client.query<SourceRow>(
      `SELECT ${SOURCE_COLUMNS} FROM sources WHERE company_id = $1 ORDER BY created_at, source_id`,
      [companyId],
    );
    return rows;
  }

  async byId({ client, companyId }: TenantTransaction, sourceId: string): Promise<SourceRow | undefined> {
    const { rows } = await client.query<SourceRow>(
      `SELECT ${SOURCE_COLUMNS} FROM sources WHERE company_id = $1 AND source_id = $2`,
      [companyId, sourceId],
    );
    return rows[0];
  }

  /** The one that a delivery names, before any company is known. */
  async named(sourceId: string): Promise<SourceRow | undefined> {
    return this.database.unscoped(mintSystemScope({ 'app.source_id': sourceId }), async ({ client }) => {
      const { rows } = await client.query<SourceRow>(
        `SELECT ${SOURCE_COLUMNS} FROM sources WHERE source_id = $1`,
        [sourceId],
      );
      return rows[0];
    });
  }

  async insert({ client, companyId }: TenantTransaction, source: SourceToCreate): Promise<void> {
    const { sourceId, tool, campaign, timeZone, tokenSha256, signingSecret, createdAt } = source;
    await client.query(
      `INSERT INTO sources (company_id, source_id, tool, campaign, time_zone, token_sha256, signing_secret, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [companyId, sourceId, tool, campaign, timeZone, tokenSha256, signingSecret, createdAt],
    );
  }

  /** @returns the tool of a source that is not revoked, locked to the end of the transaction */
  async lock({ client, companyId }: TenantTransaction, sourceId: string): Promise<string | undefined> {
    const { rows } = await client.query<{ tool: string }>(
      `SELECT tool FROM sources WHERE company_id = $1 AND source_id = $2 AND revoked_at IS NULL FOR UPDATE`,
      [companyId, sourceId],
    );
    return rows[0]?.tool;
  }

  /** Puts other secrets in the place of those that are there, which are taken for a while longer. */
  async replaceSecrets(
    { client, companyId }: TenantTransaction,
    sourceId: string,
    { tokenSha256, signingSecret }: Pick<SourceRow, 'tokenSha256' | 'signingSecret'>,
    previousUntil: Date,
  ): Promise<void> {
    await client.query(
      `UPDATE sources SET previous_token_sha256 = token_sha256, previous_signing_secret = signing_secret,
         previous_until = $3, token_sha256 = $4, signing_secret = $5
       WHERE company_id = $1 AND source_id = $2`,
      [companyId, sourceId, previousUntil, tokenSha256, signingSecret],
    );
  }

  /** @returns all steps that are known now; undefined where there is no such source */
  async addSteps(
    { client, companyId }: TenantTransaction,
    sourceId: string,
    steps: SourceRow['steps'],
  ): Promise<SourceRow['steps'] | undefined> {
    const { rows } = await client.query<Pick<SourceRow, 'steps'>>(
      `UPDATE sources SET steps = steps || $3::jsonb WHERE company_id = $1 AND source_id = $2 RETURNING steps`,
      [companyId, sourceId, JSON.stringify(steps)],
    );
    return rows[0]?.steps;
  }

  /** @returns its id; undefined where there is no such source */
  async revoke(
    { client, companyId }: TenantTransaction,
    sourceId: string,
    at: Date,
  ): Promise<string | undefined> {
    const { rows } = await client.query<{ source_id: string }>(
      `UPDATE sources SET revoked_at = coalesce(revoked_at, $3)
       WHERE company_id = $1 AND source_id = $2 RETURNING source_id`,
      [companyId, sourceId, at],
    );
    return rows[0]?.source_id;
  }

  /** Adds what a pod counted; a type that is new counts as "other" once there are fifty. */
  async count(
    { client, companyId }: TenantTransaction,
    sourceId: string,
    at: Date,
    deliveries: number,
    types: readonly Omit<TypeCount, 'lastAt'>[],
  ): Promise<void> {
    await client.query(
      `UPDATE sources SET last_delivery_at = greatest(last_delivery_at, $3)
       WHERE company_id = $1 AND source_id = $2`,
      [companyId, sourceId, at],
    );
    await client.query(
      `INSERT INTO source_days AS stored (company_id, source_id, day, deliveries)
       VALUES ($1, $2, ($3::timestamptz AT TIME ZONE 'UTC')::date, $4)
       ON CONFLICT (company_id, source_id, day) DO UPDATE SET deliveries = stored.deliveries + excluded.deliveries`,
      [companyId, sourceId, at, deliveries],
    );
    await client.query(
      `WITH counted AS (SELECT * FROM unnest($4::text[], $5::bigint[]) AS given (type, records)),
         known AS (SELECT type FROM source_types WHERE company_id = $1 AND source_id = $2),
         named AS (
           SELECT CASE WHEN type IN (SELECT type FROM known)
             OR (SELECT count(*) FROM known) + row_number() OVER (ORDER BY type) <= ${MAX_TYPES}
             THEN type ELSE '${OTHER_TYPES}' END AS type, records FROM counted)
       INSERT INTO source_types AS stored (company_id, source_id, type, records, last_at)
       SELECT $1, $2, type, sum(records), $3 FROM named GROUP BY type ORDER BY type
       ON CONFLICT (company_id, source_id, type) DO UPDATE SET
         records = stored.records + excluded.records, last_at = greatest(stored.last_at, excluded.last_at)`,
      [companyId, sourceId, at, types.map(({ type }) => type), types.map(({ records }) => records)],
    );
  }

  async types({
    client,
    companyId,
  }: TenantTransaction): Promise<(TypeCount & { readonly sourceId: string })[]> {
    const { rows } = await client.query<TypeCount & { readonly sourceId: string }>(
      `SELECT source_id AS "sourceId", type, records::float8 AS records, last_at AS "lastAt" FROM source_types
       WHERE company_id = $1 ORDER BY source_id, records DESC, type`,
      [companyId],
    );
    return rows;
  }

  /**
   * Holds records; one that is held already stays as it is.
   * @returns whether all of them are held now; not all are where the source has no room left
   */
  async hold(
    { client, companyId }: TenantTransaction,
    sourceId: string,
    records: readonly HeldRow[],
    now: Date,
  ): Promise<boolean> {
    const heldIds = [...new Set(records.map(({ heldId }) => heldId))];
    const { rowCount } = await client.query(
      `INSERT INTO held_deliveries
         (company_id, source_id, held_id, reason, recipient_shas, address_hashes, sealed, received_at)
       SELECT $1, $2, held_id, reason, string_to_array(shas, ' '), string_to_array(hashes, ' '), sealed, $3
       FROM unnest($4::uuid[], $5::text[], $6::text[], $7::text[], $8::bytea[])
         AS given (held_id, reason, shas, hashes, sealed)
       WHERE (SELECT count(*) FROM (SELECT 1 FROM held_deliveries
         WHERE company_id = $1 AND source_id = $2 LIMIT ${MAX_HELD}) AS held) < ${MAX_HELD}
       ON CONFLICT (company_id, source_id, held_id) DO NOTHING`,
      [
        companyId,
        sourceId,
        now,
        records.map(({ heldId }) => heldId),
        records.map(({ reason }) => reason),
        records.map(({ recipientShas }) => recipientShas.join(' ')),
        records.map(({ addressHashes }) => addressHashes.join(' ')),
        records.map(({ sealed }) => sealed),
      ],
    );
    if (rowCount === heldIds.length) return true;
    const { rows } = await client.query<{ records: number }>(
      `SELECT count(*)::integer AS records FROM held_deliveries
       WHERE company_id = $1 AND source_id = $2 AND held_id = ANY ($3::uuid[])`,
      [companyId, sourceId, heldIds],
    );
    return rows[0]?.records === heldIds.length;
  }

  /**
   * Held records of a source as they came, those that have expired left out.
   * @param asked - after: behind which to go on; of one that is held no more, from the first
   */
  async held(
    { client, companyId }: TenantTransaction,
    asked: Readonly<{ sourceId: string; after: string; since: Date; limit: number }>,
    now: Date,
  ): Promise<Pick<HeldRow, 'heldId' | 'sealed'>[]> {
    const { rows } = await client.query<Pick<HeldRow, 'heldId' | 'sealed'>>(
      `SELECT held_id AS "heldId", sealed FROM held_deliveries
       WHERE company_id = $1 AND source_id = $2 AND received_at >= $4
         AND received_at > $5::timestamptz - interval '${HELD_DAYS} days'
         AND (received_at, held_id) > (coalesce((SELECT received_at FROM held_deliveries
           WHERE company_id = $1 AND source_id = $2 AND held_id = $3), '-infinity'), $3)
       ORDER BY received_at, held_id LIMIT $6`,
      [companyId, asked.sourceId, asked.after, asked.since, now, asked.limit],
    );
    return rows;
  }

  async release(
    { client, companyId }: TenantTransaction,
    sourceId: string,
    heldIds: readonly string[],
  ): Promise<void> {
    await client.query(
      'DELETE FROM held_deliveries WHERE company_id = $1 AND source_id = $2 AND held_id = ANY ($3::uuid[])',
      [companyId, sourceId, heldIds],
    );
  }

  /** How many records are held, by source and reason. */
  async heldCounts(
    { client, companyId }: TenantTransaction,
    now: Date,
  ): Promise<{ readonly sourceId: string; readonly reason: string; readonly records: number }[]> {
    const { rows } = await client.query<{ sourceId: string; reason: string; records: number }>(
      `SELECT source_id AS "sourceId", reason, count(*)::integer AS records FROM held_deliveries
       WHERE company_id = $1 AND received_at > $2::timestamptz - interval '${HELD_DAYS} days'
       GROUP BY source_id, reason ORDER BY source_id, records DESC, reason`,
      [companyId, now],
    );
    return rows;
  }
  /**
   * How many facts wait for their message, by source: each up to MAX_WAITING. Opt-outs and bounces hold without one, and
   * are none of them.
   * @param cutoff - events ingested up to here have expired
   */
  async waitingCounts(
    { client, companyId }: TenantTransaction,
    cutoff: Date,
  ): Promise<{ readonly sourceId: string; readonly facts: number }[]> {
    const { rows } = await client.query<{ sourceId: string; facts: number }>(
      `SELECT source_id AS "sourceId", waiting.facts FROM sources CROSS JOIN LATERAL (
         SELECT count(*)::integer AS facts FROM (
           SELECT 1 FROM outcome_events
           WHERE company_id = $1 AND source_id = sources.source_id AND touch_id IS NULL AND source_id IS NOT NULL
             AND outcome NOT IN (2, 3) AND ingested_at > $2 LIMIT ${MAX_WAITING}) AS counted) AS waiting
       WHERE company_id = $1`,
      [companyId, cutoff],
    );
    return rows;
  }
}
