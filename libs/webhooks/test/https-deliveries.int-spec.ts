import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inheritedEnvironment, testRedisPrefix, testRedisUrl, waitUntil } from '@outcomes/testing';
import { Webhook } from 'standardwebhooks';
import { PrivateAuthority } from './certificates';
import { DEED, KEYS, SendingWorkers, type Received } from './sending-workers';

const HOST = 'hooks.example.com';
const DRIFT = { type: 'drift.changed', data: { channel: 'email', direction: 'down' } } as const;
const MINUTE_MS = 60_000;
const portOf = (server: Server) => (server.address() as AddressInfo).port;

describe('a webhook over HTTPS, from a worker that is a process of its own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'webhooks-'));
  const authorityFile = join(folder, 'authority.pem');
  const received: Received[] = [];
  /** Null: nothing, ever. */
  let status: number | null = 200;
  let authority: PrivateAuthority;
  let workers: SendingWorkers;
  let receiver: Server;

  beforeAll(async () => {
    authority = await PrivateAuthority.make();
    writeFileSync(authorityFile, authority.pem);
    workers = await SendingWorkers.start();
    receiver = createServer(await authority.certify(HOST), (incoming, response) => {
      const parts: Buffer[] = [];
      incoming.on('data', (part: Buffer) => parts.push(part));
      incoming.on('end', () => {
        const headers = incoming.headers as Record<string, string>;
        received.push({ path: incoming.url ?? '', headers, body: Buffer.concat(parts).toString() });
        if (status !== null) response.writeHead(status).end();
      });
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
  });
  afterAll(async () => {
    receiver.closeAllConnections();
    receiver.close();
    await workers.stop();
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => {
    received.length = 0;
    status = 200;
    workers.clock.set(new Date());
  });
  afterEach(() => workers.database.query('TRUNCATE webhook_deliveries, webhook_messages, webhook_endpoints'));

  const began = async (environment: Readonly<Record<string, string>>): Promise<ChildProcess> =>
    spawn(process.execPath, [join(__dirname, 'sending-process.mjs')], {
      env: {
        ...inheritedEnvironment(),
        ...{ DATABASE_URL: await workers.database.loginAs('outcomes_worker'), LOG_LEVEL: 'silent' },
        ...{ REDIS_URL: testRedisUrl(), REDIS_PREFIX: testRedisPrefix(), SECRET_KEYS: KEYS },
        ...{
          RECEIVER_PORT: String(portOf(receiver)),
          NOW: workers.clock.now().toISOString(),
        },
        ...environment,
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  const ended = async (child: ChildProcess): Promise<unknown> => {
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    return child.exitCode ?? child.signalCode;
  };
  /** One round of a worker that trusts the authority unless told. */
  const round = async (
    environment: Readonly<Record<string, string>> = { NODE_EXTRA_CA_CERTS: authorityFile },
  ) => {
    expect(await ended(await began(environment))).toBe(0);
  };
  const told = async () => {
    const scope = await workers.company();
    const { endpointId, secret } = await workers.administration.create(scope, `https://${HOST}/in`, [], DEED);
    await workers.tell(scope, DRIFT);
    const deliveries = async () =>
      (await workers.administration.deliveries(scope, endpointId, 10)).map(
        ({ state, attempts, status: answered, fault }) => ({ state, attempts, status: answered, fault }),
      );
    return { secret, deliveries };
  };

  it.each([
    ['NODE_EXTRA_CA_CERTS', () => ({ NODE_EXTRA_CA_CERTS: authorityFile })],
    ['the files of TRUSTED_CA_FILES', () => ({ TRUSTED: authorityFile })],
  ])(
    'arrives where a private authority is trusted by %s, with a signature that holds',
    async (_by, trusting) => {
      const { secret, deliveries } = await told();
      await round(trusting());
      expect(await deliveries()).toEqual([{ state: 'delivered', attempts: 1, status: 200, fault: null }]);
      expect(received).toHaveLength(1);
      const [{ path, headers, body }] = received as [Received];
      expect([path, headers.host]).toEqual(['/in', `${HOST}:${portOf(receiver)}`]);
      expect(new Webhook(secret).verify(body, headers)).toMatchObject({
        type: 'drift.changed',
        data: DRIFT.data,
      });
      const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
      expect(() => new Webhook(other).verify(body, headers)).toThrow('No matching signature');
    },
  );

  describe('sends nothing, and says why,', () => {
    afterEach(async () => receiver.setSecureContext(await authority.certify(HOST)));

    it('where nobody trusts who signed the certificate', async () => {
      const { deliveries } = await told();
      await round({});
      expect(await deliveries()).toEqual([
        { state: 'pending', attempts: 1, status: null, fault: 'CERTIFICATE_NOT_TRUSTED' },
      ]);
      expect(received).toEqual([]);
    });

    it('where the certificate is of another host', async () => {
      receiver.setSecureContext(await authority.certify('hooks.example.org'));
      const { deliveries } = await told();
      await round();
      expect(await deliveries()).toMatchObject([{ state: 'pending', fault: 'CERTIFICATE_OF_ANOTHER_HOST' }]);
      expect(received).toEqual([]);
    });

    it('where the certificate has expired', async () => {
      receiver.setSecureContext(await authority.certify(HOST, MINUTE_MS));
      const { deliveries } = await told();
      await round();
      expect(await deliveries()).toMatchObject([{ state: 'pending', fault: 'CERTIFICATE_NOT_VALID_NOW' }]);
      expect(received).toEqual([]);
    });
  });

  // Mutation: a claim that takes the delivery off the outbox before the answer is there loses it here.
  it('is sent again under the same id when the lease is over of a worker that was killed in the midst of it', async () => {
    const { secret, deliveries } = await told();
    status = null;
    const doomed = await began({ NODE_EXTRA_CA_CERTS: authorityFile });
    await waitUntil('the message to be under way', () => received.length === 1);
    doomed.kill('SIGKILL');
    expect(await ended(doomed)).toBe('SIGKILL');
    expect(await deliveries()).toEqual([{ state: 'pending', attempts: 1, status: null, fault: null }]);

    status = 200;
    workers.clock.advance(MINUTE_MS - 1);
    await round();
    expect(received).toHaveLength(1);
    workers.clock.advance(1);
    await round();
    expect(await deliveries()).toEqual([{ state: 'delivered', attempts: 2, status: 200, fault: null }]);
    const [first, second] = received as [Received, Received];
    expect([second.headers['webhook-id'], second.body]).toEqual([first.headers['webhook-id'], first.body]);
    expect(received).toHaveLength(2);
    expect(new Webhook(secret).verify(second.body, second.headers)).toMatchObject({ type: 'drift.changed' });
    // And no more than that.
    workers.clock.advance(2 * MINUTE_MS);
    await round();
    expect(received).toHaveLength(2);
  });
});
