import { hash, randomBytes } from 'node:crypto';
import { DAY_MS } from '@outcomes/contracts';
import { waitUntil, type App, type Tenant } from '@outcomes/testing';
import { exchange } from './exchange';
import { Installation } from './installation';
import { call, get } from './surface-requests';

const SECRET = 'held-opt-outs-0123456789abcdefgh';
const SOURCE = `src_${randomBytes(11).toString('hex')}`;
const SENT_AT = new Date(Date.now() - 20 * DAY_MS).toISOString();
const sha = (text: string) => hash('sha256', text);
const addressOf = (name: string) => `${name}@example.com`;
const idOf = (name: string) => `em_${sha(addressOf(name)).slice(0, 32)}`;

const delivery = (event_type: string, name: string, more: object = {}) => ({
  ...{ event_type, stats_id: `stats-${name}`, campaign_id: 111, campaign_name: 'Spring', sequence_number: 1 },
  ...{ to_email: addressOf(name), sl_lead_email: addressOf(name), event_timestamp: SENT_AT, ...more },
});

/** Each opts somebody out, and is none of the deliveries that the profile reads to its end. */
const OPT_OUTS: readonly (readonly [string, string, object, object])[] = [
  ['unknown', 'of an unknown type', delivery('OPTED_OUT', 'unknown'), { waiting: 1 }],
  [
    'shapeless',
    'of no known shape',
    { topic: 'LEAD_UNSUBSCRIBED', person: addressOf('shapeless') },
    { waiting: 1 },
  ],
  [
    'early',
    'with a fault',
    delivery('LEAD_UNSUBSCRIBED', 'early', { event_timestamp: '2999-01-01T00:00:00Z' }),
    { rejected: 1 },
  ],
  ['complaining', 'about a complaint', delivery('SPAM_COMPLAINT', 'complaining'), { waiting: 1 }],
  [
    'labelled',
    'that is ignored for the rest',
    delivery('LEAD_CATEGORY_UPDATED', 'labelled', { lead_category: { new_name: 'Do Not Contact' } }),
    { ignored: 1 },
  ],
];

describe('an opt-out that came in a delivery which nobody can read', () => {
  let installation: Installation;
  let tenant: Tenant;
  let ports: { readonly ingest: number; readonly read: number; readonly mcp: number };

  const deliver = async (...records: readonly object[]) => {
    const path = `/ingest/sources/${SOURCE}/${SECRET}`;
    const { status, body } = await exchange({
      ...{ port: ports.ingest, method: 'POST', path, headers: {}, body: JSON.stringify(records) },
    });
    expect(status).toBe(202);
    return body as object;
  };
  const read = async (path: string) => (await exchange(get(ports.read, tenant.apiKey, path))).body.data;
  const tool = async (name: string, args: object) =>
    (await exchange(call(ports.mcp, tenant.apiKey, name, args))).body.result.structuredContent;
  /** What every surface says of a person, by the id of its recipient and by its address. */
  const saidOf = async (name: string): Promise<readonly unknown[]> => {
    const said = [idOf(name), addressOf(name)].map(async (id) => {
      const query = `contact_ids=${encodeURIComponent(id)}`;
      const answers = [
        await read(`/intelligence/contacts/${encodeURIComponent(id)}`),
        await tool('get_recipient_intelligence', { contact_id: id }),
        ...(await read(`/intelligence/decisions?${query}`)).contacts,
        ...(await tool('get_workflow_decisions', { contact_ids: [id] })).contacts,
      ];
      return answers.map(({ can_contact }: { can_contact: unknown }) => can_contact);
    });
    return (await Promise.all(said)).flat();
  };
  const EIGHT = (value: boolean) => Array.from({ length: 8 }, () => value);

  beforeAll(async () => {
    installation = await Installation.join('ingestion');
    tenant = await installation.addTenant();
    await installation.database.query(
      `INSERT INTO sources (company_id, source_id, tool, token_sha256, created_at) VALUES ($1, $2, 'smartlead', $3, now())`,
      [tenant.companyId, SOURCE, hash('sha256', SECRET, 'buffer')],
    );
    const portOf = (app: App) => Number(new URL(installation.urlOf(app)).port);
    ports = { ingest: portOf('ingest-api'), read: portOf('read-api'), mcp: portOf('mcp-gateway') };
    const names = [...OPT_OUTS.map(([name]) => name), 'bystander'];
    await deliver(...names.map((name) => delivery('EMAIL_SENT', name, { sent_message: { time: SENT_AT } })));
    await waitUntil(
      'the messages to be counted',
      async () => (await saidOf('bystander')).includes(true),
      60_000,
    );
  }, 120_000);
  afterAll(() => installation?.stop());

  it.each(OPT_OUTS)('blocks %s at once, on every surface: %s', async (name, _form, record, answer) => {
    expect(await saidOf(name)).toEqual(EIGHT(true));
    expect(await deliver(record)).toMatchObject({ accepted: 1, ...answer });
    expect(await saidOf(name)).toEqual(EIGHT(false));
  });

  it('stands on the list that others follow, each once, also when it is told again', async () => {
    await deliver(...OPT_OUTS.map(([, , record]) => record));
    const listed = await waitUntil('the list', async () => {
      const { suppressions } = (await read('/suppressions?limit=100')) as {
        suppressions: { recipient_ids: string[]; reason: string }[];
      };
      const ids = suppressions.flatMap(({ recipient_ids }) => recipient_ids);
      return OPT_OUTS.every(([name]) => ids.includes(idOf(name))) && suppressions;
    });
    const ids = listed.flatMap(({ recipient_ids }) => recipient_ids);
    // As a person, and by the address.
    expect(ids.filter((id) => id === idOf('unknown'))).toHaveLength(2);
    expect(ids).not.toContain(idOf('bystander'));
    // A complaint is called one, as a person and by the address.
    const complaints = listed.filter(({ reason }) => reason === 'complaint');
    expect(complaints.map(({ recipient_ids }) => recipient_ids)).toEqual([
      [idOf('complaining')],
      [idOf('complaining')],
    ]);
    const others = listed.filter((one) => !complaints.includes(one));
    expect(new Set(others.map(({ reason }) => reason))).toEqual(new Set(['unsubscribed']));
  });

  it('makes no message: what is counted are the mails that were sent', async () => {
    const [counted] = await installation.database.query<{ touches: number }>(
      'SELECT count(*)::integer AS touches FROM touches WHERE company_id = $1',
      [tenant.companyId],
    );
    expect(counted?.touches).toBe(OPT_OUTS.length + 1);
  });

  // Mutation: the same delivery without the word for it blocks nobody.
  it('is not made of a delivery that is held for another reason', async () => {
    expect(await deliver(delivery('SOMETHING_NEW', 'bystander'))).toMatchObject({ accepted: 0, waiting: 1 });
    expect(await saidOf('bystander')).toEqual(EIGHT(true));
  });
});
