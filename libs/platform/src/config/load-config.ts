import { z } from 'zod';
import { sentinelList } from '../redis/redis-address';
import { filesIn } from '../runtime/trusted-authorities';
import { POOLERS } from './pooler';

/**
 * Parses an environment against a schema before anything else starts.
 * @param schema - one field per variable; its description is what `--help` and the README say
 * @param environment - usually process.env, passed in by the app's *.config.ts
 * @returns the typed configuration
 *
 * All faults are printed at once, one line each, and the process ends with 1: a service that runs half
 * configured is worse than one that does not run. Values are not printed: they may be secrets.
 */
export function loadConfig<Schema extends z.ZodObject>(
  schema: Schema,
  environment: Readonly<Record<string, string | undefined>>,
): z.infer<Schema> {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(set);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) {
    process.stderr.write(`configuration: ${issue.path.join('.')}: ${issue.message}\n`);
  }
  process.exit(1);
}

const MEBIBYTE = 1_024 * 1_024;

const port = (fallback: number) => z.coerce.number().int().min(0).max(65_535).default(fallback);
const milliseconds = (fallback: number) => z.coerce.number().int().min(1).default(fallback);

/** Fields that every service has. `defaults` are the local ports. */
export function serviceConfigSchema(defaults: { port: number; managementPort: number }) {
  return z.object({
    /** Public port of the service. */
    PORT: port(defaults.port),
    /** Port of livez, readyz and metrics; never exposed to callers. */
    MANAGEMENT_PORT: port(defaults.managementPort),
    /** Address to bind both ports to. */
    BIND_ADDRESS: z.string().default('0.0.0.0'),
    /** Postgres, as this service's own login role (never the owner of the tables). */
    DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
    /** Most connections this process opens to Postgres. */
    DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(500).default(10),
    /** Most of them that work for one company at once; half of them unless told. */
    DATABASE_TENANT_CONNECTIONS: z.coerce.number().int().min(1).max(500).optional(),
    /** How long a statement may run in Postgres. */
    DATABASE_STATEMENT_TIMEOUT_MS: milliseconds(5_000),
    /** How long a request may wait for a connection. */
    DATABASE_CONNECT_TIMEOUT_MS: milliseconds(1_500),
    /**
     * What stands between: `transaction` for a pooler that gives each transaction another connection, such as PgBouncer.
     * Nothing is then kept on a connection, and Postgres has to have its time-outs with the role. `transaction-prepared`
     * where it knows prepared statements (PgBouncer 1.21 or newer with max_prepared_statements): those are kept.
     */
    DATABASE_POOLER: z.enum(POOLERS).default('none'),
    /**
     * A standby that follows DATABASE_URL by streaming, as the same role: what analyses left is then read there. Keys,
     * limits, audit and whatever permits or forbids stay with the primary. None unless set.
     */
    DATABASE_REPLICA_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    /** How old what the standby answers may be; beyond it, and while it is away, the primary answers. */
    DATABASE_REPLICA_MAX_AGE_MS: z.coerce.number().int().min(100).max(3_600_000).default(2_000),
    /** How far this process's clock may be from that of Postgres: beyond it, nothing is read, written or deleted. */
    MAX_CLOCK_SKEW_MS: milliseconds(300_000),
    /** PEM files of certificate authorities to trust beside the public ones, separated by commas. */
    TRUSTED_CA_FILES: z.string().default('').transform(filesIn),
    /** Redis, with an eviction policy of noeviction. */
    REDIS_URL: z.url({ protocol: /^rediss?$/ }),
    /**
     * URLs of sentinels, separated by commas, alike in scheme, user and password. The host of REDIS_URL is then the name by
     * which they know the primary.
     */
    REDIS_SENTINELS: sentinelList,
    /** Prefix of every Redis key; in braces, as BullMQ wants it. */
    REDIS_PREFIX: z
      .string()
      .regex(/^[\w{}.-]{1,128}$/)
      .default('{outcomes}'),
    /** trace, debug, info, warn, error or silent. */
    LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
    /** How long readyz says no before the port closes, so that load balancers take the pod out first. */
    DRAIN_DELAY_MS: z.coerce.number().int().min(0).default(0),
    /** Prefix of self-serve keys and scheme of the reference resources. */
    KEY_PREFIX: z
      .string()
      .regex(/^[a-z][a-z0-9]{1,15}$/)
      .default('svc'),
    /** How many reverse proxies in front may be trusted to name the caller's address. */
    TRUSTED_PROXIES: z.coerce.number().int().min(0).max(10).default(0),
    /** Requests per burst window of an address that proves no credential. */
    ADDRESS_BURST_LIMIT: z.coerce.number().int().min(1).max(1_000_000_000).default(200),
    /** Connections that the public port holds open at once; more are closed as they come. */
    MAX_CONNECTIONS: z.coerce.number().int().min(1).default(4_000),
    /** Requests of proven callers that are answered at once; a company may have three quarters of them. */
    MAX_CONCURRENT_REQUESTS: z.coerce.number().int().min(4).default(400),
    /** Memory that the bodies of requests may take together; beyond that the slowest are given up. */
    MAX_HELD_BODY_BYTES: z.coerce
      .number()
      .int()
      .min(MEBIBYTE)
      .default(16 * MEBIBYTE),
    /** Bodies of one key that may be on their way at once; of a company twice as many. */
    MAX_ARRIVING_BODIES: z.coerce.number().int().min(1).default(64),
    /** How long a body may take to arrive. */
    BODY_TIMEOUT_MS: milliseconds(30_000),
    /** A body that brings less than a kibibyte for each second of such a span is given up. */
    BODY_STALL_MS: milliseconds(5_000),
    /** Shown by /health. */
    STAGE: z.string().default('local'),
    /** Shown by /health. */
    REGION: z.string().default('local'),
    /** Where OpenTelemetry traces go: OTLP over HTTP, e.g. http://collector:4318/v1/traces. None unless set. */
    TRACES_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
    /** Multi-tenant credentials as JSON: [{ id, sha256, permissions, tenants: [..] or "*" }]. A secret. */
    BOOTSTRAP_CREDENTIALS: z.string().default('[]'),
  });
}

export type ServiceConfig = z.infer<ReturnType<typeof serviceConfigSchema>>;
export { z };
