import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from '@outcomes/platform';
import { isFullForm, testRedisPrefix, testRedisUrl } from '@outcomes/testing';
import { monthOf } from './month';
import { parseBatchResult, verdictAt, type LimitVerdict } from './limit-verdict';

const text = readFileSync(join(__dirname, '../../lua/consume.lua'), 'utf8');
/** The script with a clock that a test can set: seconds in ARGV[10]. */
const settable = text.replace(`redis.call('TIME')`, `{ ARGV[10], '0' }`);

describe('consume.lua', () => {
  const prefix = testRedisPrefix();
  let redis: Redis;

  beforeAll(() => {
    redis = new Redis(testRedisUrl());
  });
  afterAll(async () => {
    const keys = await redis.keys(`${prefix.replaceAll(/[{}]/g, '*')}*`);
    if (keys.length > 0) await redis.del(keys);
    redis.disconnect();
  });

  const resultAt = async (
    iso: string,
    key: string,
    { counts = 1, limit = 1_000, quota = 3, month = -1, used = 0, owed = 0, requests = 1 } = {},
  ) =>
    parseBatchResult(
      await redis.eval(
        settable,
        1,
        `${prefix}:${key}`,
        'read',
        limit,
        900_000,
        quota,
        counts,
        month,
        used,
        owed,
        requests,
        Date.parse(iso) / 1_000,
      ),
    );
  const at = async (...asked: Parameters<typeof resultAt>) => (await resultAt(...asked)).last;

  it('takes its time from Redis and nowhere else', () => {
    expect(settable).not.toBe(text);
    expect(text.match(/redis\.call\('TIME'\)/g)).toHaveLength(1);
  });

  it('knows the UTC month of every day from 2020 to 2120, at its first and last second', async () => {
    const everyDay = Array.from({ length: 36_890 }, (_, n) => Date.UTC(2020, 0, 1 + n) / 1_000);
    // Months that are told apart at both ends are right between them.
    const isAtAnEnd = (second: number) =>
      [-1, 1].some(
        (days) => monthOf(new Date(second * 1_000)) !== monthOf(new Date((second + days * 86_400) * 1_000)),
      );
    const days = isFullForm() ? everyDay : everyDay.filter(isAtAnEnd);
    const wrong: number[] = [];
    for (let from = 0; from < days.length; from += 1_000) {
      const instants = days.slice(from, from + 1_000).flatMap((second) => [second, second + 86_399]);
      const pipeline = redis.pipeline();
      for (const second of instants) {
        pipeline.eval(settable, 1, `${prefix}:months`, 'read', 1, 1, 1, 0, -1, 0, 0, 1, second);
      }
      const replies = (await pipeline.exec()) ?? [];
      replies.forEach(([, reply], n) => {
        const second = instants[n] ?? 0;
        if (parseBatchResult(reply).last.month !== monthOf(new Date(second * 1_000))) wrong.push(second);
      });
    }
    expect(wrong).toEqual([]);
  });

  it('starts a new month at midnight UTC, from what is known of it', async () => {
    const december = monthOf(new Date('2026-12-31'));
    expect(await at('2026-12-31T23:59:58Z', 'b', { month: december, used: 2 })).toMatchObject({
      kind: 'consumed',
      used: 3,
    });
    expect(await at('2026-12-31T23:59:59Z', 'b')).toMatchObject({ kind: 'quota', used: 3, month: december });
    expect(await at('2027-01-01T00:00:00Z', 'b')).toMatchObject({
      kind: 'month-unknown',
      month: december + 1,
    });
    expect(await at('2027-01-01T00:00:00Z', 'b', { month: december + 1 })).toMatchObject({
      kind: 'consumed',
      used: 1,
    });
  });

  it('takes no month from who did not ask Postgres, and what is owed once', async () => {
    const owing = { month: monthOf(new Date('2026-06-01')), owed: 2, quota: 100 };
    expect(await at('2026-06-01T10:00:00Z', 'o', { ...owing, used: -1 })).toMatchObject({
      kind: 'month-unknown',
    });
    expect(await redis.exists(`${prefix}:o`)).toBe(0);
    // What is owed is in it.
    expect(await at('2026-06-01T10:00:01Z', 'o', { ...owing, used: 12 })).toMatchObject({ used: 13 });
    expect(await at('2026-06-01T10:00:02Z', 'o', { ...owing, used: -1 })).toMatchObject({ used: 16 });
    expect(await at('2026-06-01T10:00:03Z', 'o', { ...owing, used: 40 })).toMatchObject({ used: 19 });
  });

  it('keeps what Postgres knows also where it refuses, and leaves what is owed owed', async () => {
    const exhausted = { month: monthOf(new Date('2026-06-01')), used: 12, owed: 2, quota: 5 };
    expect(await at('2026-06-01T10:00:00Z', 'e', exhausted)).toMatchObject({ kind: 'quota', used: 12 });
    expect(await at('2026-06-01T10:00:01Z', 'e', { quota: 5 })).toMatchObject({ kind: 'quota', used: 10 });
    expect(await redis.ttl(`${prefix}:e`)).toBeGreaterThan(0);
  });

  it('takes off what was given back while Redis was away, and never counts fewer than none', async () => {
    const month = monthOf(new Date('2026-06-01'));
    for (let n = 0; n < 3; n += 1) await at('2026-06-15T00:00:00Z', 'back', { month, quota: 100 });
    expect(await at('2026-06-15T00:00:00Z', 'back', { month, quota: 100, owed: -2 })).toMatchObject({
      used: 2,
    });
    // Mutation: -4 and this one.
    expect(await at('2026-06-15T00:00:00Z', 'back', { month, quota: 100, owed: -6 })).toMatchObject({
      used: 1,
    });
  });

  it('ends a window after exactly its length', async () => {
    const known = { month: monthOf(new Date('2026-06-01')), used: 0, limit: 1, quota: 100 };
    expect(await at('2026-06-01T10:00:00Z', 'c', known)).toMatchObject({
      kind: 'consumed',
      resetMs: 900_000,
    });
    expect(await at('2026-06-01T10:14:59Z', 'c', known)).toMatchObject({ kind: 'burst', resetMs: 1_000 });
    expect(await at('2026-06-01T10:15:00Z', 'c', known)).toMatchObject({ kind: 'consumed', remaining: 0 });
  });

  it('changes nothing where it refuses', async () => {
    const known = { month: monthOf(new Date('2026-06-01')), used: 0, limit: 2, quota: 1 };
    await at('2026-06-01T10:00:00Z', 'd', known);
    const before = await redis.hgetall(`${prefix}:d`);
    expect(await at('2026-06-01T10:00:01Z', 'd', known)).toMatchObject({ kind: 'quota', remaining: 1 });
    expect(await redis.hgetall(`${prefix}:d`)).toEqual(before);
    expect(await at('2026-06-01T10:00:02Z', 'd', { ...known, counts: 0 })).toMatchObject({
      kind: 'consumed',
    });
    const full = await redis.hgetall(`${prefix}:d`);
    expect(await at('2026-06-01T10:00:03Z', 'd', known)).toMatchObject({ kind: 'burst', used: 1 });
    expect(await redis.hgetall(`${prefix}:d`)).toEqual(full);
  });

  // Mutations seen to fail: `>=` for what is left of the month; `used` of the last for all.
  it('decides on requests that come together as on each after the other', async () => {
    const month = monthOf(new Date('2026-06-01'));
    const cases = [0, 1, 2, 3, 5, 8].flatMap((limit) =>
      [-1, 0, 1, 2, 5, 8].flatMap((quota) => [0, 1].map((counts) => ({ limit, quota, counts }))),
    );
    for (const [n, known] of cases.entries()) {
      const asked = { ...known, month, used: 0 };
      const alone: LimitVerdict[] = [];
      const together: LimitVerdict[] = [];
      for (const requests of [3, 1, 4]) {
        for (let index = 0; index < requests; index += 1)
          alone.push(await at('2026-06-01T10:00:00Z', `alone${n}`, asked));
        const result = await resultAt('2026-06-01T10:00:00Z', `together${n}`, { ...asked, requests });
        for (let index = 0; index < requests; index += 1)
          together.push(verdictAt(result, index, known.counts === 1));
      }
      expect({ ...known, verdicts: together }).toEqual({ ...known, verdicts: alone });
      expect(await redis.hgetall(`${prefix}:together${n}`)).toEqual(
        await redis.hgetall(`${prefix}:alone${n}`),
      );
    }
  });

  describe('of 400 parallel requests over 4 connections', () => {
    const connections = async (work: (pods: readonly Redis[]) => Promise<void>) => {
      const pods = Array.from({ length: 4 }, () => new Redis(testRedisUrl()));
      // All at the same time means connected before the first asks.
      await Promise.all(pods.map((pod) => pod.ping()));
      await work(pods).finally(() => pods.forEach((pod) => pod.disconnect()));
    };
    const passed = async (decide: (pod: Redis) => Promise<boolean>, pods: readonly Redis[]) => {
      const decisions = await Promise.all(
        Array.from({ length: 400 }, (_, n) => decide(pods[n % pods.length] ?? redis)),
      );
      return decisions.filter(Boolean).length;
    };

    it('lets exactly 200 through', () =>
      connections(async (pods) => {
        const month = monthOf(new Date());
        const consume = async (pod: Redis) => {
          const reply = await pod.eval(
            text,
            1,
            `${prefix}:exact`,
            'read',
            200,
            900_000,
            999,
            1,
            month,
            0,
            0,
            1,
          );
          return parseBatchResult(reply).consumed === 1;
        };
        expect(await passed(consume, pods)).toBe(200);
      }));

    it('would let more through if it read, compared and then added: the mutation of the test above', () =>
      connections(async (pods) => {
        const key = `${prefix}:racing`;
        const consume = async (pod: Redis) => {
          const used = Number(await pod.get(key));
          if (used >= 200) return false;
          await pod.incr(key);
          return true;
        };
        const through = await passed(consume, pods);
        await redis.del(key);
        expect(through).toBeGreaterThan(200);
      }));
  });

  it('leaves nothing in Redis for ever', async () => {
    for (const key of await redis.keys(`${prefix}:*`)) expect(await redis.ttl(key)).toBeGreaterThan(0);
  });
});
