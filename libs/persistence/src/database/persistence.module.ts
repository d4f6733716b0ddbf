import {
  Global,
  Inject,
  Injectable,
  Module,
  type DynamicModule,
  type OnApplicationShutdown,
} from '@nestjs/common';
import {
  FairTurns,
  LOGGER,
  Management,
  SERVICE_CONFIG,
  systemClock,
  type Logger,
  type ServiceConfig,
} from '@outcomes/platform';
import { REPLICA, TENANT_TURNS, TenantDatabase, type Replica } from '@outcomes/tenancy';
import { DataSource } from 'typeorm';
import { clockSkewMs } from './clock-skew';
import { clientConfig, type DatabaseOptions } from './client-config';
import { createDataSource } from './data-source';
import { endConnections } from './end-connections';
import { migrationNames } from './migrate';
import { keepsStatements } from './named-statements';
import { observePool } from './pool-metrics';
import { replicaOf } from './replica';

/** Waits between attempts to reach Postgres at start, in milliseconds; the last one repeats. */
const CONNECT_BACKOFF_MS = [100, 200, 500, 1_000];
/** How often the clocks are compared, beside every question whether the process is ready. */
const CLOCK_WATCH_MS = 30_000;
/** How long a request waits for connections of its company at most, in a line that moves: as long as a stop waits for it. */
const LONGEST_TURN_WAIT_MS = 10_000;

const CONNECTION = Symbol('how a process connects');
type Connection = Omit<DatabaseOptions, 'poolSize'>;

function connectionOf(config: ServiceConfig, applicationName: string): Connection {
  return {
    url: config.DATABASE_URL,
    applicationName,
    statementTimeoutMs: config.DATABASE_STATEMENT_TIMEOUT_MS,
    connectTimeoutMs: config.DATABASE_CONNECT_TIMEOUT_MS,
    pooler: config.DATABASE_POOLER,
  };
}

/**
 * One pool per process and the tenant database over it. A service starts also while Postgres is away: it says
 * so in readyz, answers 503, and connects when Postgres is back.
 */
@Global()
@Module({})
export class PersistenceModule {
  static register(applicationName: string): DynamicModule {
    return {
      module: PersistenceModule,
      providers: [
        {
          provide: DataSource,
          inject: [SERVICE_CONFIG],
          useFactory: (config: ServiceConfig) =>
            createDataSource({
              ...connectionOf(config, applicationName),
              poolSize: config.DATABASE_POOL_SIZE,
            }),
        },
        {
          provide: CONNECTION,
          inject: [SERVICE_CONFIG],
          useFactory: (config: ServiceConfig) => connectionOf(config, applicationName),
        },
        DataSourceLifecycle,
        {
          provide: TENANT_TURNS,
          inject: [SERVICE_CONFIG],
          useFactory: (config: ServiceConfig) =>
            new FairTurns(
              config.DATABASE_TENANT_CONNECTIONS ?? Math.ceil(config.DATABASE_POOL_SIZE / 2),
              config.DATABASE_CONNECT_TIMEOUT_MS,
              LONGEST_TURN_WAIT_MS,
            ),
        },
        {
          provide: REPLICA,
          inject: [SERVICE_CONFIG, LOGGER, Management],
          useFactory: (config: ServiceConfig, logger: Logger, management: Management): Replica | undefined =>
            replicaOf(config, `${applicationName}-replica`, logger, management),
        },
        TenantDatabase,
      ],
      exports: [DataSource, TenantDatabase],
    };
  }
}

