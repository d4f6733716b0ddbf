import { DAY_MS } from '@outcomes/contracts';
import { exchange, rpc } from './exchange';
import { Installation } from './installation';
import { OptOutServices } from './opt-out-company';
import { call, read, type Asked, type Document, type Surfaces, type Voice } from './voices/voices';

const PATIENCE_MS = 120_000;

/** Ids as people write them, and as answers show them where that differs. */
const IDS: readonly (readonly [what: string, id: string, shown?: string])[] = [
  ['plain', 'spring-launch'],
  ['a sign shown as an emoji', '\u2600\ufe0f Summer launch'],
  ['one emoji of several', '👩\u200d💻 developers'],
  ['a joined word parted', 'نمونه\u200cها'],
  ['a conjunct', 'क्\u200dष'],
  ['a key', '1\ufe0f⃣ first'],
  ['a hidden blank', 'au\u200btumn', 'autumn'],
  ['a mark of the byte order', '\ufeffwinter', 'winter'],
  ['a line break', 'two\nlines', 'two lines'],
  ['hidden signs beside a sign', '\u200b!\u200b!', '!!'],
  ['as long as metadata may be', `https://example.com/?${'a'.repeat(2_009)}`],
  ['as long as it may be in letters of three bytes', '長'.repeat(676)],
];
const WRITTEN = IDS.map(([what, id, shown = id]) => [what, id, shown] as const);
/** Of a contact, what is shown as it was written; it may have 256 characters. */
const CONTACTS = WRITTEN.filter(([, id, shown]) => shown === id && id.length <= 256);
/** Who is written to in a campaign. */
const recipientOf = (what: string, id: string) => (id.length <= 256 ? id : what);

describe('an id that an answer gives', () => {
  let installation: Installation;
  let services: OptOutServices;
  let surfaces: Surfaces;

  beforeAll(async () => {
    installation = await Installation.join('console');
    services = await OptOutServices.start(installation.database);
    surfaces = {
      rest: installation.portOf('read-api'),
      mcp: installation.portOf('mcp-gateway'),
      apiKey: '',
    };
    services.now = Date.now() - 60_000;
    const scope = await services.newCompany();
    surfaces = { ...surfaces, apiKey: (await installation.addKey(scope.companyId)).apiKey };
    const events = WRITTEN.flatMap(([what, id], place) =>
      [0, 1].map((step) => ({
        ...{ channel: 'email', sequence_step: step, recipient_id: recipientOf(what, id) },
        outcome: 'no_response',
        sent_at: new Date(Date.now() - (20 - place - step) * DAY_MS).toISOString(),
        outcome_at: new Date(Date.now() - (19 - place - step) * DAY_MS).toISOString(),
        metadata: { campaign_id: id },
      })),
    );
    await services.send(scope, events);
    await services.process(scope);
    await services.analyse(scope);
  }, PATIENCE_MS);
  afterAll(() => services.stop());

  /** One question over both ways in. */
  const ask = async (question: Voice['question'], asked: Asked): Promise<Document[]> => {
    const ways = [await read(surfaces, question, asked), await call(surfaces, question, asked)];
    for (const { refusal } of ways) expect(refusal).toBeUndefined();
    return ways.map(({ data }) => data);
  };
  const alike = (some: readonly string[]) => [...some].sort();

  it('is the same over REST and MCP', async () => {
    const shown = alike(WRITTEN.map(([, , one]) => one));
    const list = (await read(surfaces, 'CampaignList', {})).data;
    expect(alike(list.campaigns.map((one: Document) => one.campaign_id))).toEqual(shown);
    for (const { campaigns } of await ask('CampaignHealth', { limit: 100 }))
      expect(alike(campaigns.map((one: Document) => one.campaign_id))).toEqual(shown);
    const contacts = alike(WRITTEN.map(([what, , one]) => recipientOf(what, one)));
    for (const { decisions } of await ask('WorkflowDecisions', { limit: 50 })) {
      expect(alike(decisions.map((one: Document) => one.campaign_id))).toEqual(shown);
      expect(alike(decisions.map((one: Document) => one.contact_id))).toEqual(contacts);
    }
  });

  it('is listed though pages are followed one by one', async () => {
    const listed: string[] = [];
    let cursor: string | null = null;
    do {
      const asked: Asked = { limit: 1, ...(cursor !== null && { cursor }) };
      const { data, refusal } = await read(surfaces, 'CampaignList', asked);
      expect(refusal).toBeUndefined();
      listed.push(...data.campaigns.map((one: Document) => one.campaign_id));
      cursor = data.next_cursor;
    } while (cursor !== null);
    expect(alike(listed)).toEqual(alike(WRITTEN.map(([, , one]) => one)));
  });

  it.each(WRITTEN)('can be sent back of a campaign: %s', async (_what, id, shown) => {
    // As it was sent at ingestion, too.
    for (const campaign_id of [shown, id]) {
      for (const health of await ask('CampaignHealth', { campaign_id }))
        expect(health).toMatchObject({ campaign_id: shown, campaign_count: 1, similar_campaign_ids: [] });
      for (const advice of await ask('CampaignRecommendations', { campaign_id }))
        expect(advice).toMatchObject({
          requested_campaign_id: shown,
          volume: { messages: 2, of: 'campaign' },
        });
      for (const { decisions } of await ask('WorkflowDecisions', { campaign_id }))
        expect(decisions).toMatchObject([{ campaign_id: shown }]);
      for (const { contacts } of await ask('WorkflowDecisions', { campaign_id, action: 'due' }))
        expect(contacts).toMatchObject([{ campaign_id: shown }]);
    }
  });

  it.each(WRITTEN)('is in the prompt as it can be asked about: %s', async (_what, id, shown) => {
    const asked = { name: 'diagnose_campaign', arguments: { campaign_id: id } };
    const { body } = await exchange(rpc(surfaces.mcp, surfaces.apiKey, 'prompts/get', asked));
    const [, inside = ''] =
      /^<campaign_id>(.*)<\/campaign_id>$/m.exec(body.result.messages[0].content.text) ?? [];
    expect(JSON.parse(inside)).toBe(shown);
  });

  it.each(CONTACTS)('can be sent back of a contact: %s', async (_what, contact_id) => {
    for (const contact of await ask('RecipientIntelligence', { contact_id }))
      expect(contact).toMatchObject({ contact_id, known: true, can_contact: true });
    for (const { decisions } of await ask('WorkflowDecisions', { contact_id }))
      expect(decisions).toMatchObject([{ contact_id }]);
  });

  it('is none where no campaign is shown by it', async () => {
    for (const { alerts, campaign_count } of await ask('CampaignHealth', { campaign_id: 'aut umn' })) {
      expect(alerts).toContain('campaign_not_found');
      expect(campaign_count).toBe(0);
    }
  });
});
