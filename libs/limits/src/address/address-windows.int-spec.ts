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
