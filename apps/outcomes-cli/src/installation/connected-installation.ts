import 'reflect-metadata';
import { AccountAdministration, PasswordHashes, People } from '@outcomes/accounts';
import { DecisionReplay } from '@outcomes/analysis';
import { AdministrationTrail, AuditVerification, INSTALLATION, type Deed } from '@outcomes/audit';
import { KeyAdministration } from '@outcomes/auth';
import {
  BatchAdministration,
  IngestBatchRepository,
  SourceAdministration,
  SourceOverviews,
  SourceRepository,
} from '@outcomes/ingestion';
import { companyExists, createDataSource } from '@outcomes/persistence';
import {
  createLogger,
  createRedis,
  loadConfig,
  redisAddress,
  SecretBox,
  serviceConfigSchema,
  systemClock,
  type Logger,
  type Redis,
  type ServiceConfig,
} from '@outcomes/platform';
import { QueueProducer } from '@outcomes/queues';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { WebhookAdministration } from '@outcomes/webhooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { CliConfig } from '../outcomes-cli.config';
import { CliFailure } from '../output/cli-failure';
import { deedOf, scopeOf } from './open-installation';

const CONNECT_TIMEOUT_MS = 5_000;
/** Long enough to reach a Redis that is there; work that does not need it goes on without. */
const REDIS_PATIENCE_MS = 1_000;

/** What commands work with: the administrators' database role, and Redis where it is there. */
export interface OpenInstallation {
  readonly administration: KeyAdministration;
  readonly accounts: AccountAdministration;
  readonly batches: BatchAdministration;
  /** Calls of tools, against their seals. */
  readonly calls: AuditVerification;
  readonly decisions: DecisionReplay;
  /** What administrators did. */
  readonly deeds: AdministrationTrail;
  readonly people: People;
  readonly sourceOverviews: SourceOverviews;
  /** Encrypts secrets: it asks for SOURCE_SECRETS_KEY, as webhooks do. */
  readonly sources: SourceAdministration;
  readonly webhooks: WebhookAdministration;
  readonly database: TenantDatabase;
  readonly config: ServiceConfig;
  /** Who does what is done, for the administration log. */
  readonly deed: Deed;
  /** Whose log says what was done to the installation itself. */
  readonly ownScope: TenantScope;
  /** @throws CliFailure where there is none of that id */
  readonly requireCompany: (companyId: string) => Promise<void>;
  /** Jobs for the worker. The caller shuts it down. */
  openQueue(): QueueProducer;
}

/** Connects, runs the work, and closes every connection whatever happens. */
export async function connected<Result>(
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
    return await work(openOn(cli, config, redis, new TenantDatabase(dataSource), logger));
  } finally {
    redis.disconnect();
    if (dataSource.isInitialized) await dataSource.destroy();
  }
}

function openOn(
  cli: CliConfig,
  config: ServiceConfig,
  redis: Redis,
  database: TenantDatabase,
  logger: Logger,
): OpenInstallation {
  const box = new SecretBox(cli.sourceSecretsKey ?? '');
  const sources = new SourceRepository(database);
  return {
    administration: new KeyAdministration(config, systemClock, logger, redis, database),
    // Made when it is asked for: it hashes a password at once, which takes as long as is meant.
    get accounts() {
      return new AccountAdministration(systemClock, database, new PasswordHashes());
    },
    batches: new BatchAdministration(database, new IngestBatchRepository(database), systemClock),
    calls: new AuditVerification(database),
    decisions: new DecisionReplay(database),
    deeds: new AdministrationTrail(database),
    people: new People(systemClock, database),
    sourceOverviews: new SourceOverviews(database, sources, systemClock),
    sources: new SourceAdministration(database, sources, box, systemClock),
    webhooks: new WebhookAdministration(database, box, systemClock),
    database,
    config,
    deed: deedOf(cli),
    ownScope: scopeOf(INSTALLATION),
    requireCompany: (companyId) => requireCompany(database, companyId),
    openQueue: () => new QueueProducer(config, logger),
  };
}

async function requireCompany(database: TenantDatabase, company: string): Promise<void> {
  const known = await database.transaction(scopeOf(company), companyExists);
  if (!known) throw new CliFailure(`there is no company ${company}; see "outcomes company list".`);
}

function configOf({
  databaseUrl,
  redisUrl,
  redisSentinels,
  redisPrefix,
  keyPrefix,
}: CliConfig): ServiceConfig {
  if (!databaseUrl)
    throw new CliFailure('no database: set DATABASE_URL, or run this while "npm start" is running.');
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
