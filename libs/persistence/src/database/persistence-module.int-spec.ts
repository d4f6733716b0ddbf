import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { Test, type TestingModule } from '@nestjs/testing';
import {
  createLogger,
  Management,
  PlatformModule,
  serviceConfigSchema,
  systemClock,
  type ReadinessCheck,
} from '@outcomes/platform';
import { TenantDatabase, type TenantTransaction } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { createTestDatabase, testRedisUrl, waitUntil, type TestDatabase } from '@outcomes/testing';
import { PersistenceModule } from './persistence.module';

describe('the connections of a service', () => {
  let database: TestDatabase;
  const modules: TestingModule[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(async () => {
    await Promise.all(modules.map((module) => module.close()));
    await database.drop();
  });

  const start = async (poolSize: number) => {
    const config = serviceConfigSchema({ port: 0, managementPort: 0 }).parse({
      DATABASE_URL: await database.loginAs('outcomes_ingest'),
      DATABASE_POOL_SIZE: String(poolSize),
      REDIS_URL: testRedisUrl(),
      LOG_LEVEL: 'silent',
    });
    const logger = createLogger('pool-test', config.LOG_LEVEL);
    const management = new Management('pool-test');
    const checks = new Map<string, ReadinessCheck>();
    jest.spyOn(management, 'addReadinessCheck').mockImplementation((name, check) => checks.set(name, check));
    const module = await Test.createTestingModule({
      imports: [
        PlatformModule.register({ clock: systemClock, config, logger, management }),
        PersistenceModule.register('pool-test'),
      ],
    }).compile();
    modules.push(module);
    await module.init();
    const isReady = async () => checks.get('postgres')?.() ?? false;
    return { module, isReady, tenants: module.get(TenantDatabase) };
  };

  /** Transactions of different tenants, each of which asks twice under which company it is, and stays open between. */
  const openTransactions = (tenants: TenantDatabase) => {
    const seen = { begun: 0, foreign: 0 };
    const ends: (() => void)[] = [];
    const events = new EventEmitter();
    const ask = async ({ client, companyId }: TenantTransaction) => {
      const { rows } = await client.query<{ company: string | null }>(
        `SELECT nullif(current_setting('app.company_id', true), '') AS company`,
      );
      if (rows[0]?.company !== companyId) seen.foreign += 1;
    };
    const open = async () => {
      const end = new Promise<void>((resolve) => ends.push(resolve));
      await tenants.transaction(mintTenantScope(randomUUID()), async (transaction) => {
        await ask(transaction);
        seen.begun += 1;
        events.emit('begun');
        await end;
        await ask(transaction);
      });
    };
    return {
      seen,
      ends,
      events,
      open: (count: number) => Promise.allSettled(Array.from({ length: count }, open)),
    };
  };
  const unavailable = { status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } };

  it.each([1, 2])(
    'go to nobody else when they end under open transactions, in a pool of %i',
    async (poolSize) => {
      const { module, tenants } = await start(poolSize);
      const { seen, ends, events, open } = openTransactions(tenants);
      const all = open(6);
      await waitUntil('the pool to be in use', () => seen.begun === poolSize);
      const closed = module.close();
      const late = open(1);
      // Or until the next in line has begun on a connection that is in use.
      await Promise.race([closed, once(events, 'begun')]);
      for (const end of ends) end();
      // Mutation: `dataSource.destroy()` alone gives the connections to those in line, and half of the work lands there.
      const outcomes = await all;
      expect(seen).toEqual({ begun: poolSize, foreign: 0 });
      expect(outcomes).toMatchObject(Array(6).fill(unavailable));
      expect(await late).toMatchObject([unavailable]);
      await closed;
    },
  );

  it('are given up under a wrong clock, with the transactions on them, and made anew under a right one', async () => {
    const { isReady, tenants } = await start(2);
    const { seen, ends, open } = openTransactions(tenants);
    const first = open(2);
    await waitUntil('the pool to be in use', () => seen.begun === 2);
    const clock = jest.spyOn(systemClock, 'now').mockReturnValue(new Date('2099-01-01T00:00:00Z'));
    const ready = isReady();
    const others = open(4);
    // Its connection asks for the time, and then goes to the first of the others.
    ends[0]?.();
    expect(await ready).toBe(false);
    for (const end of ends) end();
    expect(await first).toMatchObject([{ status: 'fulfilled' }, unavailable]);
    expect(await others).toMatchObject(Array(4).fill(unavailable));
    expect(await open(1)).toMatchObject([unavailable]);
    expect(seen.foreign).toBe(0);
    clock.mockRestore();
    await waitUntil('it to be ready again', isReady);
    const again = open(1);
    ends.at(-1)?.();
    expect(await again).toMatchObject([{ status: 'fulfilled' }]);
  });
});
