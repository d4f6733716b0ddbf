import { createErasureReplay } from '@outcomes/ingestion';
import { companyExists, createDataSource } from '@outcomes/persistence';
import { systemClock } from '@outcomes/platform';
import { TenantDatabase } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { AdministrationTrail, AuditVerification, BY_THE_SERVICE } from '@outcomes/audit';
import type { Progress } from '../output/progress';
import { CliFailure } from '../output/cli-failure';
import { deleteCompany } from '../company/delete-company';
import type { ErasureLedger } from './erasure-file';

const STATEMENT_TIMEOUT_MS = 10 * 60_000;

export interface ReplaySummary {
  /** Erasures that the database did not know of. */
  readonly repeated: number;
  /** Those of them of which something had come back. */
  readonly found: number;
}

/**
 * Repeats in a restored database what an exported ledger says and its own does not.
 * @param url - of the owner of the tables
 */
export async function replayErasures(
  url: string,
  { erasures, byCompany }: ErasureLedger,
  progressOf: (erasures: number) => Progress,
): Promise<ReplaySummary> {
  const progress = progressOf(erasures);
  try {
    return await asOwner(url, async (database) => {
      const replay = createErasureReplay(database, systemClock);
      const summary = { repeated: 0, found: 0 };
      let done = 0;
      for (const [companyId, ofCompany] of byCompany) {
        const scope = mintTenantScope(companyId);
        const isGone = ofCompany.some(({ subject }) => subject === 'company');
        // Before its row in the ledger, which says that it was done.
        if (isGone && (await database.transaction(scope, companyExists))) {
          await deleteCompany(url, BY_THE_SERVICE, companyId, () => NO_PROGRESS, nobodyWrites);
          summary.found += 1;
        }
        const { repeated, found } = await replay.replay(scope, ofCompany);
        summary.repeated += repeated;
        summary.found += found;
        done += ofCompany.length;
        progress.update(done, companyId);
      }
      return summary;
    });
  } finally {
    progress.stop();
  }
}

/** No service works on a database that is being restored. */
const nobodyWrites = () => Promise.resolve();
const NO_PROGRESS: Progress = { update: () => undefined, stop: () => undefined };

/**
 * Holds the audit log and the administration log of each company against their seals.
 * @returns how many logs are intact
 * @throws CliFailure naming the first company whose log is not
 */
export async function verifyAudits(
  url: string,
  companyIds: readonly string[],
  progressOf: (companies: number) => Progress,
): Promise<number> {
  const progress = progressOf(companyIds.length);
  try {
    return await asOwner(url, async (database) => {
      const verification = new AuditVerification(database);
      const trail = new AdministrationTrail(database);
      for (const [at, companyId] of companyIds.entries()) {
        const scope = mintTenantScope(companyId);
        const firstFault =
          (await verification.verify(scope)).firstFault ?? (await trail.verify(scope)).firstFault;
        if (firstFault)
          throw new CliFailure(
            `The audit log of ${companyId} is not intact after the restore. ${firstFault.message}`,
          );
        progress.update(at + 1, companyId);
      }
      return companyIds.length;
    });
  } finally {
    progress.stop();
  }
}

async function asOwner<Result>(
  url: string,
  work: (database: TenantDatabase) => Promise<Result>,
): Promise<Result> {
  const dataSource = await createDataSource({
    url,
    applicationName: 'outcomes-restore',
    poolSize: 2,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    connectTimeoutMs: 5_000,
  }).initialize();
  try {
    return await work(new TenantDatabase(dataSource));
  } finally {
    await dataSource.destroy();
  }
}
