import { randomUUID } from 'node:crypto';
import type { TenantScope } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { SMTPServer } from 'smtp-server';
import { Webhook } from 'standardwebhooks';
import type { AddressInfo } from 'node:net';
import { subscriptionsOf, writeMessages, type WebhookDeliveries } from '../src';
import { DEED, SendingWorkers } from './sending-workers';

const URL = 'https://hooks.example.com/in';
const DRIFT = { type: 'drift.changed', data: { channel: 'email', direction: 'down' } } as const;
const FINISHED = { type: 'analysis.finished', data: { messages: 12 } } as const;
const DAY = 86_400;

describe('webhooks', () => {
  let workers: SendingWorkers;
  let one: WebhookDeliveries;
  let two: WebhookDeliveries;

  beforeAll(async () => {
    workers = await SendingWorkers.start();
    one = await workers.worker();
    two = await workers.worker();
  });
  afterAll(() => workers.stop());
  beforeEach(() => {
    workers.received.length = 0;
    workers.answer = { status: 200 };
  });
  afterEach(async () => {
    await workers.database.query('TRUNCATE webhook_deliveries, webhook_messages, webhook_endpoints');
  });

  const create = (scope: TenantScope, types: readonly string[] = [], url = URL) =>
    workers.administration.create(scope, url, types, DEED);
  const listed = async (scope: TenantScope, endpointId: string) =>
    (await workers.administration.deliveries(scope, endpointId, 100)).map(
      ({ type, state, attempts, status, fault }) => ({
        ...{ type, state, attempts, status, fault },
      }),
    );

  it('tell who subscribes, signed, with what came to be and when', async () => {
    const scope = await workers.company();
    const all = await create(scope);
    await create(scope, ['pattern.confirmed'], `${URL}/patterns`);
    await workers.tell(scope, DRIFT, FINISHED);
    await workers.round(one);
    expect(workers.received.map(({ path }) => path)).toEqual(['/in', '/in']);
    const bodies = workers.received.map(({ body }) => JSON.parse(body) as { type: string });
    expect(bodies).toEqual(
      expect.arrayContaining([
        { type: 'drift.changed', timestamp: workers.clock.now().toISOString(), data: DRIFT.data },
        { type: 'analysis.finished', timestamp: workers.clock.now().toISOString(), data: FINISHED.data },
      ]),
    );
    const ids = new Set(workers.received.map(({ headers }) => headers['webhook-id']));
    expect(ids.size).toBe(2);
    const { headers, body } = workers.received[0] ?? { headers: {}, body: '' };
    const verified = () => new Webhook(all.secret).verify(body, headers);
    // The clock of the test is not that of the library; the signature is.
    expect(verified).toThrow('Message timestamp too old');
    const at = new Date(Number((headers as Record<string, string>)['webhook-timestamp']) * 1_000);
    const signature = new Webhook(all.secret).sign(
      (headers as Record<string, string>)['webhook-id'] ?? '',
      at,
      body,
    );
    expect((headers as Record<string, string>)['webhook-signature']).toBe(signature);
  });

  it('tell nothing of what was rolled back', async () => {
    const scope = await workers.company();
    await create(scope);
    const { tenants } = workers;
    const failing = tenants.transaction(scope, async (transaction) => {
      await writeMessages(transaction, await subscriptionsOf(transaction), [DRIFT], workers.clock.now());
      await transaction.client.query('SELECT 1 / 0');
    });
    await expect(failing).rejects.toBeDefined();
    await workers.round(one);
    expect(workers.received).toEqual([]);
    expect(await workers.database.query('SELECT FROM webhook_messages')).toEqual([]);
  });

  // Mutation: a claim without its lease sends these twice and more.
  it('arrive once, whatever the number of workers and rounds', async () => {
    const scope = await workers.company();
    await create(scope);
    for (let n = 0; n < 12; n += 1) await workers.tell(scope, FINISHED);
    for (let round = 0; round < 4; round += 1)
      await Promise.all([one, two, one, two].map((worker) => workers.round(worker)));
    const ids = workers.received.map(({ headers }) => headers['webhook-id']);
    expect([ids.length, new Set(ids).size]).toEqual([12, 12]);
  });

  it('are tried ten times in three days, under one id; then the endpoint is switched off and all that waits with it', async () => {
    const scope = await workers.company();
    const { endpointId } = await create(scope);
    await workers.tell(scope, DRIFT);
    workers.answer = { status: 500 };
    const tried: number[] = [];
    const began = workers.clock.now().getTime();
    for (const pause of [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]) {
      workers.advance(pause - 1);
      await workers.round(one);
      workers.advance(1);
      await workers.round(two);
      tried.push(workers.received.length);
    }
    expect(tried).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect((workers.clock.now().getTime() - began) / 3_600_000).toBeCloseTo(75.6, 1);
    expect(new Set(workers.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(await listed(scope, endpointId)).toEqual([
      { type: 'drift.changed', state: 'failed', attempts: 10, status: 500, fault: null },
    ]);
    await workers.tell(scope, FINISHED);
    workers.answer = { status: 200 };
    workers.advance(DAY);
    await workers.round(one);
    expect(workers.received).toHaveLength(10);
    const [endpoint] = await workers.administration.list(scope);
    expect(endpoint).toMatchObject({ endpointId, disabledReason: 'failed' });
    await workers.administration.enable(scope, endpointId, DEED);
    await workers.tell(scope, FINISHED);
    await workers.round(one);
    expect(workers.received).toHaveLength(11);
  });

  it('wait as long as the endpoint asks for', async () => {
    const scope = await workers.company();
    await create(scope);
    await workers.tell(scope, DRIFT);
    workers.answer = { status: 429, headers: { 'retry-after': '600' } };
    await workers.round(one);
    workers.answer = { status: 204 };
    workers.advance(599);
    await workers.round(one);
    expect(workers.received).toHaveLength(1);
    workers.advance(1);
    await workers.round(one);
    expect(workers.received).toHaveLength(2);
  });

  it('end at once where the endpoint says that it is gone, and drop what else waits for it', async () => {
    const scope = await workers.company();
    const { endpointId } = await create(scope);
    for (let n = 0; n < 6; n += 1) await workers.tell(scope, DRIFT);
    workers.answer = { status: 410 };
    await workers.round(one);
    await workers.round(one);
    expect(workers.received.length).toBeLessThanOrEqual(4);
    const states = (await listed(scope, endpointId)).map(({ state }) => state);
    expect(states).toEqual(Array<string>(6).fill('failed'));
    expect(await workers.administration.list(scope)).toMatchObject([{ disabledReason: 'gone' }]);
  });

  it.each([301, 302, 307, 308])('take %i for a refusal', async (status) => {
    const scope = await workers.company();
    const { endpointId } = await create(scope);
    await workers.tell(scope, DRIFT);
    workers.answer = { status, headers: { location: 'https://hooks.example.com/elsewhere' } };
    await workers.round(one);
    expect(workers.received).toHaveLength(1);
    expect(await listed(scope, endpointId)).toMatchObject([{ state: 'pending', attempts: 1, status }]);
  });

  it('are tried again a minute after a worker has died with them, and given up where all of them do', async () => {
    const scope = await workers.company();
    const { endpointId } = await create(scope);
    await workers.tell(scope, DRIFT);
    const dies = () =>
      workers.database.query(
        `UPDATE webhook_deliveries SET attempts = attempts + 1, due_at = $2::timestamptz + interval '1 minute'
         WHERE endpoint_id = $1`,
        [endpointId, workers.clock.now()],
      );
    await dies();
    workers.advance(59);
    await workers.round(one);
    expect(workers.received).toHaveLength(0);
    workers.advance(1);
    await workers.round(one);
    expect(workers.received).toHaveLength(1);
    await workers.tell(scope, FINISHED);
    for (let n = 0; n < 10; n += 1) await dies();
    workers.advance(61);
    await workers.round(one);
    expect(workers.received).toHaveLength(1);
    expect(await workers.administration.list(scope)).toMatchObject([{ disabledReason: 'failed' }]);
  });

  it('are signed with both secrets for a day after a rotation', async () => {
    const scope = await workers.company();
    const before = await create(scope);
    const after = await workers.administration.rotate(scope, before.endpointId, DEED);
    expect(after.secret).not.toBe(before.secret);
    const signatures = async () => {
      await workers.tell(scope, DRIFT);
      await workers.round(one);
      const { headers, body } = workers.received.at(-1) ?? { headers: {}, body: '' };
      const sent = headers as Record<string, string>;
      const at = new Date(Number(sent['webhook-timestamp']) * 1_000);
      const by = (secret: string) => new Webhook(secret).sign(sent['webhook-id'] ?? '', at, body);
      return [after, before].map(({ secret }) =>
        (sent['webhook-signature'] ?? '').split(' ').includes(by(secret)),
      );
    };
    expect(await signatures()).toEqual([true, true]);
    workers.advance(DAY - 1);
    expect(await signatures()).toEqual([true, true]);
    workers.advance(1);
    expect(await signatures()).toEqual([true, false]);
  });

  it('are pinged once when somebody asks, whatever they subscribe to', async () => {
    const scope = await workers.company();
    const { endpointId } = await create(scope, ['source.silent']);
    const messageId = await workers.administration.ping(scope, endpointId);
    workers.answer = { status: 410 };
    await workers.round(one);
    expect(JSON.parse(workers.received[0]?.body ?? '')).toMatchObject({ type: 'ping' });
    expect(workers.received[0]?.headers['webhook-id']).toBe(messageId);
    expect(await listed(scope, endpointId)).toMatchObject([{ type: 'ping', state: 'failed', status: 410 }]);
    expect(await workers.administration.list(scope)).toMatchObject([{ disabledAt: null }]);
  });

  it('send nothing, and count nothing as tried, where secrets cannot be opened at all', async () => {
    const scope = await workers.company();
    const { endpointId } = await create(scope);
    await workers.tell(scope, DRIFT);
    await workers.round(await workers.worker({ keys: '' }));
    expect(await listed(scope, endpointId)).toMatchObject([{ state: 'pending', attempts: 0 }]);
    await workers.round(await workers.worker({ keys: Buffer.alloc(32, 9).toString('base64') }));
    expect(await listed(scope, endpointId)).toMatchObject([{ state: 'pending', fault: 'SECRET_UNREADABLE' }]);
    expect(workers.received).toEqual([]);
  });

  it('hold nobody up who is not slow', async () => {
    const [slow, quick] = [await workers.company(), await workers.company()];
    await create(slow, [], `${URL}/slow`);
    await workers.tell(slow, DRIFT);
    workers.answer = null;
    const stuck = workers.round(one);
    while (workers.received.length === 0) await new Promise((resolve) => setImmediate(resolve));
    workers.answer = { status: 200 };
    await create(quick, [], `${URL}/quick`);
    await workers.tell(quick, DRIFT);
    let isStuck = true;
    void stuck.then(() => (isStuck = false));
    const arrives = workers.round(one);
    while (workers.received.length === 1) await new Promise((resolve) => setImmediate(resolve));
    expect([isStuck, workers.received[1]?.path]).toEqual([true, '/in/quick']);
    await Promise.all([stuck, arrives]);
  });

  it('are forgotten after 30 days, but for what still waits', async () => {
    const scope = await workers.company();
    const { endpointId } = await create(scope);
    await workers.tell(scope, DRIFT);
    await workers.round(one);
    workers.advance(29 * DAY);
    workers.answer = { status: 500 };
    await workers.tell(scope, FINISHED);
    await workers.round(one);
    await one.expire(scope);
    expect(await listed(scope, endpointId)).toHaveLength(2);
    workers.advance(2 * DAY);
    await one.expire(scope);
    expect(await listed(scope, endpointId)).toMatchObject([{ type: 'analysis.finished', state: 'pending' }]);
    expect(await workers.database.query('SELECT FROM webhook_messages')).toHaveLength(1);
  });

  describe('of another company', () => {
    it('are not told, listed, rotated, pinged or removed', async () => {
      const [mine, theirs] = [await workers.company(), await workers.company()];
      const { endpointId } = await create(theirs);
      await workers.tell(mine, DRIFT);
      await workers.round(one);
      expect(workers.received).toEqual([]);
      const { administration } = workers;
      expect(await administration.list(mine)).toEqual([]);
      expect(await administration.deliveries(mine, endpointId, 10)).toEqual([]);
      for (const attack of [
        administration.rotate(mine, endpointId, DEED),
        administration.enable(mine, endpointId, DEED),
        administration.remove(mine, endpointId, DEED),
        administration.ping(mine, endpointId),
      ])
        await expect(attack).rejects.toMatchObject({ code: 'WEBHOOK_NOT_FOUND' });
      expect(await administration.list(theirs)).toHaveLength(1);
    });

    it('show a worker that looks for what is due that something is, and neither where to nor what', async () => {
      const [mine, theirs] = [await workers.company(), await workers.company()];
      await create(theirs);
      await workers.tell(theirs, DRIFT);
      await workers.asWorker(mine, async (client) => {
        const seen = async (table: string) => (await client.query(`SELECT FROM ${table}`)).rowCount;
        expect(await seen('webhook_endpoints')).toBe(0);
        expect(await seen('webhook_messages')).toBe(0);
        expect(await seen('webhook_deliveries')).toBe(0);
        await client.query(`SELECT set_config('app.finds_webhooks', 'on', true)`);
        expect(await seen('webhook_deliveries')).toBe(1);
        expect([await seen('webhook_endpoints'), await seen('webhook_messages')]).toEqual([0, 0]);
        const changed = await client.query('UPDATE webhook_deliveries SET attempts = 0');
        expect(changed.rowCount).toBe(0);
      });
    });
  });

  it('keep no secret as it is', async () => {
    const scope = await workers.company();
    const { secret } = await create(scope);
    const rows = await workers.database.query(
      "SELECT *, encode(signing_secret, 'escape') AS text FROM webhook_endpoints",
    );
    expect(JSON.stringify(rows)).not.toContain(secret.slice(6));
    expect(JSON.stringify(rows)).toContain('hooks.example.com');
  });

  it.each([
    ['http://hooks.example.com/', []],
    ['https://169.254.169.254/', []],
    ['https://hooks.example.com:6379/', []],
    [URL, ['drift.changed', 'recipient.erased']],
  ])('are not made for %s, %j', async (url, types) => {
    const scope = await workers.company();
    await expect(create(scope, types, url)).rejects.toMatchObject({ code: 'INVALID_PARAMETER' });
    expect(await workers.administration.list(scope)).toEqual([]);
  });

  it('are not made for a company that does not exist', async () => {
    const nobody = mintTenantScope(randomUUID());
    await expect(create(nobody)).rejects.toMatchObject({ code: 'COMPANY_NOT_FOUND' });
    expect(await workers.administration.list(nobody)).toEqual([]);
  });

  it('are ten at most', async () => {
    const scope = await workers.company();
    for (let n = 0; n < 10; n += 1) await create(scope, [], `${URL}/${n}`);
    await expect(create(scope)).rejects.toMatchObject({ code: 'INVALID_PARAMETER' });
  });

  it('count their attempts in metrics that name nobody', async () => {
    const metrics = await workers.management.registry.metrics();
    expect(metrics).toMatch(/outcomes_webhook_attempts_total\{.*result="delivered".*\} [1-9]/);
    expect(metrics).not.toContain('example.com');
  });
});

describe('the owner of a webhook that is switched off', () => {
  let workers: SendingWorkers;
  const mails: { readonly to: string; readonly text: string }[] = [];
  let refusals = 0;
  const inbox = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ['STARTTLS'] },
    onData: (stream, session, done) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        if (refusals-- > 0) return done(Object.assign(new Error('later'), { responseCode: 451 }));
        mails.push({ to: session.envelope.rcptTo[0]?.address ?? '', text: Buffer.concat(parts).toString() });
        done();
      });
    },
  });

  beforeAll(async () => {
    workers = await SendingWorkers.start();
    await new Promise<void>((resolve) => inbox.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    await workers.stop();
    await new Promise<void>((resolve) => inbox.close(() => resolve()));
  });

  it('is written once, again where the mail was refused, and never where to beyond the host', async () => {
    const smtp = `smtp://127.0.0.1:${(inbox.server.address() as AddressInfo).port}`;
    const worker = await workers.worker({ smtp });
    const scope = await workers.company('owner@example.com');
    const token = randomUUID();
    const { endpointId } = await workers.administration.create(scope, `${URL}/${token}`, [], DEED);
    await workers.tell(scope, DRIFT);
    await workers.tell(scope, FINISHED);
    workers.answer = { status: 410 };
    refusals = 1;
    await workers.round(worker);
    expect(mails).toEqual([]);
    workers.advance(899);
    await workers.round(worker);
    expect(mails).toEqual([]);
    workers.advance(1);
    await workers.round(worker);
    workers.advance(DAY);
    await workers.round(worker);
    expect(mails.map(({ to }) => to)).toEqual(['owner@example.com']);
    expect(mails[0]?.text).toContain(endpointId);
    expect(mails[0]?.text).toContain('hooks.example.com');
    expect(mails[0]?.text).not.toContain(token);
  });

  it('is written nothing once the webhook is switched on again', async () => {
    const smtp = `smtp://127.0.0.1:${(inbox.server.address() as AddressInfo).port}`;
    const worker = await workers.worker({ smtp });
    const scope = await workers.company('owner@example.com');
    const { endpointId } = await workers.administration.create(scope, URL, [], DEED);
    const before = mails.length;
    const isSwitchedOff = async () => {
      await workers.tell(scope, DRIFT);
      workers.answer = { status: 410 };
      refusals = 1;
      await workers.round(worker);
      expect(refusals).toBe(0);
    };
    await isSwitchedOff();
    await workers.administration.enable(scope, endpointId, DEED);
    workers.advance(900);
    await workers.round(worker);
    expect(
      await workers.database.query(
        'SELECT FROM webhook_deliveries WHERE due_at IS NOT NULL AND company_id = $1',
        [scope.companyId],
      ),
    ).toEqual([]);
    expect(mails).toHaveLength(before);
    // The next time it is.
    await isSwitchedOff();
    workers.advance(900);
    await workers.round(worker);
    expect(mails).toHaveLength(before + 1);
  });

  it('is nobody where no contact is set, and nothing waits for one', async () => {
    const worker = await workers.worker();
    const scope = await workers.company();
    await workers.administration.create(scope, URL, [], DEED);
    await workers.tell(scope, DRIFT);
    workers.answer = { status: 410 };
    await workers.round(worker);
    const rows = await workers.database.query(
      'SELECT state, due_at FROM webhook_deliveries WHERE company_id = $1',
      [scope.companyId],
    );
    expect(rows).toEqual([{ state: 'failed', due_at: null }]);
  });
});
