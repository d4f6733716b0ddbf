import { createHash, randomBytes } from 'node:crypto';
import { KeyForm } from '@outcomes/auth/key-form';
import { PERMISSIONS } from '@outcomes/contracts';
import {
  createTestDatabase,
  Installation as Processes,
  joinSharedInstallation,
  type App,
  type InstallationOptions,
} from '@outcomes/testing';

const ENORMOUS = 100_000_000;
/** May do everything, practically without limits, where a test says nothing else. */
const KEYS = { form: new KeyForm('svc'), permissions: PERMISSIONS, burst: ENORMOUS, monthly: ENORMOUS };

/** As many processes of the built apps as a suite asks for, each with a credential for all tenants. */
export class Installation extends Processes {
  /** That credential. */
  bootstrapToken = '';

  static async create({ environment, ...others }: InstallationOptions = {}): Promise<Installation> {
    const token = `bootstrap-${randomBytes(24).toString('hex')}`;
    const sha256 = createHash('sha256').update(token).digest('hex');
    const credentials = [{ id: 'root', sha256, permissions: PERMISSIONS, tenants: '*' }];
    const installation = new Installation(await createTestDatabase(), {
      keys: KEYS,
      environment: { BOOTSTRAP_CREDENTIALS: JSON.stringify(credentials), ...environment },
      ...others,
    });
    installation.bootstrapToken = token;
    return installation;
  }

  /**
   * One that the global set-up started, for suites that assert nothing but what is true of companies of their own.
   * `ingestion` has every service but the console; `console` has a console and what answers to keys, and nothing there
   * processes what comes in, so that a suite can do that itself, by its own clock.
   */
  static async join(name: 'ingestion' | 'console'): Promise<Installation> {
    const { database, joined } = await joinSharedInstallation(`surfaces-${name}`);
    return new Installation(database, { keys: KEYS, joined });
  }

  /** Port of an app; see urlOf. */
  portOf(app: App): number {
    return Number(new URL(this.urlOf(app)).port);
  }
}
