import { questionNamed, QUESTIONS, RESULT_PARTS, type Question, type RestRoute } from '@outcomes/contracts';
import { resultCheck } from '@outcomes/testing';
import { exchange, rpc } from './exchange';
import { GOLDEN_CAMPAIGN, GOLDEN_CASES, GOLDEN_CONTACT, goldenCompanies } from './golden-companies';
import { goldensOf, keepGolden } from './goldens';
import { Installation } from './installation';
import { OptOutServices } from './opt-out-company';

const questions: readonly Question[] = QUESTIONS;
const SUBJECTS: Readonly<Record<string, string>> = {
  campaign_id: GOLDEN_CAMPAIGN,
  contact_id: GOLDEN_CONTACT,
  metric_name: 'tone',
};

/** What is asked with arguments, of the rich company: case, question, query. */
const ASKED = [
  ['with-replay', 'WorkflowDecisions', 'include_replay=true&limit=1'],
  ['of-one-channel', 'BanditState', 'channel=email&top_n=2'],
  ['of-one-channel', 'DriftState', 'channel=linkedin&window_days=90'],
  ['of-one-channel', 'RecipientIntelligence', 'channel=linkedin'],
  ['of-a-year', 'CampaignHealth', 'window_days=365'],
  ['whom-to-write-to', 'WorkflowDecisions', 'action=due'],
  ['who-stops', 'WorkflowDecisions', 'action=stop&limit=3'],
  ['of-contacts', 'WorkflowDecisions', `contact_ids=${GOLDEN_CONTACT}&contact_ids=nobody`],
  ['of-one-channel', 'CampaignRecommendations', 'channel=linkedin&limit=51'],
  ['of-one-kind', 'CampaignRecommendations', 'kind=content'],
  ['of-an-unknown-campaign', 'CampaignRecommendations', 'campaign_id=unheard-of'],
  ['of-a-year', 'CampaignList', 'window_days=365&limit=2'],
  ['all', 'CampaignRecommendations', 'limit=51&campaign_id=spring'],
] as const;

/** The address of a question about the subjects above. */
const addressOf = ({ path, inPath = {} }: RestRoute) =>
  path.replaceAll(/\{(\w+)\}/g, (_all, parameter: string) => SUBJECTS[inPath[parameter] ?? ''] ?? '');

describe('every question, of a company of every kind', () => {
  let installation: Installation;
  let services: OptOutServices;
  const keys = new Map<string, string>();
  let rest = 0;
  let mcp = 0;

  beforeAll(async () => {
    installation = await Installation.join('console');
    services = await OptOutServices.start(installation.database);
    for (const [name, { companyId }] of await goldenCompanies(services, Date.now()))
      keys.set(name, (await installation.addKey(companyId)).apiKey);
    rest = installation.portOf('read-api');
    mcp = installation.portOf('mcp-gateway');
  }, 600_000);
  afterAll(() => services.stop());

  const read = async (name: string, route: RestRoute, query = '') => {
    const path = `/v1${addressOf(route)}${query}`;
    const headers = { Authorization: `Bearer ${keys.get(name)}` };
    const { status, body } = await exchange({ port: rest, method: 'GET', path, headers });
    return { status, data: body.data as unknown };
  };
  /** What the first address of the question says in its path. */
  const call = async (name: string, { tool, rest: [{ inPath = {} }] }: Question) => {
    const given = Object.fromEntries(Object.values(inPath).map((argument) => [argument, SUBJECTS[argument]]));
    const params = { name: tool?.name, arguments: given };
    const { body } = await exchange(rpc(mcp, keys.get(name) ?? '', 'tools/call', params));
    return body.result.structuredContent as Record<string, unknown>;
  };

  it.each(ASKED)('is answered as its schema says %s: %s?%s', async (name, asked, query) => {
    const { rest: routes, result } = questionNamed(asked);
    const { status, data } = await read('rich', routes[0], `?${query}`);
    expect([status, resultCheck(result, RESULT_PARTS)(data)]).toEqual([200, undefined]);
    keepGolden(asked, name, data);
  });

  describe.each(questions.map((question) => ({ name: question.name, question })))('$name', ({ question }) => {
    const check = resultCheck(question.result, RESULT_PARTS);

    it.each(GOLDEN_CASES)('is answered as its schema says: %s', async (name) => {
      for (const route of question.rest) {
        const { status, data } = await read(name, route);
        if (status === 404) continue;
        expect([status, check(data)]).toEqual([200, undefined]);
        const place = question.rest.indexOf(route);
        keepGolden(question.name, place === 0 ? name : `${name}-${route.operation}`, data);
      }
    });

    if (question.tool) {
      it.each(GOLDEN_CASES)('says over MCP what it says over REST: %s', async (name) => {
        const over = { mcp: await call(name, question), rest: (await read(name, question.rest[0])).data };
        expect(check(over.mcp)).toBeUndefined();
        if (question.name !== 'ActionAuditLog')
          expect({ ...over.mcp, as_of: '' }).toEqual({ ...(over.rest as object), as_of: '' });
      });
    }

    it('has goldens', () => expect(goldensOf(question.name).size).toBeGreaterThan(0));
  });
});
