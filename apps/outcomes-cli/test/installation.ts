import { KeyForm } from '@outcomes/auth/key-form';
import { PERMISSIONS } from '@outcomes/contracts';
import {
  createTestDatabase,
  freePort,
  Installation as Processes,
  joinSharedInstallation,
  type App,
} from '@outcomes/testing';

/** Under which the global set-up shares an installation. */
export const SHARED = 'outcomes-cli';
/** Of the services that are shared, and of the program: what signs and what is kept secret is kept under it. */
export const SECRETS = { SOURCE_SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') };
/** As those of `outcomes company create`, whose own suite is administration.e2e-spec.ts: a process for each company takes more than most tests. */
const KEYS = { form: new KeyForm('svc'), permissions: PERMISSIONS };

/** A whole installation for one suite, whose services come back on their ports. */
export class Installation extends Processes {
  private readonly ports = new Map<App, Record<string, string>>();

  /** @param environment - of every service and of the program */
  static async start(
    apps: readonly App[],
    environment: Readonly<Record<string, string>> = {},
  ): Promise<Installation> {
    const installation = new Installation(await createTestDatabase(), { environment, keys: KEYS });
    await Promise.all(apps.map((app) => installation.startAgain(app)));
    return installation;
  }

  /** The one of the global set-up, for suites that assert nothing but what is true of companies of their own. */
  static async join(): Promise<Installation> {
    const { database, joined } = await joinSharedInstallation(SHARED);
    return new Installation(database, { environment: SECRETS, keys: KEYS, joined });
  }

  /** Ends a service without a word of warning, and starts it again on the same ports. */
  async killAndRestart(app: App): Promise<void> {
    await this.stopServices({ app, signal: 'SIGKILL' });
    await this.startAgain(app);
  }

  private async startAgain(app: App): Promise<void> {
    const ports = this.ports.get(app) ?? {
      PORT: String(await freePort()),
      MANAGEMENT_PORT: String(await freePort()),
    };
    this.ports.set(app, ports);
    await this.start(app, ports);
  }
}
