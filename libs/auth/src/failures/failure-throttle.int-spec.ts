import { createServer, type Server, type Socket } from 'node:net';
import { AppError } from '@outcomes/contracts';
import { Redis } from '@outcomes/platform';
import { freePort, inForm, testRedisUrl } from '@outcomes/testing';
import { authFixture, refusalOf, type AuthFixture } from '../../test/auth-fixture';
import { AccessTokensModule } from '../access-tokens/access-tokens.module';
import { KeyForm } from '../keys/key-form';
import { FailureThrottle } from './failure-throttle.service';

const form = new KeyForm('svc');
/** Of 1,000 failures, each from an address of its own. */
const ROUNDS = inForm(20, 100);
/** Two tables, as when the hour turns, are below it; a list for each address is above it in either form. */
const MAX_BYTES = inForm(600_000, 1_000_000);

describe('the failure throttle in Redis', () => {
  let fixture: AuthFixture;

  beforeAll(async () => {
    fixture = await authFixture();
  });
  afterAll(() => fixture.stop());

  /** Of the keys whose names begin alike: how many, what they take, and how long the longest lives. */
  const measured = async (start: string) => {
    const keys = await fixture.redis.keys(`${start.replaceAll(/[{}]/g, '*')}*`);
    const pipeline = fixture.redis.pipeline();
    for (const key of keys) pipeline.memory('USAGE', key, 'SAMPLES', 0).ttl(key);
    const replies = ((await pipeline.exec()) ?? []).map(([, reply]) => Number(reply));
    return {
      keys: keys.length,
      bytes: replies.filter((_reply, n) => n % 2 === 0).reduce((sum, bytes) => sum + bytes, 0),
      shortestTtl: Math.min(...replies.filter((_reply, n) => n % 2 === 1)),
    };
  };

  it(`takes less than 1 MB for ${ROUNDS} times 1,000 invented keys from 1,000 addresses`, async () => {
    const pod = await fixture.pod();
    const throttle = pod.module.get(FailureThrottle);
    for (let round = 0; round < ROUNDS; round += 1) {
      await Promise.all(
        Array.from({ length: 1_000 }, (_, n) =>
          refusalOf(throttle.failedUnknown(`10.0.${n >> 8}.${n & 255}`, `${round}-${n}`)),
        ),
      );
    }
    const { keys, bytes, shortestTtl } = await measured(fixture.prefix);
    expect(keys).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(MAX_BYTES);
    expect(shortestTtl).toBeGreaterThan(0);
  });

  it('would take more with a counter for each: the mutation of the test above, at a fifth of its size', async () => {
    const start = `${fixture.prefix}:each`;
    const pipeline = fixture.redis.pipeline();
    for (let n = 0; n < 20_000; n += 1) {
      const mark = form.generate().keyId;
      pipeline.lpush(`${start}:${mark}`, '1790000000').expire(`${start}:${mark}`, 3_600);
    }
    await pipeline.exec();
    const { keys, bytes } = await measured(start);
    expect(keys).toBe(20_000);
    expect(bytes).toBeGreaterThan(1_000_000);
  });

  describe('of 50 concurrent failures with one key over two pods', () => {
    const refused = async (attempt: (n: number) => Promise<unknown>) => {
      const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => refusalOf(attempt(n))));
      return answers.filter(({ code }) => code === 'TOO_MANY_FAILED_ATTEMPTS').length;
    };

    it('lets exactly 5 be answered with their reason', async () => {
      const pods = [await fixture.pod(), await fixture.pod()].map(({ module }) =>
        module.get(FailureThrottle),
      );
      expect(await refused((n) => pods[n % 2]?.failedKnown('192.0.2.5', 'known') ?? fail())).toBe(45);
    });

    it('would let more if it read, decided and then wrote: the mutation of the test above', async () => {
      const key = `${fixture.prefix}:racing`;
      const connections = [new Redis(testRedisUrl()), new Redis(testRedisUrl())];
      await Promise.all(connections.map((connection) => connection.ping()));
      const attempt = async (n: number) => {
        const redis = connections[n % 2] ?? fail();
        if ((await redis.llen(key)) >= 5) throw new AppError('TOO_MANY_FAILED_ATTEMPTS');
        await redis.lpush(key, 'now');
      };
      const count = await refused(attempt).finally(() => connections.forEach((one) => one.disconnect()));
      expect(count).toBeLessThan(45);
    });
  });

  it('counts no access token that its issuer leaves unproven, and every one that is wrong', async () => {
    const issuer = {
      ...{ issuer: 'https://login.example.com', audience: 'https://mcp.example.com/mcp' },
      ...{ jwksUrl: `http://127.0.0.1:${await freePort()}/jwks`, tenantClaim: 'tenant', readScope: 'read' },
    };
    const { authenticator } = await fixture.pod({}, AccessTokensModule.register(issuer));
    const answersTo = async (header: object) => {
      const token = `${Buffer.from(JSON.stringify(header)).toString('base64url')}.e30.c2ln`;
      const codes = [];
      for (let n = 0; n < 6; n += 1)
        codes.push(
          (await refusalOf(authenticator.identify({ authorization: `Bearer ${token}`, ip: '192.0.2.9' })))
            .code,
        );
      return codes;
    };
    expect(await answersTo({ alg: 'ES256', kid: 'k1' })).toEqual(Array(6).fill('SERVICE_UNAVAILABLE'));
    expect(await answersTo({ alg: 'none' })).toEqual([
      ...Array<string>(5).fill('invalid_token'),
      'TOO_MANY_FAILED_ATTEMPTS',
    ]);
  });

  it('goes on per pod where Redis refuses, freezes or is not there, and waits for it once, not once per request', async () => {
    const { apiKey, keyId } = await fixture.administration.createCompany({ name: 'No Redis' });
    const frozen = await silentServer();
    for (const url of [`redis://127.0.0.1:${await freePort()}`, `redis://127.0.0.1:${frozen.port}`]) {
      const pod = await fixture.pod({ REDIS_URL: url });
      const ip = '192.0.2.77';
      const present = (token: string) =>
        pod.authenticator.authenticate({ authorization: `Bearer ${token}`, ip });
      const started = performance.now();
      expect(await refusalOf(present(apiKey))).toMatchObject({ code: 'NONE' });
      const wrong = form.format(keyId, form.generate().secret);
      for (let n = 0; n < 5; n += 1) expect(await refusalOf(present(wrong))).toMatchObject({ status: 401 });
      expect(await refusalOf(present(apiKey))).toMatchObject({ code: 'TOO_MANY_FAILED_ATTEMPTS' });
      const invented = form.generate().apiKey;
      for (let n = 0; n < 5; n += 1)
        expect(await refusalOf(present(invented))).toMatchObject({ reason: 'TOKEN_NOT_FOUND' });
      expect(await refusalOf(present(invented))).toMatchObject({ code: 'TOO_MANY_FAILED_ATTEMPTS' });
      expect(performance.now() - started).toBeLessThan(2_500);
    }
    frozen.close();
  });
});

function fail(): never {
  throw new Error('no such pod');
}

/** Takes connections and never says a word. */
async function silentServer(): Promise<{ port: number; close(): void }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => sockets.add(socket));
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    port,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
