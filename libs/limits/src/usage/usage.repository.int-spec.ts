import { limitsFixture, type LimitsFixture } from '../../test/limits-fixture';
import { monthOf } from '../limiter/month';
import { LimiterModule } from '../limits.module';
import { UsageRepository } from './usage.repository';

const MARCH = monthOf(new Date('2026-03-31'));

describe('the usage that is written down', () => {
  let fixture: LimitsFixture;
  let repository: UsageRepository;
  beforeAll(async () => {
    fixture = await limitsFixture();
    repository = (await fixture.pod(LimiterModule)).get(UsageRepository);
  });
  afterAll(() => fixture.stop());

  const newScope = async () => {
    const { scope } = (await fixture.newKey()).subject;
    if (!scope) throw new Error('A key has a tenant.');
    return scope;
  };

  it('is the largest count of a key in a month, in whatever order pods write', async () => {
    const scope = await newScope();
    expect(await repository.read(scope, 'key', MARCH)).toBe(0);
    for (const used of [5, 7, 6]) await repository.write(scope, 'key', MARCH, used);
    expect(await repository.read(scope, 'key', MARCH)).toBe(7);
    for (const [key, month] of [
      ['key', MARCH + 1],
      ['key', MARCH - 1],
      ['other', MARCH],
    ] as const)
      expect(await repository.read(scope, key, month)).toBe(0);
  });

  it('is told of all keys of a company and of no other company, newest month first', async () => {
    const [scope, foreign] = [await newScope(), await newScope()];
    await repository.write(scope, 'b', MARCH, 1);
    await repository.write(scope, 'a', MARCH, 2);
    await repository.write(scope, 'a', MARCH - 1, 3);
    await repository.write(scope, 'a', MARCH - 2, 4);
    await repository.write(foreign, 'theirs', MARCH, 5);
    expect(await repository.ofCompany(scope, MARCH - 1)).toEqual([
      { keyId: 'a', month: '2026-03-01', used: 2 },
      { keyId: 'b', month: '2026-03-01', used: 1 },
      { keyId: 'a', month: '2026-02-01', used: 3 },
    ]);
    expect(await repository.read(foreign, 'a', MARCH)).toBe(0);
  });
});