@Injectable()
class DataSourceLifecycle implements OnApplicationShutdown {
  private stopped = false;
  private watch: NodeJS.Timeout | undefined;
  private disconnecting: Promise<void> | undefined;
  private isConnecting = false;

  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(SERVICE_CONFIG) private readonly config: ServiceConfig,
    @Inject(CONNECTION) private readonly connection: Connection,
    @Inject(Management) management: Management,
  ) {
    observePool(management, dataSource, config.DATABASE_POOL_SIZE);
    management.addReadinessCheck('postgres', () => this.answers());
    management.addReadinessCheck('schema', () => this.isMigrated());
  }

  async onModuleInit(): Promise<void> {
    const connected = await this.connect();
    if (!connected) void this.keepConnecting();
    // Clocks are set while a process runs, too.
    this.watch = setInterval(() => void this.answers().catch(() => undefined), CLOCK_WATCH_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearInterval(this.watch);
    await this.disconnect();
  }

  private async answers(): Promise<boolean> {
    if (!this.dataSource.isInitialized) return false;
    if (await this.isUsable()) return true;
    await this.disconnect();
    void this.keepConnecting();
    return false;
  }

  /** A process whose migrations have not run yet would fail at the first statement that needs them. */
  private async isMigrated(): Promise<boolean> {
    if (!this.dataSource.isInitialized) return false;
    const names = migrationNames();
    const [row] = await this.dataSource.query<{ ran: number }[]>(
      'SELECT count(*)::integer AS ran FROM schema_migrations WHERE name = ANY ($1)',
      [names],
    );
    return row?.ran === names.length;
  }

  private async isUsable(): Promise<boolean> {
    return (await this.agreesOnTime()) && (await this.takesWrites());
  }

  /** Connections outlive a change of the primary, and lead to a server on which every write fails. */
  private async takesWrites(): Promise<boolean> {
    const [row] = await this.dataSource.query<{ isReadOnly: boolean }[]>(
      `SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean AS "isReadOnly"`,
    );
    if (row?.isReadOnly === false) return true;
    this.logger.error({}, 'postgres takes no writes: a standby, or a primary that was demoted');
    return false;
  }

  /** Once, however many ask at the same time. */
  private async disconnect(): Promise<void> {
    if (!this.dataSource.isInitialized) return;
    this.disconnecting ??= endConnections(this.dataSource).finally(() => {
      this.disconnecting = undefined;
    });
    await this.disconnecting;
  }

  /**
   * By its clock a process tells what has expired: one that is wrong by years would delete everything, and what it takes
   * in would be gone the next day. Such a process has no database.
   */
  private async agreesOnTime(): Promise<boolean> {
    const skewMs = await clockSkewMs(this.dataSource, systemClock);
    if (Math.abs(skewMs) <= this.config.MAX_CLOCK_SKEW_MS) return true;
    const seconds = Math.round(skewMs / 1_000);
    this.logger.error(
      { skewSeconds: seconds },
      'the clock of this process is not that of postgres: set it right',
    );
    return false;
  }

  /** Where it gives statements names: behind a pooler that knows nothing of them, some would fail while others work. */
  private async findsStatements(): Promise<boolean> {
    if (this.connection.pooler === 'transaction') return true;
    if (await keepsStatements(clientConfig(this.connection))) return true;
    this.logger.error(
      {},
      'a pooler mixes up prepared statements: set its max_prepared_statements, or DATABASE_POOLER to transaction',
    );
    return false;
  }

  private async connect(): Promise<boolean> {
    try {
      if (!(await this.findsStatements())) return false;
      await this.dataSource.initialize();
      if (await this.isUsable()) return true;
      await this.disconnect();
      return false;
    } catch (error) {
      this.logger.warn({ err: error }, 'postgres is not reachable yet');
      return false;
    }
  }

  /** One at a time: a second one would find the first one's connection in its way, for ever. */
  private async keepConnecting(): Promise<void> {
    if (this.isConnecting) return;
    this.isConnecting = true;
    await this.connectAtLast();
    this.isConnecting = false;
  }

  private async connectAtLast(): Promise<void> {
    for (let attempt = 0; !this.stopped; attempt += 1) {
      const wait = CONNECT_BACKOFF_MS[Math.min(attempt, CONNECT_BACKOFF_MS.length - 1)];
      await new Promise((resolve) => setTimeout(resolve, wait).unref());
      if (this.stopped || (await this.connect())) return;
    }
  }
}
