import { loadConfig, serviceConfigSchema, z } from '@outcomes/platform';

const schema = serviceConfigSchema({ port: 0, managementPort: 9004 }).extend({
  /** How long a statement may run in Postgres: the counts of years are read and marked in a few large ones. */
  DATABASE_STATEMENT_TIMEOUT_MS: z.coerce.number().int().min(1).default(30_000),
  /** Companies whose batches this process works in at the same time. */
  BATCH_CONCURRENCY: z.coerce.number().int().min(1).max(64).default(4),
  /** Companies that this process analyses at the same time. */
  ANALYSIS_CONCURRENCY: z.coerce.number().int().min(1).max(16).default(1),
  /** When the daily analysis of all companies begins: a cron expression in UTC, due once a day. */
  DAILY_ANALYSIS_CRON: z.string().default('0 2 * * *'),
  /** How often Postgres is asked for batches that no message told of. */
  SWEEP_INTERVAL_MS: z.coerce.number().int().min(10).default(1_000),
  /** How often the audit log is sealed; a row is sealed when it is one to two intervals old. */
  AUDIT_SEAL_INTERVAL_MS: z.coerce.number().int().min(10).default(60_000),
});

export const WORKER_CONFIG = Symbol('AnalysisWorkerConfig');
export type AnalysisWorkerConfig = z.infer<typeof schema>;

export const analysisWorkerConfig = (): AnalysisWorkerConfig => loadConfig(schema, process.env);
