import { Inject, Injectable } from '@nestjs/common';
import { DOCUMENTS, type DriftDocument, type RunFrame } from '@outcomes/contracts';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import type { DatedFrame } from './dated-frame';

/** How far a company's data has come through the service. */
export interface Freshness {
  /** Receipt of the newest batch in the newest finished run; null before the first. */
  readonly dataAsOf: Date | null;
  /** When that run ended. */
  readonly analysedAt: Date | null;
  /** Latest moment of which an outcome in that run tells. */
  readonly newestOutcomeAt: Date | null;
  readonly lastRunFailed: boolean;
  /** Whether any outcome was ever accepted and is still there. */
  readonly hasEvents: boolean;
}

/** What one statement found: a run and documents of it, so that no run that ends meanwhile can mix with another. */
export interface RunReading {
  readonly freshness: Freshness;
  /** What trust follows from; undefined before the first run. */
  readonly frame: DatedFrame | undefined;
  /** A document as a value; undefined where there is none. Only the analysis writes them, so their shape is not checked again. */
  readonly document: <Document>(name: string) => Document | undefined;
  /** Receipt of the newest batch in a document: the arms are refreshed between runs. */
  readonly documentAsOf: (name: string) => Date | null;
}

interface Row extends Omit<Freshness, 'newestOutcomeAt'> {
  readonly document: string | null;
  readonly body: string;
  readonly documentAsOf: Date;
}

/** By the clock of the database, as runs overtake one another; those of earlier versions have their own time alone. */
export const LAST_BEGUN = 'begun_at DESC NULLS LAST, started_at DESC';

/**
 * Says whose rows may be seen, then looks, in one statement: each part refers to `tenant`, which holds the planner to
 * this order. A company whose newest run is of an earlier version has no frame, and the ledger stands in for it.
 */
const RUN_AND_DOCUMENTS = `
  SELECT newest.data_as_of AS "dataAsOf", newest.finished_at AS "analysedAt", coalesce(latest.failed, false) AS "lastRunFailed",
    events.exist AS "hasEvents", found.document, found.body, found.data_as_of AS "documentAsOf"
  FROM set_config('app.company_id', $1::uuid::text, true) AS tenant (setting)
  LEFT JOIN LATERAL (
    SELECT data_as_of, finished_at FROM analysis_runs
    WHERE company_id = $1 AND state = 'succeeded' AND tenant.setting IS NOT NULL ORDER BY ${LAST_BEGUN} LIMIT 1
  ) AS newest ON true
  LEFT JOIN LATERAL (
    SELECT state = 'failed' AS failed FROM analysis_runs
    WHERE company_id = $1 AND state <> 'running' AND tenant.setting IS NOT NULL ORDER BY ${LAST_BEGUN} LIMIT 1
  ) AS latest ON true
  CROSS JOIN LATERAL (
    SELECT EXISTS (SELECT FROM touches WHERE company_id = $1 AND tenant.setting IS NOT NULL)
      OR EXISTS (SELECT FROM ingest_batches WHERE company_id = $1 AND tenant.setting IS NOT NULL) AS exist OFFSET 0
  ) AS events
  LEFT JOIN LATERAL (
    SELECT document, body, data_as_of FROM snapshots
    WHERE company_id = $1 AND tenant.setting IS NOT NULL AND (document = ANY ($2)
      OR document = $3 AND NOT EXISTS (SELECT FROM snapshots WHERE company_id = $1 AND document = $4
        AND tenant.setting IS NOT NULL))
    OFFSET 0
  ) AS found ON true`;

/** The newest run, and what it left. */
@Injectable()
export class RunRepository {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /**
   * The run's times and documents, in one round trip and from one moment.
   * @param documents - names; those that do not exist are left out
   */
  async read(scope: TenantScope, documents: readonly string[] = []): Promise<RunReading> {
    const rows = await this.database.read<Row>(scope, {
      name: 'run_and_documents',
      text: RUN_AND_DOCUMENTS,
      values: [scope.companyId, [DOCUMENTS.frame, ...documents], DOCUMENTS.drift, DOCUMENTS.frame],
    });
    return readingOf(rows);
  }
}

function readingOf(rows: readonly Row[]): RunReading {
  const [run] = rows;
  const found = new Map(rows.map((row) => [row.document, row]));
  const document = <Document>(name: string): Document | undefined => {
    const row = found.get(name);
    return row && (JSON.parse(row.body) as Document);
  };
  const frame = document<RunFrame>(DOCUMENTS.frame) ?? document<DriftDocument>(DOCUMENTS.drift);
  const newestOutcomeAt = frame?.newest_outcome_at ?? null;
  return {
    freshness: {
      dataAsOf: run?.dataAsOf ?? null,
      analysedAt: run?.analysedAt ?? null,
      newestOutcomeAt: newestOutcomeAt === null ? null : new Date(newestOutcomeAt),
      lastRunFailed: run?.lastRunFailed ?? false,
      hasEvents: run?.hasEvents ?? false,
    },
    frame,
    document,
    documentAsOf: (name) => found.get(name)?.documentAsOf ?? null,
  };
}
