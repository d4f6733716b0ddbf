import { Inject, Injectable } from '@nestjs/common';
import { DOCUMENTS } from '@outcomes/contracts';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { LAST_BEGUN } from '../runs/run.repository';

/** A document of the newest run, as the bytes that were stored. */
export interface StoredBody {
  /** One JSON document; send it as it is. */
  readonly body: string;
  /** Changes exactly when the body does. */
  readonly etag: string;
  /** The frame of the run, or the ledger where an earlier version left none; JSON. */
  readonly frame: string | null;
  /** Whether a later run failed, so that this is the result of an earlier one. */
  readonly lastRunFailed: boolean;
}

/** Read in the statement that reads the document, so that both are of one run. */
const FRAME = `coalesce(
        (SELECT body FROM snapshots WHERE company_id = $1 AND document = '${DOCUMENTS.frame}' LIMIT 1),
        (SELECT body FROM snapshots WHERE company_id = $1 AND document = '${DOCUMENTS.drift}' LIMIT 1)) AS frame,
        coalesce((SELECT state = 'failed' FROM analysis_runs WHERE company_id = $1 AND state <> 'running'
          ORDER BY ${LAST_BEGUN} LIMIT 1), false) AS "lastRunFailed"`;

/**
 * Says whose rows may be seen, then looks: in one statement, and in this order, to which the reference to `tenant` and
 * OFFSET 0 hold the planner. (In the other order row-level security would show nothing.) What the document's row asks
 * for beside it is looked up when the row is there, and so later still.
 */
const ONE_SNAPSHOT = `
  SELECT found.body, found.etag, found.frame, found."lastRunFailed"
  FROM set_config('app.company_id', $1::uuid::text, true) AS tenant (setting),
    LATERAL (
      SELECT body, etag, ${FRAME} FROM snapshots
      WHERE company_id = $1 AND document = $2 AND tenant.setting IS NOT NULL OFFSET 0
    ) AS found`;

/** What the runs left for readers. Every document is one row, replaced as a whole. */
@Injectable()
export class SnapshotRepository {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /** One document of the company, and what its run says beside it; undefined before the first run that writes it. */
  async find(scope: TenantScope, document: string): Promise<StoredBody | undefined> {
    const [row] = await this.database.read<StoredBody>(scope, {
      name: 'snapshot_by_name',
      text: ONE_SNAPSHOT,
      values: [scope.companyId, document],
    });
    return row;
  }

  /** The first stored document whose name begins with the prefix, in ascending byte order. */
  async findFirst(scope: TenantScope, prefix: string): Promise<StoredBody | undefined> {
    return this.database.transaction(scope, async ({ companyId, client }) => {
      const found = await client.query<StoredBody>({
        name: 'snapshots_first',
        text: `SELECT body, etag, ${FRAME} FROM snapshots
          WHERE company_id = $1 AND document >= $2 AND starts_with(document, $2)
          ORDER BY document LIMIT 1`,
        values: [companyId, prefix],
      });
      return found.rows[0];
    });
  }
}
