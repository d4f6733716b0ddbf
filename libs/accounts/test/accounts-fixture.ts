import { randomUUID } from 'node:crypto';
import { Test, type TestingModule } from '@nestjs/testing';
import { PersistenceModule } from '@outcomes/persistence';
import { createLogger, Management, PlatformModule, REDIS, type Redis } from '@outcomes/platform';
import { serviceConfigSchema } from '@outcomes/platform';
import { TenantDatabase } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import {
  createTestDatabase,
  RunningClock,
  testRedisPrefix,
  testRedisUrl,
  waitUntil,
  type TestDatabase,
} from '@outcomes/testing';
import { AccountAdministration, AccountsModule, type NewUser, type OidcProvider } from '../src';
import { PasswordHashes } from '../src/passwords/password-hashes.service';

/** The cost of the service, half a minute for these suites, is held by password-hashes.spec.ts. */
const quickHashes = () => new PasswordHashes({ log2N: 4, r: 8, p: 1 });

export interface AccountsFixture {
  readonly database: TestDatabase;
  readonly clock: RunningClock;
  readonly administration: AccountAdministration;
  /** The console's side, under its own database login. */
  readonly console: TestingModule;
  newCompany(): Promise<string>;
  /** Somebody with a password, in a company. */
  newUser(
    companyId: string,
    user?: Partial<NewUser>,
  ): Promise<{ userId: string; email: string; password: string }>;
  stop(): Promise<void>;
}

/** @param redisUrl - where the console looks for Redis */
export async function accountsFixture(
  provider?: OidcProvider,
  redisUrl = testRedisUrl(),
): Promise<AccountsFixture> {
  const database = await createTestDatabase();
  const clock = new RunningClock();
  const modules: TestingModule[] = [];
  const start = async (login: string) => {
    const config = serviceConfigSchema({ port: 0, managementPort: 0 }).parse({
      DATABASE_URL: await database.loginAs(login),
      REDIS_URL: redisUrl,
      REDIS_PREFIX: testRedisPrefix(),
      LOG_LEVEL: 'silent',
    });
    const platform = { clock, config, logger: createLogger('accounts-test', 'silent') };
    const module = await Test.createTestingModule({
      imports: [
        PlatformModule.register({ ...platform, management: new Management('accounts-test') }),
        PersistenceModule.register('accounts-test'),
        AccountsModule.register(provider),
      ],
    })
      .overrideProvider(PasswordHashes)
      .useValue(quickHashes())
      .compile();
    modules.push(module);
    return module.init();
  };
  const [app, administrator] = [await start('outcomes_console'), await start('outcomes_admin')];
  if (redisUrl === testRedisUrl())
    await waitUntil('Redis to be connected', () => app.get<Redis>(REDIS).status === 'ready');
  const administration = new AccountAdministration(
    clock,
    administrator.get(TenantDatabase, { strict: false }),
    quickHashes(),
  );
  return {
    ...{ database, clock, administration, console: app },
    async newCompany() {
      const companyId = randomUUID();
      await database.query('INSERT INTO companies (company_id, name) VALUES ($1, $2)', [
        companyId,
        'A company',
      ]);
      return companyId;
    },
    async newUser(companyId, user = {}) {
      const email = user.email ?? `${randomUUID().slice(0, 8)}@example.com`;
      const created = await administration.createUser(mintTenantScope(companyId), {
        role: 'owner',
        ...user,
        email,
      });
      return { ...created, password: created.password ?? '' };
    },
    async stop() {
      await Promise.all(modules.map((module) => module.close()));
      await database.drop();
    },
  };
}

/** The code that a promise was refused with; undefined where it was not. */
export async function refusalOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => (error as { code?: unknown }).code ?? error,
  );
}
