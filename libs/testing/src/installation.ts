import { join } from 'node:path';
import { startCommand, type CommandOptions, type CommandOutcome, type RunningCommand } from './command-line';
import { startServiceProcess, type ServiceProcess } from './service-process';
import type { SharedInstallation } from './shared-installation';
import {
  plantCompany,
  plantKey,
  plantTenant,
  type KeyMaking,
  type KeyOptions,
  type Tenant,
  type TenantOptions,
} from './tenants';
import { testRedisPrefix, testRedisUrl, type TestDatabase } from './test-database';
import { waitUntil } from './wait-until';

const APPS = join(__dirname, '../../../apps');
/** The group of each app's login. */
const GROUPS = {
  'read-api': 'outcomes_reader',
  'ingest-api': 'outcomes_ingest',
  'mcp-gateway': 'outcomes_reader',
  'analysis-worker': 'outcomes_worker',
  console: 'outcomes_console',
} as const;
export type App = keyof typeof GROUPS;

export interface InstallationOptions {
  /** How tenants get their keys; not needed where none gets one. */
  readonly keys?: KeyMaking;
  /** Of every process, the command line included, beside what the installation says itself. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Changes the way to Postgres, e.g. through a proxy. */
  readonly databaseUrl?: (url: string) => Promise<string> | string;
  /** Another way to Redis, e.g. through a proxy. */
  readonly redisUrl?: string;
  /** What suites share, and this one joins; see joinSharedInstallation. */
  readonly joined?: Pick<SharedInstallation, 'redisPrefix' | 'urls'>;
  /** Processes of each service, for suites about what one of them holds; as TEST_PODS says unless given. */
  readonly pods?: number;
}

/**
 * The built apps as processes of their own, on one database and one Redis prefix that no other suite uses. Harnesses of
 * apps add to it what is peculiar to them.
 */
export class Installation {
  readonly redisPrefix: string;
  private readonly started = new Map<App, ServiceProcess[]>();

  /** @param database - of this installation alone, which drops it when it stops */
  constructor(
    readonly database: TestDatabase,
    private readonly options: InstallationOptions = {},
  ) {
    this.redisPrefix = options.joined?.redisPrefix ?? testRedisPrefix();
  }

  /**
   * One more process of an app with a login of its own, ready when the promise resolves; several where TEST_PODS says so.
   * @param environment - beside that of the installation; a PORT given here is kept, and means one process
   * @throws Error with its output where it ends before it is ready
   */
  async start(app: App, environment: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
    const settings = { ...(await this.environmentOf(GROUPS[app])), ...environment };
    const service = await startServiceProcess(join(APPS, app, 'bundle/main.js'), settings, this.options.pods);
    this.started.set(app, [...(this.started.get(app) ?? []), service]);
    return service;
  }

  /** @returns the process of an app that was started last. @throws Error where none was */
  service(app: App): ServiceProcess {
    const service = this.started.get(app)?.at(-1);
    if (!service) throw new Error(`${app} was not started`);
    return service;
  }

  /** Waits until the analysis-worker has made up for the daily run, as it does at its start: companies that come later are not in it. */
  async dailyRunMadeUpFor(): Promise<void> {
    await waitUntil('the daily run', async () =>
      /outcomes_daily_runs_total\{[^}]*\} [1-9]/.test(await this.service('analysis-worker').metrics()),
    );
  }

  /** Origin of an app: of the process that was started here last, or else of the one that it was joined for. @throws Error where there is neither */
  urlOf(app: App): string {
    const joined = this.started.has(app) ? undefined : this.options.joined?.urls[app];
    return joined ?? this.service(app).url;
  }

  /** Everything that all processes wrote so far. */
  output(): string {
    return [...this.started.values()]
      .flat()
      .map((service) => service.output())
      .join('\n');
  }

  /** @returns the id of a new company without a key */
  addCompany(name?: string): Promise<string> {
    return plantCompany(this.database, name);
  }

  /** A new company with a key of its own. @throws Error where the installation was not told how keys are made */
  addTenant(options?: TenantOptions): Promise<Tenant> {
    return plantTenant(this.database, this.keyMaking(), options);
  }

  /** One more key of a company. @throws Error where the installation was not told how keys are made */
  addKey(companyId: string, options?: KeyOptions): Promise<Omit<Tenant, 'companyId'>> {
    return plantKey(this.database, this.keyMaking(), companyId, options);
  }

  /** Starts `outcomes <arguments>` as an administrator; see startCommand. */
  async startCommand(args: readonly string[], options: CommandOptions = {}): Promise<RunningCommand> {
    const environment = {
      ...(await this.environmentOf('outcomes_admin')),
      // Where nobody answers, so that no command reaches what a developer runs beside the tests.
      INGEST_API_URL: this.has('ingest-api') ? this.urlOf('ingest-api') : 'http://127.0.0.1:1',
      ...options.environment,
    };
    return startCommand(args, { ...options, environment });
  }

  /** Runs `outcomes <arguments>` to its end, whatever that is. */
  async cliOutcome(...args: readonly string[]): Promise<CommandOutcome> {
    return (await this.startCommand(args)).ended;
  }

  /**
   * Runs `outcomes <arguments> --json`.
   * @returns its one document
   * @throws Error with what it wrote to stderr where it does not end with 0
   */
  async cli<Result = Record<string, string>>(...args: readonly string[]): Promise<Result> {
    const { code, stdout, stderr } = await this.cliOutcome(...args, '--json');
    if (code !== 0) throw new Error(`outcomes ${args.join(' ')} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout) as Result;
  }

  /**
   * Ends processes and keeps the database. A process that does not end within 15 s is killed.
   * @param options - the app whose processes end, all unless given, and the signal, SIGTERM unless given
   */
  async stopServices({ app, signal }: { app?: App; signal?: NodeJS.Signals } = {}): Promise<void> {
    const ending = app ? (this.started.get(app) ?? []) : [...this.started.values()].flat();
    await Promise.all(ending.map((service) => service.stop(signal)));
  }

  /** Ends all processes, and drops the database. */
  async stop(): Promise<void> {
    await this.stopServices();
    await this.database.drop();
  }

  private has(app: App): boolean {
    return this.started.has(app) || this.options.joined?.urls[app] !== undefined;
  }

  private async environmentOf(group: string): Promise<Record<string, string>> {
    const login = await this.database.loginAs(group);
    return {
      DATABASE_URL: (await this.options.databaseUrl?.(login)) ?? login,
      REDIS_URL: this.options.redisUrl ?? testRedisUrl(),
      REDIS_PREFIX: this.redisPrefix,
      ...this.options.environment,
    };
  }

  private keyMaking(): KeyMaking {
    if (!this.options.keys) throw new Error('This installation was not told how keys are made.');
    return this.options.keys;
  }
}
