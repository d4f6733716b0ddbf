import { limitsFixture, refusalOf, type LimitsFixture } from '../../test/limits-fixture';
import { waitUntil } from '@outcomes/testing';
import { Limiter } from '../limiter/limiter.service';
import { LimiterModule } from '../limits.module';

describe('windows of addresses', () => {
  let fixture: LimitsFixture;
  let one: Limiter;
  let two: Limiter;

  beforeAll(async () => {
    fixture = await limitsFixture();
    one = (await fixture.pod(LimiterModule)).get(Limiter);
    two = (await fixture.pod(LimiterModule)).get(Limiter);
  });
  afterAll(() => fixture.stop());

  it('hold 200 requests and say what is left', async () => {
    for (let n = 1; n <= 200; n += 1) {
      expect(await one.consumeAddress('192.0.2.1')).toMatchObject({
        'RateLimit-Limit': '200',
        'RateLimit-Remaining': String(200 - n),
        'RateLimit-Policy': '200;w=900',
      });
    }
    expect(await refusalOf(one.consumeAddress('192.0.2.1'))).toMatchObject({
      code: 'RATE_LIMITED',
      headers: { 'RateLimit-Remaining': '0', 'Retry-After': expect.stringMatching(/^\d+$/) },
    });
    expect(await refusalOf(one.consumeAddress('192.0.2.2'))).toMatchObject({ code: 'NONE' });
  });

  it('are shared: a second pod lets at most nine more through', async () => {
    for (let n = 0; n < 200; n += 1) await one.consumeAddress('192.0.2.3');
    let passed = 0;
    await waitUntil('the second pod to refuse', async () => {
      if ((await refusalOf(two.consumeAddress('192.0.2.3'))).code !== 'NONE') return true;
      passed += 1;
      return false;
    });
    expect(passed).toBeLessThanOrEqual(10);
  });

  it('are told to Redis by every tenth request, for as long as they last, without the address itself', async () => {
    const keys = () => fixture.redis.keys('*:address:*');
    const before = new Set(await keys());
    const told = async () => (await keys()).find((key) => !before.has(key));
    const consume = async (pod: Limiter, requests: number) => {
      for (let n = 1; n < requests; n += 1) await pod.consumeAddress('192.0.2.9');
      return pod.consumeAddress('192.0.2.9');
    };
    await consume(one, 1);
    fixture.clock.advance(300_000);
    await consume(one, 8);
    expect(await told()).toBeUndefined();
    await consume(one, 1);
    const key = await waitUntil('the tenth to be told', told);
    // Keys of a cluster lie where the braces say: each address for itself.
    expect(key).toMatch(/^[^{}]+:address:\{[\w-]{16}\}$/);
    expect(await fixture.redis.get(key)).toBe('10');
    const leftMs = await fixture.redis.pttl(key);
    expect(leftMs).toBeLessThanOrEqual(600_000);
    expect(leftMs).toBeGreaterThan(500_000);
    // Who joins later learns how many there were, and when it ends.
    await fixture.redis.pexpire(key, 60_000);
    await consume(two, 10);
    await waitUntil('the other pod to be told', async () => (await fixture.redis.get(key)) === '20');
    const learnt = await waitUntil('the other pod to know', async () => {
      const headers = await two.consumeAddress('192.0.2.9');
      return Number(headers['RateLimit-Remaining']) < 180 && headers;
    });
    expect(Number(learnt['RateLimit-Reset'])).toBeLessThanOrEqual(60);
    fixture.clock.advance(-300_000);
  });

  it('keep what came while others were told, beside what they had counted', async () => {
    const address = '192.0.2.10';
    const times = (count: number, pod: Limiter) =>
      Promise.all(Array.from({ length: count }, () => pod.consumeAddress(address)));
    const before = new Set(await fixture.redis.keys('*:address:*'));
    await times(10, two);
    await waitUntil('the other pod to tell', async () =>
      (await fixture.redis.keys('*:address:*')).some((key) => !before.has(key)),
    );
    // The tenth tells; three more come before it is answered.
    let asked = 13;
    await times(asked, one);
    const known = await waitUntil('the answer', async () => {
      const headers = await one.consumeAddress(address);
      asked += 1;
      const counted = 200 - Number(headers['RateLimit-Remaining']);
      return counted !== asked && counted;
    });
    expect(known).toBe(10 + asked);
  });

  it('cost Redis nothing for an address that is seen once', async () => {
    const before = (await fixture.redis.keys('*')).length;
    for (let n = 0; n < 2_000; n += 1) await one.consumeAddress(`10.1.${n >> 8}.${n & 255}`);
    expect((await fixture.redis.keys('*')).length).toBeLessThan(before + 100);
  });

  it('end', async () => {
    for (let n = 0; n < 200; n += 1) await one.consumeAddress('192.0.2.4');
    fixture.clock.advance(901_000);
    expect(await one.consumeAddress('192.0.2.4')).toMatchObject({ 'RateLimit-Remaining': '199' });
    fixture.clock.advance(-901_000);
  });
});
