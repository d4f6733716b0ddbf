import { TenantDatabase } from '@outcomes/tenancy';
import { AnnouncingWorkers, type AnnouncingWorker } from './announcing-workers';
import { Inbox } from './inbox';
import { SAMPLE } from './sample';

describe('what is kept of contacts and announcements', () => {
  let workers: AnnouncingWorkers;
  let inbox: Inbox;
  let worker: AnnouncingWorker;

  beforeAll(async () => {
    workers = await AnnouncingWorkers.start();
    inbox = await new Inbox().start();
    worker = await workers.worker({ url: inbox.url, from: 'outcomes@example.net', timeoutMs: 5_000 }, [
      SAMPLE,
    ]);
  });
  afterAll(async () => {
    await workers.stop();
    await inbox.stop();
  });

  const contacts = async (companyId: string) =>
    (
      await workers.database.query<{ email: string }>(
        'SELECT email FROM key_contacts WHERE company_id = $1 ORDER BY email',
        [companyId],
      )
    ).map(({ email }) => email);

  it('is another company to the worker that tells one', async () => {
    const mine = await workers.company('mine@example.com');
    const theirs = await workers.company('theirs@example.com');
    await workers.key(mine);
    await workers.key(theirs);
    await worker.announcer.announce(mine);
    expect(inbox.received.flatMap(({ to }) => to)).toEqual(['mine@example.com']);
    const seen = await worker.module.get(TenantDatabase).transaction(mine, async ({ client }) => {
      const contact = await client.query<{ email: string }>('SELECT email FROM key_contacts');
      const told = await client.query<{ company_id: string }>('SELECT company_id FROM announcements');
      return { contacts: contact.rows, told: told.rows };
    });
    expect(seen).toEqual({
      contacts: [{ email: 'mine@example.com' }],
      told: [{ company_id: mine.companyId }],
    });
  });

  it('holds no address of whom was told', async () => {
    const scope = await workers.company('told@example.com');
    await workers.key(scope);
    await worker.announcer.announce(scope);
    const rows = await workers.database.query('SELECT * FROM announcements WHERE company_id = $1', [
      scope.companyId,
    ]);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain('example');
  });

  it('is let go of: contacts with their keys, announcements 30 days after the end', async () => {
    const scope = await workers.company('company@example.com');
    await workers.key(scope, { contact: 'active@example.com' });
    await workers.key(scope, { contact: 'revoked@example.com', revoked: true });
    await workers.key(scope, { contact: 'expired@example.com', endsAt: '2027-01-01' });
    await worker.announcer.announce(scope);
    await worker.announcer.expire(scope);
    expect(await contacts(scope.companyId)).toEqual(['active@example.com', 'company@example.com']);
    const told = () =>
      workers.database.query('SELECT FROM announcements WHERE company_id = $1', [scope.companyId]);
    const before = workers.clock.now();
    workers.clock.set('2027-05-31T12:00:00Z');
    await worker.announcer.expire(scope);
    expect(await told()).not.toHaveLength(0);
    workers.clock.set('2027-06-01T12:00:00Z');
    await worker.announcer.expire(scope);
    expect(await told()).toHaveLength(0);
    workers.clock.set(before);
  });

  it.each(['outcomes_reader', 'outcomes_ingest'])('is nothing to %s', async (role) => {
    const grants = await workers.database.query<{ allowed: boolean }>(
      `SELECT has_table_privilege($1, 'key_contacts', 'SELECT') OR has_table_privilege($1, 'announcements', 'SELECT')
              AS allowed`,
      [role],
    );
    expect(grants).toEqual([{ allowed: false }]);
  });

  it('does not open the secrets of keys to the worker', async () => {
    const columns = await workers.database.query<{ name: string }>(
      `SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'api_keys'
          AND has_column_privilege('outcomes_worker', 'api_keys', column_name, 'SELECT') ORDER BY 1`,
    );
    expect(columns.map(({ name }) => name)).toEqual(['company_id', 'expires_at', 'key_id', 'revoked_at']);
  });
});
