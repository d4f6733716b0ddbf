import { Inject, Injectable } from '@nestjs/common';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';

/** A document of the newest run, as the bytes that were stored. */
export interface StoredSnapshot {
  readonly document: string;
  /** One JSON document; send it as it is. */
  readonly body: string;
  /** Changes exactly when the body does. */
  readonly etag: string;
  readonly dataAsOf: Date;
  readonly updatedAt: Date;
}

/** What an answer is made of. */
export type StoredBody = Pick<StoredSnapshot, 'body' | 'etag'>;

const COLUMNS = `document, body, etag, data_as_of AS "dataAsOf", updated_at AS "updatedAt"`;

/**
 * Says whose rows may be seen, then looks: in one statement, and in this order, to which the reference to `tenant` and
 * OFFSET 0 hold the planner. (In the other order row-level security would show nothing.)
 */
const ONE_SNAPSHOT = `
  SELECT found.body, found.etag
  FROM set_config('app.company_id', $1::uuid::text, true) AS tenant (setting),
    LATERAL (
      SELECT body, etag FROM snapshots
      WHERE company_id = $1 AND document = $2 AND tenant.setting IS NOT NULL OFFSET 0
    ) AS found`;

/** What the runs left for readers. Every document is one row, replaced as a whole. */
@Injectable()
export class SnapshotRepository {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /**
   * One document of the company; undefined before the first run that writes it. Without its dates, which take the
   * driver as long to read as the rest.
   */
  async find(scope: TenantScope, document: string): Promise<StoredBody | undefined> {
    const [row] = await this.database.read<StoredBody>({
      name: 'snapshot_by_name',
      text: ONE_SNAPSHOT,
      values: [scope.companyId, document],
    });
    return row;
  }

  /**
   * Several documents in one round trip and from the same moment. The function tells Postgres whose rows may be
   * seen before it looks, as a tenant transaction does in a round trip of its own.
   */
  async findAll(
    scope: TenantScope,
    documents: readonly string[],
  ): Promise<ReadonlyMap<string, StoredSnapshot>> {
    const rows = await this.database.read<StoredSnapshot>({
      name: 'snapshots_by_name',
      text: `SELECT ${COLUMNS} FROM read_snapshots($1, $2)`,
      values: [scope.companyId, documents],
    });
    return new Map(rows.map((row) => [row.document, row]));
  }

  /** The first stored document whose name begins with the prefix, in ascending byte order. */
  async findFirst(scope: TenantScope, prefix: string): Promise<StoredSnapshot | undefined> {
    return this.database.transaction(scope, async ({ companyId, client }) => {
      const found = await client.query<StoredSnapshot>({
        name: 'snapshots_first',
        text: `SELECT ${COLUMNS} FROM snapshots
          WHERE company_id = $1 AND document >= $2 AND starts_with(document, $2)
          ORDER BY document LIMIT 1`,
        values: [companyId, prefix],
      });
      return found.rows[0];
    });
  }
}
