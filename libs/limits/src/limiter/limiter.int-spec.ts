import type { TestingModule } from '@nestjs/testing';
import { Management, REDIS, type Redis } from '@outcomes/platform';
import { inForm, tcpProxy, testRedisUrl, waitUntil } from '@outcomes/testing';
import { limitsFixture, refusalOf, type LimitsFixture } from '../../test/limits-fixture';
import { LimiterModule } from '../limits.module';
import { UsageLedger } from '../usage/usage-ledger.service';
import { UsageRepository } from '../usage/usage.repository';
import { Limiter } from './limiter.service';
import { MemoryLimits } from './memory-limits';

const counted = { surface: 'read', countsQuota: true } as const;
const ROUNDS = inForm(10, 25);
const burstOnly = { surface: 'read', countsQuota: false } as const;

describe('the limiter', () => {
  let fixture: LimitsFixture;
  let pods: TestingModule[];
  let limiter: Limiter;

  beforeAll(async () => {
    fixture = await limitsFixture();
    pods = await Promise.all(Array.from({ length: 4 }, () => fixture.pod(LimiterModule)));
    limiter = (pods[0] as TestingModule).get(Limiter);
  });
  afterAll(() => fixture.stop());

  const usageRow = async (keyId: string) => {
    const rows = await fixture.database.query<{ used: number }>(
      'SELECT used FROM usage_months WHERE key_id = $1',
      [keyId],
    );
    return rows[0]?.used;
  };

  it('says what is left', async () => {
    const { subject } = await fixture.newKey({ burstLimit: 3, monthlyQuota: 10 });
    const before = new Date();
    const first = await limiter.consume(subject, counted);
    const after = new Date();
    expect(first).toMatchObject({
      limit: 3,
      remaining: 2,
      resetSeconds: 900,
      policy: '3;w=900',
      quotaLimit: 10,
      quotaUsed: 1,
    });
    const nextMonth = Date.UTC(before.getUTCFullYear(), before.getUTCMonth() + 1, 1);
    // Whenever between the two Redis looked at its clock.
    expect(first.quotaResetSeconds).toBeLessThanOrEqual(
      Math.ceil((nextMonth - before.getTime()) / 1_000) + 1,
    );
    expect(first.quotaResetSeconds).toBeGreaterThanOrEqual(
      Math.ceil((nextMonth - after.getTime()) / 1_000) - 1,
    );
  });

  // Mutation: GET, compare, INCR; consume-script.int-spec.ts sees it let more through.
  it(`lets exactly 200 of 400 parallel requests over 4 pods through, and the quota reads 200, ${ROUNDS} times in a row`, async () => {
    const alone = jest.spyOn(MemoryLimits.prototype, 'decide');
    let disturbed = 0;
    for (let round = 0; round < ROUNDS + disturbed; round += 1) {
      alone.mockClear();
      const { subject } = await fixture.newKey();
      const answers = await Promise.all(
        Array.from({ length: 400 }, (_, n) => {
          const at = pods[n % 4] as TestingModule;
          return refusalOf(at.get(Limiter).consume(subject, counted));
        }),
      );
      const after = await refusalOf(limiter.consume(subject, burstOnly));
      // Redis did not answer a pod within half a second, so it counted alone: another promise's case. Ask again.
      if (alone.mock.calls.length > 0 && disturbed < ROUNDS) {
        disturbed += 1;
        await waitUntil('Redis to answer every pod', () =>
          pods.every((pod) => pod.get(Limiter).state === 'operational'),
        );
        continue;
      }
      expect(tally(answers)).toEqual({ NONE: 200, RATE_LIMITED: 200 });
      expect(after).toMatchObject({ headers: { 'X-Quota-Remaining': '800' } });
    }
    alone.mockRestore();
  }, 120_000);

  it('refuses with the catalogued errors and all their headers and fields', async () => {
    const burst = (await fixture.newKey({ burstLimit: 1 })).subject;
    const began = performance.now();
    await limiter.consume(burst, counted);
    const throttled = await refusalOf(limiter.consume(burst, counted));
    const seconds = 'headers' in throttled ? Number(throttled.headers['Retry-After']) : 0;
    expect(seconds).toBeLessThanOrEqual(900);
    // What a busy machine took between the two requests is gone from the window.
    expect(seconds).toBeGreaterThanOrEqual(900 - Math.ceil((performance.now() - began) / 1_000));
    expect(throttled).toEqual({
      code: 'RATE_LIMITED',
      headers: expect.objectContaining({
        'Retry-After': String(seconds),
        'RateLimit-Limit': '1',
        'RateLimit-Remaining': '0',
        'RateLimit-Reset': String(seconds),
        'RateLimit-Policy': '1;w=900',
      }),
    });
    const month = (await fixture.newKey({ monthlyQuota: 2 })).subject;
    await limiter.consume(month, counted);
    await limiter.consume(month, counted);
    const refused = await refusalOf(limiter.consume(month, counted));
    const now = new Date();
    const resetAt = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString();
    expect(refused).toMatchObject({ code: 'QUOTA_EXCEEDED', quotaLimit: 2, currentUsage: 2, resetAt });
    expect(refused).toHaveProperty(['headers', 'Retry-After']);
  });

  it('counts ingestion in a window of its own and never against the month', async () => {
    const { subject } = await fixture.newKey({ burstLimit: 2, monthlyQuota: 1 });
    await limiter.consume(subject, counted);
    for (let n = 0; n < 2; n += 1) {
      await limiter.consume(subject, { surface: 'ingest', countsQuota: false });
    }
    expect(
      await refusalOf(limiter.consume(subject, { surface: 'ingest', countsQuota: false })),
    ).toMatchObject({
      code: 'RATE_LIMITED',
    });
    expect(await limiter.consume(subject, burstOnly)).toMatchObject({ remaining: 0, quotaUsed: 1 });
  });

  it.each([
    ['read', 10, undefined, 10],
    ['read', 10, 7, 10],
    // As ingest-api is configured for the key, or like the rest.
    ['ingest', 10, undefined, 10],
    ['ingest', 10, 7, 7],
    // Five free requests for each call, and a hundred at least.
    ['protocol', 20, 7, 100],
    ['protocol', 21, 7, 105],
  ] as const)(
    'gives %s at %d requests, %p of them to ingest, a window of %d',
    async (surface, burst, ingest, limit) => {
      const stranger = { scope: null, keyId: `${surface}-${burst}-${ingest}`, monthlyQuota: 1 };
      const asked = { ...stranger, burstLimit: burst, ...(ingest && { ingestBurstLimit: ingest }) };
      const consumption = await limiter.consume(asked, { surface, countsQuota: false });
      expect(consumption).toMatchObject({ limit, remaining: limit - 1, policy: `${limit};w=900` });
    },
  );

  it('counts who has not chosen a tenant in a window alone', async () => {
    const stranger = { scope: null, keyId: `operations-${process.pid}`, burstLimit: 2, monthlyQuota: 5 };
    for (const remaining of [1, 0])
      expect(await limiter.consume(stranger, counted)).toMatchObject({ remaining, quotaUsed: 0 });
    await limiter.refundQuota(stranger);
    expect(await refusalOf(limiter.consume(stranger, counted))).toMatchObject({ code: 'RATE_LIMITED' });
  });

  it('gives a request back to its month and not to its window', async () => {
    const { subject } = await fixture.newKey({ burstLimit: 5, monthlyQuota: 1 });
    const consumption = await limiter.consume(subject, counted);
    await limiter.refundQuota(subject, consumption.month);
    expect(await limiter.consume(subject, counted)).toMatchObject({ remaining: 3, quotaUsed: 1 });
    expect(await refusalOf(limiter.consume(subject, counted))).toMatchObject({ code: 'QUOTA_EXCEEDED' });
    // Another month's refund, and refunds of nothing, change nothing.
    await limiter.refundQuota(subject, consumption.month - 1);
    expect(await refusalOf(limiter.consume(subject, counted))).toMatchObject({ currentUsage: 1 });
    for (let n = 0; n < 3; n += 1) await limiter.refundQuota(subject);
    expect(await limiter.consume(subject, counted)).toMatchObject({ quotaUsed: 1 });
  });

  it('keeps what it counts of a credential in one place of a cluster, and of two in two', async () => {
    const { subject, companyId, keyId } = await fixture.newKey();
    for (const surface of ['read', 'ingest', 'protocol'] as const)
      await limiter.consume(subject, { surface, countsQuota: false });
    const keys = await fixture.redis.keys(`*${keyId}*`);
    expect(keys).toEqual([expect.stringMatching(/^[^{}]+:limits:\{[^{}]+\}$/)]);
    expect(keys[0]).toContain(`{${companyId}:${keyId}}`);
  });

  it('needs one Redis command per request', async () => {
    const { subject } = await fixture.newKey();
    await limiter.consume(subject, counted);
    const commands = jest.spyOn((pods[0] as TestingModule).get<Redis>(REDIS), 'sendCommand');
    for (let n = 0; n < 20; n += 1) await limiter.consume(subject, counted);
    expect(commands).toHaveBeenCalledTimes(20);
    commands.mockRestore();
  });

  describe('when Redis forgets everything', () => {
    /** What is written down of 399 requests, and what a pod that never saw their key counts after a FLUSHALL. */
    const afterwards = async (isWrittenDown: boolean) => {
      const pod = await fixture.pod(LimiterModule);
      // Its timer writes down whatever stands when it fires, which on a slow machine is amid these requests.
      pod.get(UsageLedger).onApplicationShutdown();
      const write = jest.spyOn(pod.get(UsageRepository), 'write');
      if (!isWrittenDown) write.mockResolvedValue();
      const { subject, keyId } = await fixture.newKey({ burstLimit: 1_000, monthlyQuota: 1_000 });
      for (let n = 0; n < 399; n += 1) await pod.get(Limiter).consume(subject, counted);
      await waitUntil('the count to be written down', () => write.mock.calls.length > 0);
      // On a slow machine a second write is due by now: what has not begun does not count.
      write.mockResolvedValue();
      await Promise.all(write.mock.results.map(({ value }) => value as Promise<void>));
      const written = await usageRow(keyId);
      await fixture.forgetRedis();
      const { quotaUsed } = await (pods[3] as TestingModule).get(Limiter).consume(subject, counted);
      return { written, quotaUsed };
    };

    it('goes on from Postgres, short by less than one window of 200', async () => {
      const { written = 0, quotaUsed } = await afterwards(true);
      expect(399 - written).toBeLessThan(200);
      expect(quotaUsed).toBe(written + 1);
    });

    it('would begin the month anew if Postgres were not told: the mutation of the test above', async () => {
      expect(await afterwards(false)).toEqual({ written: undefined, quotaUsed: 1 });
    });

    it('asks Postgres about an exhausted month once, not for every refusal', async () => {
      const { subject } = await fixture.newKey({ monthlyQuota: 2 });
      for (let n = 0; n < 2; n += 1) await limiter.consume(subject, counted);
      await fixture.forgetRedis();
      const reads = jest.spyOn((pods[0] as TestingModule).get(UsageRepository), 'read');
      for (let n = 0; n < 3; n += 1)
        expect(await refusalOf(limiter.consume(subject, counted))).toMatchObject({ currentUsage: 2 });
      expect(reads).toHaveBeenCalledTimes(1);
      reads.mockRestore();
    });

    it('goes on exactly where the pod that asks saw the last request', async () => {
      const { subject } = await fixture.newKey();
      for (let n = 0; n < 7; n += 1) await limiter.consume(subject, counted);
      await fixture.forgetRedis();
      expect(await limiter.consume(subject, counted)).toMatchObject({ quotaUsed: 8 });
    });

    it('has every count in Postgres once a pod has stopped', async () => {
      const pod = await fixture.pod(LimiterModule);
      const { subject, keyId } = await fixture.newKey();
      for (let n = 0; n < 7; n += 1) await pod.get(Limiter).consume(subject, counted);
      await pod.close();
      expect(await usageRow(keyId)).toBe(7);
    });

    it('never lets a late pod write a smaller count over a larger one', async () => {
      const { subject, keyId } = await fixture.newKey();
      const [first, second] = pods as [TestingModule, TestingModule];
      await first.get(Limiter).consume(subject, counted);
      await second.get(Limiter).consume(subject, counted);
      await second.get(UsageLedger).flush();
      await first.get(UsageLedger).flush();
      expect(await usageRow(keyId)).toBe(2);
    });
  });

  describe('when Redis is away', () => {
    it('limits per pod, says so, keeps counting the month, and hands it over when Redis is back', async () => {
      const proxy = await tcpProxy(testRedisUrl());
      const module = await fixture.pod(LimiterModule, { REDIS_URL: proxy.url });
      const pod = module.get(Limiter);
      const { registry } = module.get(Management, { strict: false });
      const gauge = async () => /^outcomes_limiter_degraded\{.*\} (\d)$/m.exec(await registry.metrics())?.[1];
      const { subject } = await fixture.newKey({ burstLimit: 4, monthlyQuota: 100 });
      await pod.consume(subject, counted);
      expect(pod.state).toBe('operational');
      await proxy.cut();
      const answers = [];
      for (let n = 0; n < 6; n += 1) answers.push(await refusalOf(pod.consume(subject, counted)));
      expect(answers.map(({ code }) => code)).toEqual([
        ...Array.from({ length: 4 }, () => 'NONE'),
        'RATE_LIMITED',
        'RATE_LIMITED',
      ]);
      expect([pod.state, await gauge()]).toEqual(['degraded', '1']);
      await proxy.restore();
      await waitUntil('Redis to be back', () => pod.state === 'operational');
      expect(await gauge()).toBe('0');
      // 1 before, 4 while Redis was away, and this one; another pod sees the same.
      expect(await pod.consume(subject, counted)).toMatchObject({ quotaUsed: 6, remaining: 2 });
      expect(await limiter.consume(subject, counted)).toMatchObject({ quotaUsed: 7, remaining: 1 });
      await proxy.close();
    });

    it('counts many at once of a key that the pod never saw, and hands all of them over', async () => {
      const proxy = await tcpProxy(testRedisUrl());
      const pod = (await fixture.pod(LimiterModule, { REDIS_URL: proxy.url })).get(Limiter);
      await waitUntil('Redis to be there', () => pod.state === 'operational');
      await proxy.cut();
      await waitUntil('Redis to be away', () => pod.state === 'degraded');
      const { subject } = await fixture.newKey({ monthlyQuota: 20 });
      const answers = await Promise.all(
        Array.from({ length: 30 }, () => refusalOf(pod.consume(subject, counted))),
      );
      // Mutation: each of them reads its own copy of the month, and all but one are forgotten.
      expect(tally(answers)).toEqual({ NONE: 20, QUOTA_EXCEEDED: 10 });
      await proxy.restore();
      await waitUntil('Redis to be back', () => pod.state === 'operational');
      expect(await pod.consume(subject, burstOnly)).toMatchObject({ quotaUsed: 20 });
      expect(await limiter.consume(subject, burstOnly)).toMatchObject({ quotaUsed: 20 });
      await proxy.close();
    });

    it('owes what it let through alone until Redis takes it, which a refusal does not', async () => {
      const proxy = await tcpProxy(testRedisUrl());
      const pod = (await fixture.pod(LimiterModule, { REDIS_URL: proxy.url })).get(Limiter);
      const { subject } = await fixture.newKey({ burstLimit: 2 });
      for (let n = 0; n < 2; n += 1) await limiter.consume(subject, counted);
      await proxy.cut();
      // Nobody wrote down what the other pod counted.
      expect(await pod.consume(subject, counted)).toMatchObject({ remaining: 1, quotaUsed: 1 });
      await pod.consume(subject, counted);
      await proxy.restore();
      await waitUntil('Redis to be back', () => pod.state === 'operational');
      expect(await refusalOf(pod.consume(subject, counted))).toMatchObject({ code: 'RATE_LIMITED' });
      // Mutation: they are handed over with a request that changes nothing, and forgotten.
      const free = { surface: 'ingest', countsQuota: false } as const;
      expect(await pod.consume(subject, free)).toMatchObject({ quotaUsed: 4 });
      expect(await limiter.consume(subject, free)).toMatchObject({ quotaUsed: 4 });
      await proxy.close();
    });

    it('goes on from Postgres where Redis comes back empty, not from what the pod last saw', async () => {
      const proxy = await tcpProxy(testRedisUrl());
      const pod = (await fixture.pod(LimiterModule, { REDIS_URL: proxy.url })).get(Limiter);
      const { subject } = await fixture.newKey();
      expect(await pod.consume(subject, counted)).toMatchObject({ quotaUsed: 1 });
      for (let n = 0; n < 30; n += 1) await limiter.consume(subject, counted);
      await (pods[0] as TestingModule).get(UsageLedger).flush();
      await proxy.cut();
      // By what it last saw.
      for (const quotaUsed of [2, 3])
        expect(await pod.consume(subject, counted)).toMatchObject({ quotaUsed });
      await fixture.forgetRedis();
      await proxy.restore();
      await waitUntil('Redis to be back', () => pod.state === 'operational');
      // 31 in Postgres, two that the pod owes, and this one.
      expect(await pod.consume(subject, counted)).toMatchObject({ quotaUsed: 34 });
      expect(await limiter.consume(subject, counted)).toMatchObject({ quotaUsed: 35 });
      await proxy.close();
    });

    it('hands over what it owes where another pod was the first to find Redis empty', async () => {
      const proxy = await tcpProxy(testRedisUrl());
      const pod = (await fixture.pod(LimiterModule, { REDIS_URL: proxy.url })).get(Limiter);
      const { subject } = await fixture.newKey();
      await pod.consume(subject, counted);
      await limiter.consume(subject, counted);
      await proxy.cut();
      for (let n = 0; n < 3; n += 1) await pod.consume(subject, counted);
      await fixture.forgetRedis();
      expect(await limiter.consume(subject, counted)).toMatchObject({ quotaUsed: 3 });
      await proxy.restore();
      await waitUntil('Redis to be back', () => pod.state === 'operational');
      expect(await pod.consume(subject, counted)).toMatchObject({ quotaUsed: 7 });
      await proxy.close();
    });

    it('gives back what Redis has counted, and what it let through itself', async () => {
      const proxy = await tcpProxy(testRedisUrl());
      const pod = (await fixture.pod(LimiterModule, { REDIS_URL: proxy.url })).get(Limiter);
      const { subject } = await fixture.newKey();
      await pod.consume(subject, counted);
      await proxy.cut();
      // Mutation: what Redis has counted is given back in Redis alone, so that what was not served stays counted.
      await pod.refundQuota(subject);
      // Nothing is left to give back.
      await pod.refundQuota(subject);
      for (let n = 0; n < 3; n += 1) await pod.consume(subject, counted);
      await pod.refundQuota(subject);
      // What does not count against the month is not owed either.
      expect(await pod.consume(subject, burstOnly)).toMatchObject({ quotaUsed: 2 });
      await proxy.restore();
      await waitUntil('Redis to be back', () => pod.state === 'operational');
      expect(await limiter.consume(subject, burstOnly)).toMatchObject({ quotaUsed: 1 });
      expect(await pod.consume(subject, burstOnly)).toMatchObject({ quotaUsed: 2 });
      await pod.refundQuota(subject);
      expect(await limiter.consume(subject, burstOnly)).toMatchObject({ quotaUsed: 1 });
      await proxy.close();
    });

    it('hands over what it gave back, once', async () => {
      const proxy = await tcpProxy(testRedisUrl());
      const pod = (await fixture.pod(LimiterModule, { REDIS_URL: proxy.url })).get(Limiter);
      const { subject } = await fixture.newKey();
      for (let n = 0; n < 5; n += 1) await pod.consume(subject, counted);
      await proxy.cut();
      for (let n = 0; n < 3; n += 1) await pod.refundQuota(subject);
      await proxy.restore();
      await waitUntil('Redis to be back', () => pod.state === 'operational');
      expect(await pod.consume(subject, counted)).toMatchObject({ quotaUsed: 3 });
      expect(await pod.consume(subject, counted)).toMatchObject({ quotaUsed: 4 });
      expect(await limiter.consume(subject, counted)).toMatchObject({ quotaUsed: 5 });
      await proxy.close();
    });

    it('counts once what a frozen Redis has counted and given back without saying so in time', async () => {
      const proxy = await tcpProxy(testRedisUrl());
      const pod = (await fixture.pod(LimiterModule, { REDIS_URL: proxy.url })).get(Limiter);
      const { subject } = await fixture.newKey();
      const { subject: another } = await fixture.newKey();
      for (let n = 0; n < 6; n += 1) await pod.consume(subject, counted);
      await pod.refundQuota(subject);
      await proxy.cut();
      for (let n = 0; n < 3; n += 1) await pod.consume(subject, counted);
      await proxy.restore();
      await waitUntil('Redis to be back', () => pod.state === 'operational');
      // From here on the gate lets everybody through again, and not one a second.
      await pod.consume(another, counted);
      proxy.hold();
      // Mutation: what is said late is not listened to, so that each of them counts twice.
      await Promise.all([
        ...Array.from({ length: 10 }, () => pod.consume(subject, counted)),
        pod.refundQuota(subject),
      ]);
      // Redis has 5, the 3 that were owed, 10, and one given back; the pod thinks that it has 5.
      expect(await limiter.consume(subject, burstOnly)).toMatchObject({ quotaUsed: 17 });
      await pod.consume(subject, counted);
      await proxy.restore();
      await waitUntil('Redis to be back', () => pod.state === 'operational');
      const back = () => pod.consume(subject, burstOnly).then(({ quotaUsed }) => quotaUsed);
      await waitUntil('what came late to be told apart', async () => (await back()) === 18);
      expect(await limiter.consume(subject, burstOnly)).toMatchObject({ quotaUsed: 18 });
      await proxy.close();
    });

    it('waits for a frozen Redis once, not once per request', async () => {
      const proxy = await tcpProxy(testRedisUrl());
      const pod = (await fixture.pod(LimiterModule, { REDIS_URL: proxy.url })).get(Limiter);
      const { subject } = await fixture.newKey();
      await pod.consume(subject, counted);
      proxy.hold();
      const started = performance.now();
      for (let n = 0; n < 50; n += 1) await pod.consume(subject, counted);
      // Mutation: without the gate this is 50 times half a second.
      expect(performance.now() - started).toBeLessThan(12_500);
      expect(pod.state).toBe('degraded');
      await proxy.restore();
      await waitUntil('Redis to be back', async () => {
        await pod.consume(subject, burstOnly);
        return pod.state === 'operational';
      });
      await proxy.close();
    });
  });

  it('keeps the months of two companies apart, also under one bootstrap credential', async () => {
    const a = (await fixture.newKey()).subject;
    const b = (await fixture.newKey()).subject;
    const credential = { keyId: 'operations', burstLimit: 200, monthlyQuota: 1 };
    await limiter.consume({ ...credential, scope: a.scope }, counted);
    expect(await refusalOf(limiter.consume({ ...credential, scope: a.scope }, counted))).toMatchObject({
      code: 'QUOTA_EXCEEDED',
    });
    expect(await limiter.consume({ ...credential, scope: b.scope }, counted)).toMatchObject({ quotaUsed: 1 });
    await (pods[0] as TestingModule).get(UsageLedger).flush();
    const rows = await fixture.database.query(
      `SELECT company_id, used FROM usage_months WHERE key_id = 'operations' ORDER BY company_id`,
    );
    expect(rows).toEqual(
      [a, b]
        .map(({ scope }) => ({ company_id: scope?.companyId, used: 1 }))
        .sort((x, y) => (String(x.company_id) < String(y.company_id) ? -1 : 1)),
    );
  });
});

/** How often each code came. */
function tally(answers: readonly { readonly code: string }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { code } of answers) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}
