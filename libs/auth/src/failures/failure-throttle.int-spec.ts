import { createServer, type Server, type Socket } from 'node:net';
import { authFixture, refusalOf, type AuthFixture } from '../../test/auth-fixture';
import { freePort } from '@outcomes/testing';
import { KeyForm } from '../keys/key-form';
import { FailureThrottle } from './failure-throttle.service';

const form = new KeyForm('svc');

describe('the failure throttle in Redis', () => {
  let fixture: AuthFixture;

  beforeAll(async () => {
    fixture = await authFixture();
  });
  afterAll(() => fixture.stop());

  // Mutation: one counter per (address, token) takes about 10 MB.
  it('takes less than 1 MB for 100,000 invented keys from 1,000 addresses', async () => {
    const pod = await fixture.pod();
    const throttle = pod.module.get(FailureThrottle);
    for (let round = 0; round < 100; round += 1) {
      await Promise.all(
        Array.from({ length: 1_000 }, (_, n) =>
          refusalOf(throttle.failedUnknown(`10.0.${n >> 8}.${n & 255}`, `${round}-${n}`)),
        ),
      );
    }
    const keys = await fixture.redis.keys(`${fixture.prefix.replaceAll(/[{}]/g, '*')}*`);
    let bytes = 0;
    for (const key of keys) bytes += Number(await fixture.redis.memory('USAGE', key, 'SAMPLES', 0));
    expect(keys.length).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(1_000_000);
    for (const key of keys) expect(await fixture.redis.ttl(key)).toBeGreaterThan(0);
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
      expect(performance.now() - started).toBeLessThan(2_500);
    }
    frozen.close();
  });
});

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
