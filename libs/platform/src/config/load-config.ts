import { z } from 'zod';
import { sentinelList } from '../redis/redis-address';
import { filesIn } from '../runtime/trusted-authorities';
import { POOLERS } from './pooler';
import { settingsHelp, settingsOf, type SettingMeta } from './settings';

/**
 * Parses an environment against a schema before anything else starts.
 * @param schema - one field per variable; what its SettingMeta says is what `--help` and `docs/settings.md` say
 * @param environment - usually process.env, passed in by the app's *.config.ts
 * @param args - of the command line: with `--help` the settings are printed, with `--help --json` as JSON, and the
 * process ends with 0
 * @returns the typed configuration
 *
 * All faults are printed at once, one line each, and the process ends with 1: a service that runs half
 * configured is worse than one that does not run. Values are not printed: they may be secrets.
 */
export function loadConfig<Schema extends z.ZodObject>(
  schema: Schema,
  environment: Readonly<Record<string, string | undefined>>,
  args: readonly string[] = [],
): z.infer<Schema> {
  if (args.includes('--help')) {
    const asJson = args.includes('--json');
    process.stdout.write(asJson ? `${JSON.stringify(settingsOf(schema))}\n` : settingsHelp(schema));
    process.exit(0);
  }
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(set);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) {
    const [name] = issue.path;
    // What is not there is of no type, whichever was expected.
    const isMissing =
      issue.path.length === 1 && issue.code === 'invalid_type' && !Object.hasOwn(set, name ?? '');
    const fault = isMissing ? 'It is required, and not set.' : issue.message;
    process.stderr.write(`configuration: ${issue.path.join('.')}: ${fault}\n`);
  }
  process.exit(1);
}

const MEBIBYTE = 1_024 * 1_024;
const ANY_COUNT = Number.MAX_SAFE_INTEGER;

/**
 * A setting that is a whole number.
 * @param unit - in the plural
 * @param bounds - both inclusive; `most` unbounded unless given
 */
export function numberSetting(
  description: string,
  unit: string,
  { least = 1, most = ANY_COUNT, fallback }: { least?: number; most?: number; fallback: number },
) {
  const number = z.coerce.number().int().min(least).max(most).default(fallback);
  return number.meta({ description, unit } satisfies SettingMeta);
}

const milliseconds = (description: string, fallback: number) =>
  numberSetting(description, 'milliseconds', { fallback });
const port = (description: string, fallback: number) =>
  z.coerce.number().int().min(0).max(65_535).default(fallback).describe(description);
const postgresUrl = () => z.url({ protocol: /^postgres(ql)?$/ });

/** A setting that is kept in a secret store. */
const secret = (description: string): SettingMeta => ({ description, secret: true });

