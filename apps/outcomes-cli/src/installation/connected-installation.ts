import 'reflect-metadata';
import type { AccountAdministration, People } from '@outcomes/accounts';
import type { DecisionReplay } from '@outcomes/analysis';
import { AdministrationTrail, AuditVerification, INSTALLATION, type Deed } from '@outcomes/audit';
import type { KeyAdministration } from '@outcomes/auth';
import type { BatchAdministration, SourceAdministration, SourceOverviews } from '@outcomes/ingestion';
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
import type { QueueProducer } from '@outcomes/queues';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import type { WebhookAdministration } from '@outcomes/webhooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import type { CliConfig } from '../outcomes-cli.config';
import { CliFailure } from '../output/cli-failure';
import { CONNECTED_LOGIN, type ConnectedLogin } from './connected-login.repository';
import { deedOf, scopeOf } from './open-installation';

const CONNECT_TIMEOUT_MS = 5_000;
/** Long enough to reach a Redis that is there; work that does not need it goes on without. */
const REDIS_PATIENCE_MS = 1_000;

/**
 * What commands work with: the administrators' database role, and Redis where it is there. What is a promise is loaded
 * when a command takes it, because all libs together take several times as long as those of one command.
 */
export interface OpenInstallation {
  readonly administration: Promise<KeyAdministration>;
  readonly accounts: Promise<AccountAdministration>;
  readonly batches: Promise<BatchAdministration>;
  /** Calls of tools, against their seals. */
  readonly calls: AuditVerification;
  readonly decisions: Promise<DecisionReplay>;
  /** What administrators did. */
  readonly deeds: AdministrationTrail;
  readonly people: Promise<People>;
  readonly sourceOverviews: Promise<SourceOverviews>;
  /** Encrypts secrets: it asks for SOURCE_SECRETS_KEY, as webhooks do. */
  readonly sources: Promise<SourceAdministration>;
  readonly webhooks: Promise<WebhookAdministration>;
  readonly database: TenantDatabase;
  readonly config: ServiceConfig;
  /** Who does what is done, for the administration log. */
  readonly deed: Deed;
  /** Whose log says what was done to the installation itself. */
  readonly ownScope: TenantScope;
  /** @throws CliFailure where there is none of that id */
  readonly requireCompany: (companyId: string) => Promise<void>;
  /** Jobs for the worker. The caller shuts it down. */
  openQueue(): Promise<QueueProducer>;
}

/** Connects, runs the work, and closes every connection whatever happens. */
export async function connected<Result>(
  cli: CliConfig,
  work: (installation: OpenInstallation) => Promise<Result>,
): Promise<Result> {
  const config = configOf(cli);
  const logger = createLogger('outcomes-cli', config.LOG_LEVEL);
  const dataSource = createDataSource({
    url: config.DATABASE_URL,
    applicationName: 'outcomes-cli',
    poolSize: 2,
    statementTimeoutMs: 30_000,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    pooler: cli.databasePooler,
  });
  // Last, because an open connection keeps the process from ending.
  const redis = createRedis(redisAddress(config), 'outcomes-cli', () => undefined);
  try {
    await dataSource.initialize().catch((cause: unknown) => {
      const next = cli.isQuickstart
        ? 'Is "npm start" running in this folder?'
        : 'Check DATABASE_URL, or run "outcomes doctor".';
      throw new CliFailure(`Postgres is not reachable. ${next}`, { cause });
    });
    await requireAdministrator(dataSource);
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
  return {
    get administration() {
      return import('@outcomes/auth').then(
        ({ KeyAdministration }) => new KeyAdministration(config, systemClock, logger, redis, database),
      );
    },
    // Made when it is asked for: it hashes a password at once, which takes as long as is meant.
    get accounts() {
      return import('@outcomes/accounts').then(
        ({ AccountAdministration, PasswordHashes }) =>
          new AccountAdministration(systemClock, database, new PasswordHashes()),
      );
    },
    get batches() {
      return import('@outcomes/ingestion').then(
        ({ BatchAdministration, IngestBatchRepository }) =>
          new BatchAdministration(database, new IngestBatchRepository(database), systemClock),
      );
    },
    calls: new AuditVerification(database),
    get decisions() {
      return import('@outcomes/analysis').then(({ DecisionReplay }) => new DecisionReplay(database));
    },
    deeds: new AdministrationTrail(database),
    get people() {
      return import('@outcomes/accounts').then(({ People }) => new People(systemClock, database));
    },
    get sourceOverviews() {
      return import('@outcomes/ingestion').then(
        ({ SourceOverviews, SourceRepository }) =>
          new SourceOverviews(database, new SourceRepository(database), systemClock),
      );
    },
    get sources() {
      return import('@outcomes/ingestion').then(
        ({ SourceAdministration, SourceRepository }) =>
          new SourceAdministration(database, new SourceRepository(database), box, systemClock),
      );
    },
    get webhooks() {
      return import('@outcomes/webhooks').then(
        ({ WebhookAdministration }) => new WebhookAdministration(database, box, systemClock),
      );
    },
    database,
    config,
    deed: deedOf(cli),
    ownScope: scopeOf(INSTALLATION),
    requireCompany: (companyId) => requireCompany(database, companyId),
    openQueue: async () => new (await import('@outcomes/queues')).QueueProducer(config, logger),
  };
}

/** To any other login policies would show no companies and no batches, as if there were none. */
async function requireAdministrator(dataSource: DataSource): Promise<void> {
  const [login] = await dataSource.query<ConnectedLogin[]>(CONNECTED_LOGIN);
  if (login?.administers === false)
    throw new CliFailure(
      `${login.name} does not see what there is: set DATABASE_URL to the login of the command line (in outcomes_admin).`,
    );
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
