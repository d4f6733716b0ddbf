import type { LlmSettings } from '@outcomes/analysis';
import type { SmtpSettings } from '@outcomes/deprecation';
import { areSecretKeys, loadConfig, numberSetting, serviceConfigSchema, z } from '@outcomes/platform';
import { isDueEveryDay } from '@outcomes/queues';

const fields = serviceConfigSchema({ port: 0, managementPort: 9004 }).extend({
  PORT: z.coerce.number().int().min(0).default(0).describe('Not used: this service has no public port.'),
  // The counts of years are read and marked in a few large statements.
  DATABASE_STATEMENT_TIMEOUT_MS: numberSetting(
    'Longest time a statement may run in Postgres.',
    'milliseconds',
    { fallback: 30_000 },
  ),
  // No caller waits here, and who works for which company is settled already.
  DATABASE_TENANT_CONNECTIONS: numberSetting(
    'Connections that work for one company at the same time.',
    'connections',
    { most: 500, fallback: 500 },
  ),
  BATCH_CONCURRENCY: numberSetting(
    'Companies whose batches this process processes at the same time.',
    'companies',
    { most: 64, fallback: 4 },
  ),
  ANALYSIS_CONCURRENCY: numberSetting(
    'Companies that this process analyses at the same time. With two, nobody waits for a single large one.',
    'companies',
    { most: 16, fallback: 2 },
  ),
  DAILY_ANALYSIS_CRON: z
    .string()
    .default('0 2 * * *')
    .refine(isDueEveryDay, 'must be a cron expression that is due every day, such as 0 2 * * *')
    .describe(
      'When the daily analysis of all companies starts: a cron expression in UTC that is due once a day.',
    ),
  SWEEP_INTERVAL_MS: numberSetting(
    'How often Postgres is checked for batches whose message was lost.',
    'milliseconds',
    { least: 10, fallback: 1_000 },
  ),
  AUDIT_SEAL_INTERVAL_MS: numberSetting(
    'How often the audit log is sealed. A row is sealed when it is one to two intervals old.',
    'milliseconds',
    { least: 10, fallback: 60_000 },
  ),
  LLM_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Chat completions API that fills the `llm` chunk, up to and without `/chat/completions`. It is sent scrubbed texts of companies that have opted in. Off unless set.',
    ),
  LLM_API_KEY: z.string().default('').meta({
    description: 'Bearer token for LLM_BASE_URL. Leave it unset if none is required.',
    secret: true,
  }),
  LLM_MODEL: z.string().min(1).max(100).optional().describe('Model to ask. Required with LLM_BASE_URL.'),
  LLM_DAILY_MESSAGES: numberSetting(
    'Messages of one company that may be sent to the model per UTC day.',
    'messages',
    { most: 10_000, fallback: 200 },
  ),
  LLM_TIMEOUT_MS: numberSetting(
    'Longest wait for one answer of the model. It is asked up to three times.',
    'milliseconds',
    { most: 300_000, fallback: 30_000 },
  ),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .meta({
      description:
        'SMTP server for e-mail about deprecations and disabled webhooks: smtp:// or smtps://. None is sent unless set.',
      secret: true,
    }),
  SMTP_FROM: z.email().optional().describe('Sender of those e-mails. Required with SMTP_URL.'),
  SMTP_TIMEOUT_MS: numberSetting(
    'Longest wait for one step of handing over a message, which takes at most four times as long.',
    'milliseconds',
    { most: 60_000, fallback: 15_000 },
  ),
  ANNOUNCEMENT_INTERVAL_MS: numberSetting(
    'How often the service checks for notices that still have to be sent.',
    'milliseconds',
    { least: 10, fallback: 3_600_000 },
  ),
  SOURCE_SECRETS_KEY: z
    .string()
    .default('')
    .refine(areSecretKeys, 'Give 32 bytes in base64, or several such keys separated by commas.')
    .meta({
      description:
        'Decrypts the secrets that webhooks are signed with. 32 random bytes in base64, the same for ingest-api, analysis-worker and the command line. Several separated by commas: all of them decrypt. Without it no webhook is sent.',
      secret: true,
    }),
  WEBHOOK_INTERVAL_MS: numberSetting(
    'How often the service checks for webhooks that are due.',
    'milliseconds',
    {
      least: 10,
      fallback: 1_000,
    },
  ),
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

export const analysisWorkerConfig = (): AnalysisWorkerConfig => loadConfig(schema, process.env, process.argv);

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
