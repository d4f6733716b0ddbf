import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DynamicModule, INestApplication, Type } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { KeyAdministration, KeyAdministrationModule } from '@outcomes/auth';
import { PersistenceModule } from '@outcomes/persistence';
import {
  createLogger,
  Management,
  PlatformModule,
  REDIS,
  Redis,
  serviceConfigSchema,
  type ServiceConfig,
} from '@outcomes/platform';
import { HttpAdapter } from '@outcomes/platform/service';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import {
  createTestDatabase,
  RunningClock,
  testRedisPrefix,
  testRedisUrl,
  waitUntil,
  type TestDatabase,
} from '@outcomes/testing';
import type { LimitSubject } from '../src';
import type { NewKey } from '@outcomes/auth';

type Overrides = Partial<Record<keyof ServiceConfig, string>>;

export interface LimitsFixture {
  readonly database: TestDatabase;
  readonly redis: Redis;
  readonly clock: RunningClock;
  readonly administration: KeyAdministration;
  /** A new company with one key of these limits. */
  newKey(
    input?: NewKey,
  ): Promise<{ apiKey: string; subject: LimitSubject; companyId: string; keyId: string }>;
  /** One more pod: its own memory, connections and database login. */
  pod(root: Type | DynamicModule, overrides?: Overrides): Promise<TestingModule>;
  /** A pod that listens; returns its address. */
  served(
    root: Type | DynamicModule,
    overrides?: Overrides,
    configure?: (app: INestApplication, http: HttpAdapter) => void,
  ): Promise<{ url: string; module: TestingModule }>;
  /** What FLUSHALL does, to this suite's keys alone. */
  forgetRedis(): Promise<void>;
  stop(): Promise<void>;
}

export async function limitsFixture(): Promise<LimitsFixture> {
  const database = await createTestDatabase();
  const prefix = testRedisPrefix();
  const pattern = `*${prefix.slice(1, -1)}*`;
  const clock = new RunningClock();
  const logins = {
    reader: await database.loginAs('outcomes_reader'),
    admin: await database.loginAs('outcomes_admin'),
  };
  const redis = new Redis(testRedisUrl());
  const closing: (() => Promise<void>)[] = [];

  const compile = async (url: string, root: Type | DynamicModule, overrides: Overrides) => {
    const config = serviceConfigSchema({ port: 0, managementPort: 0 }).parse({
      DATABASE_URL: url,
      REDIS_URL: testRedisUrl(),
      REDIS_PREFIX: prefix,
      LOG_LEVEL: 'silent',
      ...overrides,
    });
    const logger = createLogger('limits-test', config.LOG_LEVEL);
    const management = new Management('limits-test');
    const module = await Test.createTestingModule({
      imports: [
        PlatformModule.register({ clock, config, logger, management }),
        PersistenceModule.register('limits-test'),
        root,
      ],
    }).compile();
    return { module, config, management };
  };
  const pod = async (root: Type | DynamicModule, overrides: Overrides = {}, url = logins.reader) => {
    const { module } = await compile(url, root, overrides);
    closing.push(() => module.close());
    await module.init();
    const connection = module.get<Redis>(REDIS, { strict: false });
    if (!overrides.REDIS_URL) await waitUntil('Redis to be connected', () => connection.status === 'ready');
    return module;
  };
  const administration = (await pod(KeyAdministrationModule, {}, logins.admin)).get(KeyAdministration);
  const forgetRedis = async () => {
    const keys = await redis.keys(pattern);
    if (keys.length > 0) await redis.del(keys);
  };
  return {
    database,
    redis,
    clock,
    administration,
    forgetRedis,
    pod: (root, overrides) => pod(root, overrides),
    async newKey(input) {
      const { companyId } = await administration.createCompany({ name: 'Limited' });
      const scope = mintTenantScope(companyId);
      const { apiKey, keyId } = await administration.createKey(scope, input);
      const { burstLimit = 200, monthlyQuota = 1_000 } = input ?? {};
      return { apiKey, companyId, keyId, subject: { scope, keyId, burstLimit, monthlyQuota } };
    },
    async served(root, overrides = {}, configure = () => undefined) {
      const { module, config, management } = await compile(logins.reader, root, overrides);
      const http = new HttpAdapter({ config, management, name: 'limits-test' });
      const app = module.createNestApplication<INestApplication<Server>>(http, {
        bodyParser: false,
        logger: false,
      });
      http.prepare(app);
      configure(app, http);
      await app.init();
      await app.listen(0, '127.0.0.1');
      closing.push(() => app.close());
      const { port } = app.getHttpServer().address() as AddressInfo;
      return { url: `http://127.0.0.1:${port}`, module };
    },
    async stop() {
      await Promise.all(closing.map((close) => close()));
      await forgetRedis();
      redis.disconnect();
      await database.drop();
    },
  };
}

/** What a promise was refused with; `code` NONE where it was not. */
export async function refusalOf(promise: Promise<unknown>) {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (typeof error !== 'object' || error === null || !('code' in error)) return { code: 'NONE' };
  const { code, fields, headers } = error as {
    code: string;
    fields: Record<string, unknown>;
    headers: Record<string, string>;
  };
  return { code, ...fields, headers };
}
