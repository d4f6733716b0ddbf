import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  type AnalysisRecord,
  type CampaignHealth,
  type CampaignRecommendations,
  DAY_MS,
  type PatternRecord,
  type RecipientIntelligence,
  type WorkflowDecisions,
} from '@outcomes/contracts';
import { makeDemonstration, PLANTED_EFFECTS } from '../src/quickstart/demonstration';
import { sendHistory } from '../src/quickstart/send-history';
import { Installation } from './installation';

const CAMPAIGN = 'campaign-1';

/** Every surface is asked about the same company: the demonstration, with variants that were drawn by lot. */
describe('the demonstration', () => {
  let installation: Installation;
  let company: { companyId: string; apiKey: string };
  let mcp: Client;
  let patterns: PatternRecord[];

  const read = async <Data>(path: string): Promise<Data> => {
    const response = await fetch(`${installation.urlOf('read-api')}/v1${path}`, {
      headers: { Authorization: `Bearer ${company.apiKey}` },
    });
    expect([path, response.status]).toEqual([path, 200]);
    return ((await response.json()) as { data: Data }).data;
  };
  const call = async <Result>(name: string, args: Record<string, unknown>): Promise<Result> =>
    (await mcp.callTool({ name, arguments: args })).structuredContent as Result;
  const claimed = () => patterns.filter(({ tier }) => (tier ?? 0) > 0);
  const isObservation = ({ code }: PatternRecord) => code.includes('-OBS-');

  beforeAll(async () => {
    installation = await Installation.join();
    await installation.start('mcp-gateway');
    company = await installation.addTenant({ name: 'Demonstration' });
    const { events } = makeDemonstration(Math.floor(Date.now() / DAY_MS), 20_260_101);
    const drawn = events.map((event) => ({
      ...event,
      metadata: {
        ...event.metadata,
        variant_id: event.recipient_id.endsWith('7') ? 'b' : 'a',
        propensity: 0.1,
      },
    }));
    await sendHistory(installation.urlOf('ingest-api'), company.apiKey, drawn);
    await installation.cli('analyze', '--company', company.companyId, '--wait');
    patterns = await read<PatternRecord[]>('/patterns');
    mcp = new Client({ name: 'e2e', version: '1.0.0' });
    await mcp.connect(
      new StreamableHTTPClientTransport(new URL(`${installation.service('mcp-gateway').url}/mcp`), {
        requestInit: { headers: { Authorization: `Bearer ${company.apiKey}` } },
      }),
    );
  }, 240_000);

  afterAll(async () => {
    await mcp?.close();
    await installation.stop();
  }, 60_000);

  it('shows what can be found, what cannot be told, and nothing false', () => {
    const found = (code: string) => patterns.find((record) => record.code === code);
    expect(found('SF-1')).toMatchObject({ evidence_tier: 'confirmed', positive: true });
    for (const { code, logOddsRatio, varied } of PLANTED_EFFECTS) {
      const record = found(code);
      if (varied === 'per campaign')
        expect(record).toMatchObject({ code, tier: 0, reason: 'varies_between_campaigns' });
      if (record?.evidence_tier === undefined)
        expect([code, typeof record?.reason]).toEqual([code, 'string']);
      else expect([code, record.positive]).toEqual([code, logOddsRatio > 0]);
    }
    const planted = new Set(
      PLANTED_EFFECTS.filter(({ logOddsRatio }) => logOddsRatio !== 0).map(({ code }) => code),
    );
    // Siblings of a planted level differ from the rest of their dimension, too, and channels by the way it is made.
    const mayDiffer = ({ code }: PatternRecord) => planted.has(code) || /^(BWC|CH)-/.test(code);
    expect(claimed().filter((record) => !mayDiffer(record))).toEqual([]);
    for (const record of patterns.filter((one) => !isObservation(one)))
      expect([record.code, record.reason === undefined]).toEqual([record.code, (record.tier ?? 0) > 0]);
  });

  it('is told alike by REST, MCP, chunks, decisions and contacts', async () => {
    const rest = await read<CampaignRecommendations>('/intelligence/recommendations?limit=51');
    const { as_of: _rest, ...overRest } = rest;
    const { as_of: _mcp, ...overMcp } = await call<CampaignRecommendations>('get_campaign_recommendations', {
      limit: 51,
    });
    expect(overMcp).toEqual(overRest);
    expect(rest.recommendations).toHaveLength(claimed().length);
    const gains = rest.recommendations.map(({ expected_gain }) => expected_gain?.replies ?? Number.NaN);
    expect(gains).toEqual([...gains].sort((a, b) => b - a));
    for (const { code, evidence_tier, positive, effect, evidence } of rest.recommendations) {
      const record = claimed().find((one) => one.code === code);
      expect(record).toMatchObject({ evidence_tier, positive });
      const { level_since, ...compared } = effect;
      expect(record?.evidence).toMatchObject({ ...compared, ...evidence });
      expect(record?.evidence?.level_since ?? null).toBe(level_since);
    }
    const undecided = rest.undecided.flatMap(({ reason, codes }) => codes.map((code) => [code, reason]));
    const silent = patterns.filter((record) => !isObservation(record) && record.tier === 0);
    expect(undecided.sort()).toEqual(silent.map(({ code, reason }) => [code, reason]).sort());

    const { data } = await read<AnalysisRecord>('/patterns/chunks/subject_lines');
    for (const own of data.recommendations)
      expect(patterns.find(({ code }) => code === own.code)).toMatchObject(own);

    const supported = claimed().filter(({ tier, positive }) => (tier ?? 0) >= 2 && positive === true);
    const { decisions } = await read<WorkflowDecisions>('/intelligence/decisions?limit=5');
    expect(decisions.length).toBeGreaterThan(0);
    const backed = decisions.filter(({ action }) => action !== 'stop');
    // Channels and steps, which some days' data tell apart, say nothing about how to write one more message.
    const written = supported.filter(({ code }) => !/^(CH|SS)-/.test(code));
    for (const { pattern_codes } of backed) expect(pattern_codes).toEqual(written.map(({ code }) => code));
    const contact = decisions[0]?.contact_id ?? '';
    const { preferences } = await read<RecipientIntelligence>(`/intelligence/contacts/${contact}`);
    for (const { lift } of preferences)
      expect(supported.map(({ evidence }) => evidence?.lift)).toContain(lift);
  });

  it('compares the variants of a campaign alike over REST and MCP', async () => {
    const { variants } = await read<CampaignHealth>(`/intelligence/campaigns/${CAMPAIGN}/health`);
    const overMcp = await call<CampaignHealth>('get_campaign_health', { campaign_id: CAMPAIGN });
    expect(overMcp.variants).toEqual(variants);
    expect(variants.map(({ variant_id, basis }) => [variant_id, basis])).toEqual([
      ['a', 'randomized'],
      ['b', 'randomized'],
    ]);
    const [a, b] = variants;
    expect((a?.n ?? 0) / (b?.n ?? 1)).toBeGreaterThan(5);
    // Each against the other: one is the mirror of the other.
    expect((a?.odds_ratio ?? 0) * (b?.odds_ratio ?? 0)).toBeCloseTo(1, 3);
    const { variants: claims } = await read<CampaignRecommendations>('/intelligence/recommendations');
    expect(claims.filter(({ evidence_tier }) => evidence_tier === 'confirmed')).toEqual([]);
  });
});
