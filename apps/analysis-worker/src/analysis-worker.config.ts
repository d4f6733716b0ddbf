import type { LlmSettings } from '@outcomes/analysis';
import type { SmtpSettings } from '@outcomes/deprecation';
import { areSecretKeys, loadConfig, serviceConfigSchema, z } from '@outcomes/platform';

const fields = serviceConfigSchema({ port: 0, managementPort: 9004 }).extend({
  /** How long a statement may run in Postgres: the counts of years are read and marked in a few large ones. */
  DATABASE_STATEMENT_TIMEOUT_MS: z.coerce.number().int().min(1).default(30_000),
  /** No caller waits here, and who works for which company is settled already. */
  DATABASE_TENANT_CONNECTIONS: z.coerce.number().int().min(1).max(500).default(500),
  /** Companies whose batches this process works in at the same time. */
  BATCH_CONCURRENCY: z.coerce.number().int().min(1).max(64).default(4),
  /** Companies that this process analyses at the same time: with two, nobody waits for a single large one. */
  ANALYSIS_CONCURRENCY: z.coerce.number().int().min(1).max(16).default(2),
  /** When the daily analysis of all companies begins: a cron expression in UTC, due once a day. */
  DAILY_ANALYSIS_CRON: z.string().default('0 2 * * *'),
  /** How often Postgres is asked for batches that no message told of. */
  SWEEP_INTERVAL_MS: z.coerce.number().int().min(10).default(1_000),
  /** How often the audit log is sealed; a row is sealed when it is one to two intervals old. */
  AUDIT_SEAL_INTERVAL_MS: z.coerce.number().int().min(10).default(60_000),
  /** Chat completions API that the `llm` chunk is asked from, up to and without /chat/completions. Unset: off. */
  LLM_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Bearer token for it; unset where it asks for none. A secret. */
  LLM_API_KEY: z.string().default(''),
  /** Model to ask; required with LLM_BASE_URL. */
  LLM_MODEL: z.string().min(1).max(100).optional(),
  /** Messages of one company that may be sent to the model per UTC day, scrubbed. */
  LLM_DAILY_MESSAGES: z.coerce.number().int().min(1).max(10_000).default(200),
  /** Longest wait for one answer of the model; it is asked up to three times. */
  LLM_TIMEOUT_MS: z.coerce.number().int().min(1).max(300_000).default(30_000),
  /** SMTP server that announcements of deprecations go through: smtp:// or smtps://. A secret. Unset: none are sent. */
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  /** Address that they come from; required with SMTP_URL. */
  SMTP_FROM: z.email().optional(),
  /** Longest wait for one step of handing over a message, which takes at most four times as long. */
  SMTP_TIMEOUT_MS: z.coerce.number().int().min(1).max(60_000).default(15_000),
  /** How often it is looked whether somebody is still to be told. */
  ANNOUNCEMENT_INTERVAL_MS: z.coerce.number().int().min(10).default(3_600_000),
  /**
   * What the secrets that webhooks are signed with are encrypted with: 32 random bytes in base64, the same as for the
   * command line and ingest-api. Several parted by commas: all of them decrypt. A secret; without it no webhook is sent.
   */
  SOURCE_SECRETS_KEY: z
    .string()
    .default('')
    .refine(areSecretKeys, 'Give 32 bytes in base64, or several such keys parted by commas.'),
  /** How often it is looked for webhooks that are due. */
  WEBHOOK_INTERVAL_MS: z.coerce.number().int().min(10).default(1_000),
});
const schema = fields
  .refine((config) => (config.LLM_BASE_URL === undefined) === (config.LLM_MODEL === undefined), {
    path: ['LLM_MODEL'],
    message: 'LLM_BASE_URL and LLM_MODEL are set together or not at all',
  })
  .refine((config) => (config.SMTP_URL === undefined) === (config.SMTP_FROM === undefined), {
    path: ['SMTP_FROM'],
    message: 'SMTP_URL and SMTP_FROM are set together or not at all',
  })
  // An analysis holds the connection that it reads over while it puts away what it has read over another, and the sweep
  // may be at one of its own: where all hold one, another must be free.
  .refine((config) => config.DATABASE_POOL_SIZE >= config.ANALYSIS_CONCURRENCY + 2, {
    path: ['DATABASE_POOL_SIZE'],
    message: 'must be ANALYSIS_CONCURRENCY + 2 or more',
  });

export const WORKER_CONFIG = Symbol('AnalysisWorkerConfig');
export type AnalysisWorkerConfig = z.infer<typeof schema>;

export const analysisWorkerConfig = (): AnalysisWorkerConfig => loadConfig(schema, process.env);

/** What the language model is asked with; null where it is off. */
export function llmSettings(config: AnalysisWorkerConfig): LlmSettings | null {
  if (config.LLM_BASE_URL === undefined || config.LLM_MODEL === undefined) return null;
  return {
    baseUrl: config.LLM_BASE_URL,
    apiKey: config.LLM_API_KEY,
    model: config.LLM_MODEL,
    dailyMessages: config.LLM_DAILY_MESSAGES,
    timeoutMs: config.LLM_TIMEOUT_MS,
  };
}

/** What announcements are sent with; null where none are. */
export function smtpSettings(config: AnalysisWorkerConfig): SmtpSettings | null {
  if (config.SMTP_URL === undefined || config.SMTP_FROM === undefined) return null;
  return { url: config.SMTP_URL, from: config.SMTP_FROM, timeoutMs: config.SMTP_TIMEOUT_MS };
}
