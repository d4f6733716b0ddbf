import type { Deed } from '@outcomes/audit';
import { KeyAdministration } from '@outcomes/auth';
import { createDataSource } from '@outcomes/persistence';
import {
  createLogger,
  createRedis,
  loadConfig,
  redisAddress,
  serviceConfigSchema,
  systemClock,
  type Redis,
  type ServiceConfig,
} from '@outcomes/platform';
import { QueueProducer } from '@outcomes/queues';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { setTimeout as delay } from 'node:timers/promises';
import type { CliConfig } from '../outcomes-cli.config';
import { CliFailure } from '../output/cli-failure';

const CONNECT_TIMEOUT_MS = 5_000;
/** Long enough to reach a Redis that is there; work that does not need it goes on without. */
const REDIS_PATIENCE_MS = 1_000;

/** What commands work with: the administrators' database role, and Redis where it is there. */
export interface OpenInstallation {
  readonly administration: KeyAdministration;
  readonly database: TenantDatabase;
  readonly config: ServiceConfig;
  /** Who does what is done, for the administration log. */
  readonly deed: Deed;
  /** Jobs for the worker. The caller shuts it down. */
  openQueue(): QueueProducer;
}

/** Opens an installation, runs the work, and closes every connection whatever happens. */
export async function withInstallation<Result>(
  cli: CliConfig,
  work: (installation: OpenInstallation) => Promise<Result>,
): Promise<Result> {
  const config = configOf(cli);
  const logger = createLogger('outcomes-cli', config.LOG_LEVEL);
  const redis = createRedis(redisAddress(config), 'outcomes-cli', () => undefined);
  const dataSource = createDataSource({
    url: config.DATABASE_URL,
    applicationName: 'outcomes-cli',
    poolSize: 2,
    statementTimeoutMs: 30_000,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    pooler: cli.databasePooler,
  });
  try {
    await dataSource.initialize().catch((cause: unknown) => {
      throw new CliFailure('Postgres is not reachable. Check DATABASE_URL, or run "outcomes doctor".', {
        cause,
      });
    });
    await whenReady(redis);
    const database = new TenantDatabase(dataSource);
    return await work({
      administration: new KeyAdministration(config, systemClock, logger, redis, database),
      database,
      config,
      deed: deedOf(cli),
      openQueue: () => new QueueProducer(config, logger),
    });
  } finally {
    redis.disconnect();
    if (dataSource.isInitialized) await dataSource.destroy();
  }
}

/** Who works here. */
export function deedOf({ operator }: CliConfig): Deed {
  return { by: { type: 'operator', id: operator } };
}

/** @throws CliFailure where the text is no company id */
export function scopeOf(companyId: string): TenantScope {
  try {
    return mintTenantScope(companyId.toLowerCase());
  } catch (cause) {
    throw new CliFailure(`"${companyId}" is no company id; "outcomes company list" shows them.`, { cause });
  }
}

function configOf({
  databaseUrl,
  redisUrl,
  redisSentinels,
  redisPrefix,
  keyPrefix,
}: CliConfig): ServiceConfig {
  if (!databaseUrl)
    throw new CliFailure('no database: set DATABASE_URL, or run this beside a running "npm start".');
  return loadConfig(serviceConfigSchema({ port: 0, managementPort: 0 }), {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl ?? 'redis://127.0.0.1:6379',
    REDIS_SENTINELS: redisSentinels,
    REDIS_PREFIX: redisPrefix,
    KEY_PREFIX: keyPrefix,
    LOG_LEVEL: 'silent',
  });
}

async function whenReady(redis: Redis): Promise<void> {
  const deadline = performance.now() + REDIS_PATIENCE_MS;
  while (redis.status !== 'ready' && performance.now() < deadline) await delay(10);
}
