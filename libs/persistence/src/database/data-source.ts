import 'reflect-metadata';
import type { Pooler } from '@outcomes/platform';
import type { ReadsConfig } from '@outcomes/tenancy';
import { DataSource } from 'typeorm';
import { AnalysisRunEntity } from '../entities/analysis-run.entity';
import { ApiKeyEntity } from '../entities/api-key.entity';
import { CompanyEntity } from '../entities/company.entity';
import { SnapshotEntity } from '../entities/snapshot.entity';
import { CreateSchema1790000000000 } from '../migrations/1790000000000-create-schema';
import { AddAuditSeals1790100000000 } from '../migrations/1790100000000-add-audit-seals';
import { ExtendIngestion1790200000000 } from '../migrations/1790200000000-extend-ingestion';
import { AddWeekDigests1790300000000 } from '../migrations/1790300000000-add-week-digests';
import { AddDecisions1790400000000 } from '../migrations/1790400000000-add-decisions';
import { AddSegmentsAndPriors1790500000000 } from '../migrations/1790500000000-add-segments-and-priors';
import { AddAnnouncements1790600000000 } from '../migrations/1790600000000-add-announcements';
import { AddResponderCounts1790700000000 } from '../migrations/1790700000000-add-responder-counts';
import { ReadOneSnapshot1790800000000 } from '../migrations/1790800000000-read-one-snapshot';
import { AddSettledSums1790900000000 } from '../migrations/1790900000000-add-settled-sums';
import { AddFacts1791000000000 } from '../migrations/1791000000000-add-facts';
import { IndexFacts1791000100000 } from '../migrations/1791000100000-index-facts';
import { ReadExpiryOfEvents1791000200000 } from '../migrations/1791000200000-read-expiry-of-events';
import { PlanAnalyses1791000300000 } from '../migrations/1791000300000-plan-analyses';
import { ProfileEveryone1791000400000 } from '../migrations/1791000400000-profile-everyone';
import { CountCampaigns1791000500000 } from '../migrations/1791000500000-count-campaigns';
import { KeepLedger1791000600000 } from '../migrations/1791000600000-keep-ledger';
import { KeepEvidence1791000700000 } from '../migrations/1791000700000-keep-evidence';
import { FoldEvidence1791000800000 } from '../migrations/1791000800000-fold-evidence';
import { BoundKeys1791001000000 } from '../migrations/1791001000000-bound-keys';
import { NoteAnalyses1791001600000 } from '../migrations/1791001600000-note-analyses';
import { KeepErasures1791000900000 } from '../migrations/1791000900000-keep-erasures';
import { AddAccounts1791001300000 } from '../migrations/1791001300000-add-accounts';
import { CountLots1791001490000 } from '../migrations/1791001490000-count-lots';
import { IndexDecisionsByAction1791001500000 } from '../migrations/1791001500000-index-decisions-by-action';
import { KeepStrata1791002000000 } from '../migrations/1791002000000-keep-strata';
import { LogAdministration1791001700000 } from '../migrations/1791001700000-log-administration';
import { ListSuppressions1791001800000 } from '../migrations/1791001800000-list-suppressions';
import { KeepEvidenceWeeks1791002100000 } from '../migrations/1791002100000-keep-evidence-weeks';
import { AddSources1791002200000 } from '../migrations/1791002200000-add-sources';
import { KeepJudgements1791002300000 } from '../migrations/1791002300000-keep-judgements';
import { VacuumCounts1791002400000 } from '../migrations/1791002400000-vacuum-counts';
import { AddWebhooks1791002600000 } from '../migrations/1791002600000-add-webhooks';
import { RememberVisits1791002700000 } from '../migrations/1791002700000-remember-visits';
import { NameSourcesOfEvents1791002800000 } from '../migrations/1791002800000-name-sources-of-events';
import { IndexWaitingFacts1791002810000 } from '../migrations/1791002810000-index-waiting-facts';
import { TellWhySuppressed1791002900000 } from '../migrations/1791002900000-tell-why-suppressed';
import { IndexCauses1791002910000 } from '../migrations/1791002910000-index-causes';
import { SteadyClient } from './steady-client';
import { UnnamedClient } from './unnamed-client';

