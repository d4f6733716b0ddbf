import { REDIS, SERVICE_CONFIG, type Redis, type ServiceConfig } from '@outcomes/platform';
import { accountsFixture, refusalOf, type AccountsFixture } from '../../test/accounts-fixture';
import { LocalSignIn } from './local-sign-in.service';

const CREDENTIALS = { email: 'nobody@example.com', password: 'not the password' };

describe('the count of failed sign-ins', () => {
  let fixture: AccountsFixture;
  beforeAll(async () => {
    fixture = await accountsFixture();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => fixture.stop());

  it('ends an hour after it began, also where the one before ends while an attempt is counted', async () => {
    const redis = fixture.console.get<Redis>(REDIS);
    const { REDIS_PREFIX } = fixture.console.get<ServiceConfig>(SERVICE_CONFIG);
    const set = redis.set.bind(redis) as (...given: unknown[]) => Promise<'OK' | null>;
    // Between a command on its own and the next.
    jest.spyOn(redis, 'set').mockImplementation(async (...given: unknown[]) => {
      const answer = await set(...given);
      await redis.del(given[0] as string);
      return answer;
    });
    expect(await refusalOf(fixture.console.get(LocalSignIn).signIn(CREDENTIALS, '192.0.2.1'))).toBe(
      'SIGN_IN_FAILED',
    );
    const counts = await redis.keys(`${REDIS_PREFIX}:sign-in:*`);
    expect(counts).toHaveLength(1);
    // Mutation: the count is begun and raised by two commands, and has no end.
    expect(await redis.ttl(counts[0] ?? '')).toBeGreaterThan(3_500);
  });
});
