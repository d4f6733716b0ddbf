import { execFile } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { KeyForm } from '@outcomes/auth';
import { DAY_MS, PERMISSIONS } from '@outcomes/contracts';
import { migrateDatabase } from '@outcomes/persistence';
import {
  createTestDatabase,
  inheritedEnvironment,
  startServiceProcess,
  testRedisPrefix,
  testRedisUrl,
  type ServiceProcess,
  type TestDatabase,
} from '@outcomes/testing';

const execute = promisify(execFile);
const CLI = join(__dirname, '../../outcomes-cli/bin/outcomes.js');
const ENORMOUS = 100_000_000;

const APPS = {
  'read-api': 'outcomes_reader',
  'ingest-api': 'outcomes_ingest',
  'mcp-gateway': 'outcomes_reader',
  'analysis-worker': 'outcomes_worker',
  console: 'outcomes_console',
} as const;
export type App = keyof typeof APPS;

export interface Tenant {
  readonly companyId: string;
  readonly keyId: string;
  readonly apiKey: string;
}

export interface KeyOptions {
  readonly permissions?: readonly string[];
  /** Requests per window; practically no limit where not given. */
  readonly burst?: number;
  /** Requests per month; practically no limit where not given. */
  readonly monthly?: number;
  readonly expiresAt?: Date;
}

export interface InstallationOptions {
  /** For every service, beside what the installation says itself. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Changes the way to Postgres, e.g. through a proxy. */
  readonly databaseUrl?: (url: string) => Promise<string>;
  readonly redisUrl?: string;
}

/** One Postgres, one Redis prefix and as many processes of the built apps as a suite asks for. */
export class Installation {
  readonly redisPrefix = testRedisPrefix();
  /** A credential for all tenants, configured in every service. */
  readonly bootstrapToken = `bootstrap-${randomBytes(24).toString('hex')}`;
  private readonly processes: ServiceProcess[] = [];

  private constructor(
    readonly database: TestDatabase,
    private readonly options: InstallationOptions,
  ) {}

  static async create(options: InstallationOptions = {}): Promise<Installation> {
    return new Installation(await createTestDatabase(migrateDatabase), options);
  }

  /** Another process of an app, ready when it resolves. */
  async start(app: App, environment: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
    const login = await this.database.loginAs(APPS[app]);
    const service = await startServiceProcess(join(__dirname, `../../${app}/dist/main.js`), {
      DATABASE_URL: (await this.options.databaseUrl?.(login)) ?? login,
      REDIS_URL: this.options.redisUrl ?? testRedisUrl(),
      REDIS_PREFIX: this.redisPrefix,
      BOOTSTRAP_CREDENTIALS: JSON.stringify([
        {
          id: 'root',
          sha256: createHash('sha256').update(this.bootstrapToken).digest('hex'),
          permissions: PERMISSIONS,
          tenants: '*',
        },
      ]),
      ...this.options.environment,
      ...environment,
    });
    this.processes.push(service);
    return service;
  }

  async tenant(name = 'A company', options: KeyOptions = {}): Promise<Tenant> {
    const companyId = randomUUID();
    await this.database.query('INSERT INTO companies (company_id, name) VALUES ($1, $2)', [companyId, name]);
    return { companyId, ...(await this.key(companyId, options)) };
  }

  async key(companyId: string, options: KeyOptions = {}): Promise<{ keyId: string; apiKey: string }> {
    const { keyId, secret, apiKey } = new KeyForm('svc').generate();
    await this.database.query(
      `INSERT INTO api_keys (company_id, key_id, secret_sha256, permissions, burst_limit, monthly_quota, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [
        companyId,
        keyId,
        createHash('sha256').update(secret).digest(),
        options.permissions ?? PERMISSIONS,
        options.burst ?? ENORMOUS,
        options.monthly ?? ENORMOUS,
        options.expiresAt ?? new Date(Date.now() + 60 * DAY_MS),
      ],
    );
    return { keyId, apiKey };
  }

  /**
   * Runs the command line as an administrator.
   * @returns its one JSON document, and what it wrote besides
   */
  async cli(...args: readonly string[]) {
    const { stdout, stderr } = await execute(process.execPath, [CLI, ...args, '--json'], {
      env: {
        ...inheritedEnvironment(),
        DATABASE_URL: await this.database.loginAs('outcomes_admin'),
        REDIS_URL: this.options.redisUrl ?? testRedisUrl(),
        REDIS_PREFIX: this.redisPrefix,
      },
      timeout: 120_000,
    });
    return { document: JSON.parse(stdout) as Record<string, string>, stderr };
  }

  /** Everything that all processes wrote so far. */
  output(): string {
    return this.processes.map((service) => service.output()).join('\n');
  }

  /** Ends processes and keeps the database. */
  async stopServices(): Promise<void> {
    await Promise.all(this.processes.splice(0).map((service) => service.stop()));
  }

  async stop(): Promise<void> {
    await this.stopServices();
    await this.database.drop();
  }
}