export const ENTITIES = [AnalysisRunEntity, ApiKeyEntity, CompanyEntity, SnapshotEntity];
export const MIGRATIONS = [
  CreateSchema1790000000000,
  AddAuditSeals1790100000000,
  ExtendIngestion1790200000000,
  AddWeekDigests1790300000000,
  AddDecisions1790400000000,
  AddSegmentsAndPriors1790500000000,
  AddAnnouncements1790600000000,
  AddResponderCounts1790700000000,
  ReadOneSnapshot1790800000000,
  AddSettledSums1790900000000,
  AddFacts1791000000000,
  IndexFacts1791000100000,
  ReadExpiryOfEvents1791000200000,
  PlanAnalyses1791000300000,
  ProfileEveryone1791000400000,
  CountCampaigns1791000500000,
  KeepLedger1791000600000,
  KeepEvidence1791000700000,
  FoldEvidence1791000800000,
  KeepErasures1791000900000,
  BoundKeys1791001000000,
  AddAccounts1791001300000,
  CountLots1791001490000,
  IndexDecisionsByAction1791001500000,
  NoteAnalyses1791001600000,
  LogAdministration1791001700000,
  ListSuppressions1791001800000,
  KeepStrata1791002000000,
  KeepEvidenceWeeks1791002100000,
  AddSources1791002200000,
  KeepJudgements1791002300000,
  VacuumCounts1791002400000,
  AddWebhooks1791002600000,
  RememberVisits1791002700000,
  NameSourcesOfEvents1791002800000,
  IndexWaitingFacts1791002810000,
  TellWhySuppressed1791002900000,
  IndexCauses1791002910000,
];

export interface DatabaseOptions {
  readonly url: string;
  /** Shown in pg_stat_activity, so that an operator sees who holds a connection. */
  readonly applicationName: string;
  readonly poolSize: number;
  readonly statementTimeoutMs: number;
  readonly connectTimeoutMs: number;
  /** How long a statement waits for a lock; as long as it may run unless told. */
  readonly lockTimeoutMs?: number;
  /** What stands between, as DATABASE_POOLER says it. */
  readonly pooler?: Pooler;
}

/** A data source with bounded waits everywhere. It is not connected yet. `synchronize` is off for good. */
export function createDataSource(options: DatabaseOptions): DataSource {
  return new DataSource({
    type: 'postgres',
    url: options.url,
    applicationName: options.applicationName,
    poolSize: options.poolSize,
    connectTimeoutMS: options.connectTimeoutMs,
    entities: ENTITIES,
    migrations: MIGRATIONS,
    migrationsTransactionMode: 'each',
    migrationsTableName: 'schema_migrations',
    synchronize: false,
    logging: false,
    installExtensions: false,
    uuidExtension: 'pgcrypto',
    invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
    extra: connectionParameters(options),
  });
}

/** How a client connects beside a data source, with the same bounds. */
export function clientConfig(options: Omit<DatabaseOptions, 'poolSize'>): ReadsConfig {
  return {
    connectionString: options.url,
    application_name: options.applicationName,
    connectionTimeoutMillis: options.connectTimeoutMs,
    ...connectionParameters(options),
  };
}

function connectionParameters(options: Omit<DatabaseOptions, 'poolSize'>) {
  return {
    ...clientOf[options.pooler ?? 'none'](options.statementTimeoutMs),
    ...(options.lockTimeoutMs !== undefined && { lock_timeout: options.lockTimeoutMs }),
    // The client gives up a little later than the server, for the case that the server is gone.
    query_timeout: options.statementTimeoutMs + 1_000,
    keepAlive: true,
    // Statements that do not wait for one another are sent together, and answered in their order.
    pipeline: true,
  };
}

/** Parameters of a connection's start are refused by poolers, or forgotten: there, the role has to have them. */
function serverTimeouts(statementTimeoutMs: number) {
  return {
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs * 2,
  };
}

/** `isPooled` is read by whoever would keep something on a connection; see TenantDatabase.listen. */
const clientOf: Readonly<Record<Pooler, (statementTimeoutMs: number) => object>> = {
  none: (statementTimeoutMs) => ({ Client: SteadyClient, ...serverTimeouts(statementTimeoutMs) }),
  transaction: () => ({ Client: UnnamedClient, isPooled: true }),
  'transaction-prepared': () => ({ Client: SteadyClient, isPooled: true }),
};
