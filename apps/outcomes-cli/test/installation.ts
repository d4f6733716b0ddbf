import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { migrateDatabase } from '@outcomes/persistence';
import {
  createTestDatabase,
  freePort,
  inheritedEnvironment,
  startServiceProcess,
  testRedisPrefix,
  testRedisUrl,
  type ServiceProcess,
  type TestDatabase,
} from '@outcomes/testing';

const execute = promisify(execFile);
const APPS = join(__dirname, '..', '..');
const PROGRAM = join(APPS, 'outcomes-cli/bin/outcomes.js');
const GROUPS = {
  'ingest-api': 'outcomes_ingest',
  'read-api': 'outcomes_reader',
  'mcp-gateway': 'outcomes_reader',
  'analysis-worker': 'outcomes_worker',
} as const;
export type AppName = keyof typeof GROUPS;

export interface CliOutcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A whole installation for one suite: every service a process of its own, on a database and ports of its own. */
export class Installation {
  private readonly services = new Map<AppName, ServiceProcess>();
  private readonly environments = new Map<AppName, Record<string, string>>();

  private constructor(
    readonly database: TestDatabase,
    private readonly cliEnvironment: Record<string, string>,
  ) {}

  /** @param more - variables of every service and of the program */
  static async start(
    names: readonly AppName[],
    more: Readonly<Record<string, string>> = {},
  ): Promise<Installation> {
    const database = await createTestDatabase(migrateDatabase);
    const redis = { REDIS_URL: testRedisUrl(), REDIS_PREFIX: testRedisPrefix(), ...more };
    const installation = new Installation(database, {
      ...redis,
      DATABASE_URL: await database.loginAs('outcomes_admin'),
    });
    for (const name of names) {
      installation.environments.set(name, {
        ...redis,
        DATABASE_URL: await database.loginAs(GROUPS[name]),
        PORT: String(await freePort()),
        MANAGEMENT_PORT: String(await freePort()),
      });
    }
    await Promise.all(names.map((name) => installation.startService(name)));
    return installation;
  }

  url(name: AppName): string {
    return `http://127.0.0.1:${this.environments.get(name)?.PORT}`;
  }

  async startService(name: AppName): Promise<void> {
    const entry = join(APPS, name, 'dist', 'main.js');
    this.services.set(name, await startServiceProcess(entry, this.environments.get(name) ?? {}));
  }

  async stopService(name: AppName): Promise<void> {
    await this.services.get(name)?.stop();
  }

  /** Ends a service without a word of warning, and starts it again on the same ports. */
  async killAndRestart(name: AppName): Promise<void> {
    await this.services.get(name)?.stop('SIGKILL');
    await this.startService(name);
  }

  /** Runs `outcomes <arguments> --json` and parses what it prints. */
  async cli<Result>(...args: string[]): Promise<Result> {
    const { stdout } = await execute(process.execPath, [PROGRAM, ...args, '--json'], {
      env: this.programEnvironment(),
      timeout: 180_000,
      maxBuffer: 16 * 1024 * 1024,
    });
    return JSON.parse(stdout) as Result;
  }

  /** Runs `outcomes <arguments>` to its end, whatever that is. */
  async cliOutcome(...args: string[]): Promise<CliOutcome> {
    return this.cliIn(process.cwd(), {}, ...args);
  }

  /** The same in another folder, with more variables. */
  async cliIn(cwd: string, more: Readonly<Record<string, string>>, ...args: string[]): Promise<CliOutcome> {
    return new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        [PROGRAM, ...args],
        { cwd, env: { ...this.programEnvironment(), ...more }, timeout: 60_000 },
        (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
      );
    });
  }

  /** Runs `outcomes <arguments>` for a test that reads on while it runs. */
  followCli(...args: string[]): {
    readonly stderr: () => string;
    readonly ended: Promise<{ code: number | null; stdout: string }>;
  } {
    const child = spawn(process.execPath, [PROGRAM, ...args], { env: this.programEnvironment() });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (part: Buffer) => (stdout += part.toString()));
    child.stderr.on('data', (part: Buffer) => (stderr += part.toString()));
    const ended = new Promise<{ code: number | null; stdout: string }>((resolve) =>
      child.once('close', (code) => resolve({ code, stdout })),
    );
    return { stderr: () => stderr, ended };
  }

  /** Starts `outcomes <arguments>` for a test that will interrupt it. */
  spawnCli(...args: string[]): ChildProcess {
    return spawn(process.execPath, [PROGRAM, ...args], { env: this.programEnvironment(), stdio: 'ignore' });
  }

  async stop(): Promise<void> {
    await Promise.all([...this.services.values()].map((service) => service.stop()));
    await this.database.drop();
  }

  private programEnvironment(): Record<string, string> {
    return {
      ...inheritedEnvironment(),
      ...this.cliEnvironment,
      INGEST_API_URL: this.environments.has('ingest-api') ? this.url('ingest-api') : 'http://127.0.0.1:1',
    };
  }
}
