import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { waitUntil } from '@outcomes/testing';
import { AnnouncingWorkers, type AnnouncingWorker } from './announcing-workers';
import { Inbox } from './inbox';
import { SAMPLE } from './sample';

const FROM = { from: 'outcomes@example.net', timeoutMs: 5_000 };

describe('announcements to key holders, through a real SMTP server', () => {
  let workers: AnnouncingWorkers;
  let inbox: Inbox;
  let one: AnnouncingWorker;
  let two: AnnouncingWorker;

  beforeAll(async () => {
    workers = await AnnouncingWorkers.start();
    inbox = await new Inbox().start();
    one = await workers.worker({ url: inbox.url, ...FROM }, [SAMPLE]);
    two = await workers.worker({ url: inbox.url, ...FROM }, [SAMPLE]);
  });
  afterAll(async () => {
    await workers.stop();
    await inbox.stop();
  });
  beforeEach(() => {
    inbox.received.length = 0;
    inbox.refusals = 0;
    workers.clock.set('2027-01-10T12:00:00Z');
  });

  const receivers = () => inbox.received.flatMap(({ to }) => to).sort();

  it('say what ends, to the contact of the company, about all keys that have no other', async () => {
    const scope = await workers.company('ops@example.com');
    const keyIds = [await workers.key(scope), await workers.key(scope)];
    expect(await one.announcer.announce(scope)).toEqual({ sent: 1, failed: 0, keysWithoutContact: 0 });
    const [message] = inbox.received;
    expect(message).toMatchObject({ to: ['ops@example.com'], from: FROM.from });
    expect(message?.raw).toMatch(/^Subject: GET \/v0\/patterns ends on 2027-05-01\r$/m);
    expect(message?.raw).toMatch(/^Message-ID: <patterns-v0\.[0-9a-f]{32}@example\.net>\r$/m);
    for (const keyId of keyIds) expect(message?.raw).toContain(`svc_${keyId.slice(0, 8)}\r`);
    for (const keyId of keyIds) expect(message?.raw).not.toContain(keyId);
  });

  it('go to the contact of a key where it has one, and once to somebody who is both', async () => {
    const scope = await workers.company('both@example.com');
    const own = await workers.key(scope, { contact: 'own@example.com' });
    const shared = await workers.key(scope, { contact: 'Both@Example.com' });
    const plain = await workers.key(scope);
    await one.announcer.announce(scope);
    const about = (address: string) =>
      inbox.received
        .filter(({ to }) => to[0]?.toLowerCase() === address)
        .map(({ raw }) => [own, shared, plain].map((keyId) => raw.includes(keyId.slice(0, 8))));
    expect(about('own@example.com')).toEqual([[true, false, false]]);
    expect(about('both@example.com')).toEqual([[false, true, true]]);
  });

  it('leave out keys that have ended, and count keys that nobody can be told about', async () => {
    const scope = await workers.company(null);
    await workers.key(scope, { contact: 'revoked@example.com', revoked: true });
    await workers.key(scope, { contact: 'expired@example.com', endsAt: '2027-01-10T11:59:59Z' });
    await workers.key(scope);
    expect(await one.announcer.announce(scope)).toEqual({ sent: 0, failed: 0, keysWithoutContact: 1 });
    expect(receivers()).toEqual([]);
  });

  // Mutation: a claim that always says yes sends these twice and more.
  it('come once, whatever the number of workers and rounds', async () => {
    const scope = await workers.company('once@example.com');
    for (const name of ['a', 'b', 'c', 'd']) await workers.key(scope, { contact: `${name}@example.com` });
    const rounds = [one, two, one, two].map(({ announcer }) => announcer.announce(scope));
    const sent = (await Promise.all(rounds)).reduce((sum, report) => sum + report.sent, 0);
    workers.advance(60 * 24 * 30);
    await two.announcer.announce(scope);
    expect(sent).toBe(4);
    expect(receivers()).toEqual(['a@example.com', 'b@example.com', 'c@example.com', 'd@example.com']);
  });

  it('are tried again after a refusal, not at once, and then never again', async () => {
    const scope = await workers.company('refused@example.com');
    await workers.key(scope);
    inbox.refusals = 2;
    expect(await one.announcer.announce(scope)).toMatchObject({ sent: 0, failed: 1 });
    workers.advance(14);
    expect(await two.announcer.announce(scope)).toMatchObject({ sent: 0, failed: 0 });
    workers.advance(1);
    expect(await two.announcer.announce(scope)).toMatchObject({ sent: 0, failed: 1 });
    // The second pause is twice as long as the first.
    workers.advance(29);
    expect(await one.announcer.announce(scope)).toMatchObject({ sent: 0, failed: 0 });
    workers.advance(1);
    expect(await one.announcer.announce(scope)).toMatchObject({ sent: 1, failed: 0 });
    workers.advance(60 * 24 * 2);
    expect(await two.announcer.announce(scope)).toMatchObject({ sent: 0, failed: 0 });
    expect(receivers()).toEqual(['refused@example.com']);
  });

  it('survive a server that is away, and say so in the metrics', async () => {
    const away = await workers.worker({ url: 'smtp://127.0.0.1:1', ...FROM }, [SAMPLE]);
    const scope = await workers.company('away@example.com');
    await workers.key(scope);
    expect(await away.announcer.announce(scope)).toMatchObject({ sent: 0, failed: 1 });
    const metrics = await away.management.registry.metrics();
    expect(metrics).toMatch(/outcomes_announcements_total\{.*result="failed".*\} 1/);
    expect(metrics).toMatch(/outcomes_announcements_total\{.*result="sent".*\} 0/);
    expect(metrics).not.toContain('example.com');
  });

  it('give up on a server that says nothing', async () => {
    const silent = createServer((socket) => socket.unref())
      .listen(0, '127.0.0.1')
      .unref();
    await once(silent, 'listening');
    const url = `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const waiting = await workers.worker({ url, ...FROM, timeoutMs: 100 }, [SAMPLE]);
    const scope = await workers.company('silent@example.com');
    await workers.key(scope);
    expect(await waiting.announcer.announce(scope)).toMatchObject({ sent: 0, failed: 1 });
    silent.close();
  });

  it('hand no password to a server that offers no encryption', async () => {
    const url = inbox.url.replace('smtp://', 'smtp://outcomes:secret@');
    const cautious = await workers.worker({ url, ...FROM }, [SAMPLE]);
    const scope = await workers.company('cautious@example.com');
    await workers.key(scope);
    expect(await cautious.announcer.announce(scope)).toMatchObject({ sent: 0, failed: 1 });
    expect(inbox.logins).toBe(0);
    expect(receivers()).toEqual([]);
  });

  it('begin on the day of the announcement and end with what they announce', async () => {
    const scope = await workers.company('days@example.com');
    await workers.key(scope);
    const told = async (now: string) => {
      workers.clock.set(now);
      return [one.announcer.isDue, (await one.announcer.announce(scope)).sent];
    };
    expect(await told('2027-01-09T23:59:59Z')).toEqual([false, 0]);
    expect(await told('2027-05-01T00:00:00Z')).toEqual([false, 0]);
    expect(await told('2027-04-30T23:59:59Z')).toEqual([true, 1]);
  });

  it('go to whoever becomes the contact later, too', async () => {
    const scope = await workers.company('first@example.com');
    await workers.key(scope);
    await one.announcer.announce(scope);
    await workers.contact(scope.companyId, '', 'second@example.com');
    await one.announcer.announce(scope);
    await one.announcer.announce(scope);
    expect(receivers()).toEqual(['first@example.com', 'second@example.com']);
  });

  it('claim nobody where no server is set', async () => {
    const off = await workers.worker(null, [SAMPLE]);
    const scope = await workers.company('later@example.com');
    await workers.key(scope);
    expect(off.announcer.isOn).toBe(false);
    await off.announcer.announce(scope);
    expect(await one.announcer.announce(scope)).toMatchObject({ sent: 1 });
  });

  it('send nothing more once they are told to stop', async () => {
    const scope = await workers.company('stopped@example.com');
    await workers.key(scope);
    expect(await one.announcer.announce(scope, () => true)).toMatchObject({ sent: 0, failed: 0 });
    await waitUntil(
      'it to be sent by the next',
      async () => (await two.announcer.announce(scope)).sent === 1,
    );
  });
});
