import {
  Global,
  Inject,
  Injectable,
  Module,
  type DynamicModule,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { LOGGER, Management, SERVICE_CONFIG, type Logger, type ServiceConfig } from '@outcomes/platform';
import { TenantDatabase } from '@outcomes/tenancy';
import { DataSource } from 'typeorm';
import { createDataSource } from './data-source';

/** Waits between attempts to reach Postgres at start, in milliseconds; the last one repeats. */
const CONNECT_BACKOFF_MS = [100, 200, 500, 1_000];

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
              url: config.DATABASE_URL,
              applicationName,
              poolSize: config.DATABASE_POOL_SIZE,
              statementTimeoutMs: config.DATABASE_STATEMENT_TIMEOUT_MS,
              connectTimeoutMs: config.DATABASE_CONNECT_TIMEOUT_MS,
            }),
        },
        DataSourceLifecycle,
        TenantDatabase,
      ],
      exports: [DataSource, TenantDatabase],
    };
  }
}

@Injectable()
class DataSourceLifecycle implements OnApplicationShutdown {
  private stopped = false;

  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(Management) management: Management,
  ) {
    management.addReadinessCheck('postgres', () => this.answers());
  }

  async onModuleInit(): Promise<void> {
    const connected = await this.connect();
    if (!connected) void this.keepConnecting();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }

  private async answers(): Promise<boolean> {
    if (!this.dataSource.isInitialized) return false;
    await this.dataSource.query('SELECT 1');
    return true;
  }

  private async connect(): Promise<boolean> {
    try {
      await this.dataSource.initialize();
      return true;
    } catch (error) {
      this.logger.warn({ err: error }, 'postgres is not reachable yet');
      return false;
    }
  }

  private async keepConnecting(): Promise<void> {
    for (let attempt = 0; !this.stopped; attempt += 1) {
      const wait = CONNECT_BACKOFF_MS[Math.min(attempt, CONNECT_BACKOFF_MS.length - 1)];
      await new Promise((resolve) => setTimeout(resolve, wait).unref());
      if (this.stopped || (await this.connect())) return;
    }
  }
}
