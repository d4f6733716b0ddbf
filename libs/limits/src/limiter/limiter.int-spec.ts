import type { TestingModule } from '@nestjs/testing';
import { REDIS, type Redis } from '@outcomes/platform';
import { testRedisUrl, waitUntil } from '@outcomes/testing';
import { limitsFixture, refusalOf, type LimitsFixture } from '../../test/limits-fixture';
import { RedisProxy } from '../../test/redis-proxy';
import { LimiterModule } from '../limits.module';
import { UsageLedger } from '../usage/usage-ledger.service';
import { Limiter } from './limiter.service';

const counted = { surface: 'read', countsQuota: true } as const;
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
    const first = await limiter.consume(subject, counted);
    expect(first).toMatchObject({
      limit: 3,
      remaining: 2,
      resetSeconds: 900,
      policy: '3;w=900',
      quotaLimit: 10,
      quotaUsed: 1,
    });
    const now = new Date();
    const nextMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
    expect(Math.abs(first.quotaResetSeconds - (nextMonth - now.getTime()) / 1_000)).toBeLessThan(3);
  });

  // Mutation: GET, compare, INCR lets up to 400 through.
  it('lets exactly 200 of 400 parallel requests over 4 pods through, and the quota reads 200, 25 times in a row', async () => {
    for (let round = 0; round < 25; round += 1) {
      const { subject } = await fixture.newKey();
      const answers = await Promise.all(
        Array.from({ length: 400 }, (_, n) => {
          const at = pods[n % 4] as TestingModule;
          return refusalOf(at.get(Limiter).consume(subject, counted));
        }),
      );
      expect(answers.filter(({ code }) => code === 'NONE')).toHaveLength(200);
      expect(answers.filter(({ code }) => code === 'RATE_LIMITED')).toHaveLength(200);
      expect(await refusalOf(limiter.consume(subject, burstOnly))).toMatchObject({
        headers: { 'X-Quota-Remaining': '800' },
      });
    }
  });

  it('refuses with the catalogued errors and all their headers and fields', async () => {
    const burst = (await fixture.newKey({ burstLimit: 1 })).subject;
    await limiter.consume(burst, counted);
    expect(await refusalOf(limiter.consume(burst, counted))).toEqual({
      code: 'RATE_LIMITED',
      headers: expect.objectContaining({
        'Retry-After': '900',
        'RateLimit-Limit': '1',
        'RateLimit-Remaining': '0',
        'RateLimit-Reset': '900',
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

  it('needs one Redis command per request', async () => {
    const { subject } = await fixture.newKey();
    await limiter.consume(subject, counted);
    const commands = jest.spyOn((pods[0] as TestingModule).get<Redis>(REDIS), 'sendCommand');
    for (let n = 0; n < 20; n += 1) await limiter.consume(subject, counted);
    expect(commands).toHaveBeenCalledTimes(20);
    commands.mockRestore();
  });

  describe('when Redis forgets everything', () => {
    it('goes on from Postgres, short by at most what was not written down yet', async () => {
      const { subject, keyId } = await fixture.newKey({ burstLimit: 1_000, monthlyQuota: 1_000 });
      for (let n = 0; n < 250; n += 1) await limiter.consume(subject, counted);
      await waitUntil('usage to be written down', async () => ((await usageRow(keyId)) ?? 0) >= 200);
      await fixture.forgetRedis();
      // A pod that never saw the key: all it knows is in Postgres.
      const { quotaUsed } = await (pods[3] as TestingModule).get(Limiter).consume(subject, counted);
      expect(quotaUsed).toBeGreaterThan(200);
      expect(quotaUsed).toBeLessThanOrEqual(251);
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
      const proxy = await RedisProxy.start(testRedisUrl());
      const pod = (await fixture.pod(LimiterModule, { REDIS_URL: proxy.url })).get(Limiter);
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
      expect(pod.state).toBe('degraded');
      await proxy.open();
      await waitUntil('Redis to be back', () => pod.state === 'operational');
      // 1 before, 4 while Redis was away, and this one; another pod sees the same.
      expect(await pod.consume(subject, counted)).toMatchObject({ quotaUsed: 6, remaining: 2 });
      expect(await limiter.consume(subject, counted)).toMatchObject({ quotaUsed: 7, remaining: 1 });
      await proxy.cut();
    });

    it('waits for a frozen Redis once, not once per request', async () => {
      const proxy = await RedisProxy.start(testRedisUrl());
      const pod = (await fixture.pod(LimiterModule, { REDIS_URL: proxy.url })).get(Limiter);
      const { subject } = await fixture.newKey();
      await pod.consume(subject, counted);
      proxy.freeze();
      const started = performance.now();
      for (let n = 0; n < 50; n += 1) await pod.consume(subject, counted);
      // Mutation: without the gate this is 50 times half a second.
      expect(performance.now() - started).toBeLessThan(12_500);
      expect(pod.state).toBe('degraded');
      proxy.thaw();
      await waitUntil('Redis to be back', async () => {
        await pod.consume(subject, burstOnly);
        return pod.state === 'operational';
      });
      await proxy.cut();
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
