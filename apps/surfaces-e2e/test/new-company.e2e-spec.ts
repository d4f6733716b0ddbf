import { OutcomesClient, type OutcomeEvent } from '@outcomes/client';
import { DAY_MS } from '@outcomes/contracts';
import { waitUntil, type ServiceProcess, type Tenant } from '@outcomes/testing';
import { exchange, type Answer } from './exchange';
import { Installation } from './installation';
import { call, get } from './surface-requests';

/** Of the company, all of the last month; somebody whose id is divisible by twenty opts out. */
const CONTACTS = 6_000;
const MESSAGES_EACH = 3;
const NEWEST = Date.now() - DAY_MS;

describe('a company that Postgres knows nothing of yet', () => {
  let installation: Installation;
  let readApi: ServiceProcess;
  let gateway: ServiceProcess;
  let ingestUrl: string;

  beforeAll(async () => {
    installation = await Installation.create();
    const ingestApi = await installation.start('ingest-api');
    ingestUrl = `http://127.0.0.1:${ingestApi.port}`;
    await installation.start('analysis-worker');
    readApi = await installation.start('read-api');
    gateway = await installation.start('mcp-gateway');
  }, 120_000);
  afterAll(() => installation.stop());

  const clientOf = ({ apiKey }: Tenant) =>
    new OutcomesClient({ apiKey, ingestUrl, readUrl: `http://127.0.0.1:${readApi.port}/v1` });

  const send = async (tenant: Tenant, contacts: number) => {
    const client = clientOf(tenant);
    const events = messagesOf(contacts);
    for (let at = 0; at < events.length; at += 500) await client.postEvents(events.slice(at, at + 500));
    await installation.cli('analyze', '--company', tenant.companyId, '--wait');
    await waitUntil(
      'every contact to be decided about',
      async () => {
        const [found] = await installation.database.query<{ n: number }>(
          'SELECT count(DISTINCT contact_id)::int AS n FROM workflow_decisions WHERE company_id = $1',
          [tenant.companyId],
        );
        return found?.n === contacts;
      },
      120_000,
    );
  };

  it('is told whom to write to as any other, and every question is answered', async () => {
    // Its statistics list the companies that are there, each with its share; another must have next to nothing.
    for (const name of ['One', 'Another']) await send(await installation.addTenant({ name }), 100);
    for (const table of ['touches', 'outcome_events', 'workflow_decisions', 'responders', 'suppressions'])
      await installation.database.query(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
    await installation.database.query('ANALYZE');
    const tenant = await installation.addTenant({ name: 'Newcomer' });
    await send(tenant, CONTACTS);

    const tool = async (name: string, args: object): Promise<Answer['body']> => {
      const { body } = await exchange(call(gateway.port, tenant.apiKey, name, args));
      expect(body.result).not.toHaveProperty('isError');
      return body.result.structuredContent;
    };
    const asked = Array.from({ length: 100 }, (_nothing, n) => idOf(n * 20 + (n % 2)));
    // Mutation: messages by id or address as one condition hold all of the company's against each contact.
    const decided = await tool('get_workflow_decisions', { contact_ids: asked });
    const advised = decided.contacts.map(({ can_contact }: { can_contact: boolean }) => can_contact);
    expect(advised).toEqual(asked.map((_id, n) => n % 2 === 1));
    for (const action of ['due', 'send', 'wait', 'stop'])
      expect(await tool('get_workflow_decisions', { action })).toHaveProperty('contacts');
    expect((await tool('get_recipient_intelligence', { contact_id: idOf(1) })).can_contact).toBe(true);
    for (const name of ['get_campaign_health', 'get_campaign_recommendations', 'get_bandit_state'])
      await tool(name, {});
    for (const path of [
      '/intelligence/decisions?action=due',
      '/suppressions?limit=500',
      '/patterns/recipients',
    ])
      expect([path, (await exchange(get(readApi.port, tenant.apiKey, path))).status]).toEqual([path, 200]);
    expect(await clientOf(tenant).deleteRecipient({ recipient_id: idOf(7) })).toMatchObject({
      deleted: MESSAGES_EACH,
    });
  }, 300_000);
});

const idOf = (contact: number) => `contact-${contact}`;

function messagesOf(contacts: number): OutcomeEvent[] {
  return Array.from({ length: contacts * MESSAGES_EACH }, (_nothing, n) => {
    const [contact, step] = [Math.floor(n / MESSAGES_EACH), n % MESSAGES_EACH];
    const sentAt = NEWEST - (20 - 7 * step) * DAY_MS - (contact % 500) * 60_000;
    const leaves = contact % 20 === 0 && step === MESSAGES_EACH - 1;
    return {
      channel: 'email',
      sequence_step: step,
      recipient_id: idOf(contact),
      recipient_email: `${idOf(contact)}@example.com`,
      sent_at: new Date(sentAt).toISOString(),
      outcome: leaves ? 'unsubscribed' : 'no_response',
      outcome_at: new Date(sentAt + DAY_MS / 2).toISOString(),
      metadata: { campaign_id: `campaign-${contact % 5}` },
    };
  });
}