/** Fields that every service has. `defaults` are the local ports. */
export function serviceConfigSchema(defaults: { port: number; managementPort: number }) {
  return z.object({
    PORT: port('Public port.', defaults.port),
    MANAGEMENT_PORT: port(
      'Port of `livez`, `readyz` and `metrics`. Do not expose it to callers.',
      defaults.managementPort,
    ),
    BIND_ADDRESS: z
      .string()
      .default('')
      // Without one Node takes all, and IPv4 alone where there is no IPv6.
      .describe(
        'Address that both ports are bound to; all addresses of the machine, IPv6 and IPv4, unless set.',
      ),
    DATABASE_URL: postgresUrl().meta(
      secret("Postgres, as this service's own login role (never as the owner of the tables)."),
    ),
    DATABASE_POOL_SIZE: numberSetting(
      'Connections to Postgres that this process opens at most. Services that read open up to two more.',
      'connections',
      { most: 500, fallback: 10 },
    ),
    DATABASE_TENANT_CONNECTIONS: z.coerce.number().int().min(1).max(500).optional().meta({
      description: 'Connections that work for one company at the same time. Half of the pool unless set.',
      unit: 'connections',
    }),
    DATABASE_STATEMENT_TIMEOUT_MS: milliseconds('Longest time a statement may run in Postgres.', 5_000),
    DATABASE_CONNECT_TIMEOUT_MS: milliseconds(
      'Longest time a request waits for a connection. Behind other requests of its company it waits up to 10 seconds while these make progress.',
      1_500,
    ),
    // Nothing is kept on a connection behind one, and Postgres has to have its time-outs with the role.
    DATABASE_POOLER: z
      .enum(POOLERS)
      .default('none')
      .describe(
        'Pooler between the service and Postgres: `transaction` for PgBouncer, or a similar pooler, in transaction mode; `transaction-prepared` if it supports prepared statements (PgBouncer 1.21 or newer with `max_prepared_statements`). See `k8s/README.md`.',
      ),
    DATABASE_REPLICA_URL: postgresUrl()
      .optional()
      .meta(
        secret(
          'A standby that follows DATABASE_URL by streaming, as the same role. Results of analyses are then read there; keys, limits, audit and opt-outs stay with the primary. See `k8s/README.md`.',
        ),
      ),
    DATABASE_REPLICA_MAX_AGE_MS: numberSetting(
      'How far the standby may lag behind. Beyond that, and while it is unavailable, the primary answers.',
      'milliseconds',
      { least: 100, most: 3_600_000, fallback: 2_000 },
    ),
    MAX_CLOCK_SKEW_MS: milliseconds(
      "How far this process's clock may be from that of Postgres. Beyond that nothing is read, written or deleted.",
      300_000,
    ),
    TRUSTED_CA_FILES: z
      .string()
      .default('')
      .transform(filesIn)
      .describe(
        'PEM files of certificate authorities to trust in addition to the public ones, separated by commas.',
      ),
    REDIS_URL: z.url({ protocol: /^rediss?$/ }).meta(secret('Redis, with `maxmemory-policy noeviction`.')),
    REDIS_SENTINELS: sentinelList.meta(
      secret(
        'URLs of sentinels, separated by commas, with the same scheme, user and password. The host of REDIS_URL is then the name by which they know the primary.',
      ),
    ),
    REDIS_PREFIX: z
      .string()
      .regex(/^[\w{}.-]{1,128}$/)
      .default('{outcomes}')
      .describe('Prefix of every Redis key, in braces.'),
    LOG_LEVEL: z
      .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
      .default('info')
      .describe('Least severe level that is logged.'),
    DRAIN_DELAY_MS: numberSetting(
      'How long `readyz` fails before the port closes, so that load balancers take the pod out first.',
      'milliseconds',
      { least: 0, fallback: 0 },
    ),
    KEY_PREFIX: z
      .string()
      .regex(/^[a-z][a-z0-9]{1,15}$/)
      .default('svc')
      .describe('Prefix of API keys, and scheme of the MCP resources.'),
    TRUSTED_PROXIES: numberSetting(
      "Reverse proxies in front of the service that are trusted to name the caller's address.",
      'proxies',
      { least: 0, most: 10, fallback: 0 },
    ),
    ADDRESS_BURST_LIMIT: numberSetting(
      'Requests per 15 minutes from an address without a valid credential.',
      'requests',
      { most: 1_000_000_000, fallback: 200 },
    ),
    MAX_CONNECTIONS: numberSetting(
      'Connections that the public port holds open at the same time. Further ones are closed at once.',
      'connections',
      { fallback: 4_000 },
    ),
    MAX_CONCURRENT_REQUESTS: numberSetting(
      'Requests of authenticated callers that are answered at the same time. One company may use three quarters of them.',
      'requests',
      { least: 4, fallback: 400 },
    ),
    MAX_HELD_BODY_BYTES: numberSetting(
      'Memory that all request bodies may take together. Beyond that the slowest are aborted.',
      'bytes',
      { least: MEBIBYTE, fallback: 16 * MEBIBYTE },
    ),
    MAX_ARRIVING_BODIES: numberSetting(
      'Request bodies of one key that may be arriving at the same time. A company may have twice as many.',
      'bodies',
      { fallback: 64 },
    ),
    BODY_TIMEOUT_MS: milliseconds('Longest time a request body may take to arrive.', 30_000),
    BODY_STALL_MS: milliseconds(
      'A request body that delivers less than a kibibyte per second over such a span is aborted.',
      5_000,
    ),
    STAGE: z.string().default('local').describe('Label shown by `/v1/health`.'),
    REGION: z.string().default('local').describe('Label shown by `/v1/health`.'),
    TRACES_ENDPOINT: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe(
        'Where OpenTelemetry traces go: OTLP over HTTP, e.g. `http://collector:4318/v1/traces`. Off unless set.',
      ),
    BOOTSTRAP_CREDENTIALS: z
      .string()
      .default('[]')
      .meta(
        secret(
          'Multi-tenant credentials as JSON: `[{ id, sha256, permissions, tenants: [..] or "*" }]`. See `npx outcomes bootstrap create --help`.',
        ),
      ),
  });
}

export type ServiceConfig = z.infer<ReturnType<typeof serviceConfigSchema>>;
export { z };
