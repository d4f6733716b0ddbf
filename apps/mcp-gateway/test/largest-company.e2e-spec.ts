import { createHash, randomUUID } from 'node:crypto';
import {
  DAY_MS,
  DOCUMENTS,
  OUTCOMES,
  PATTERN_CATALOGUE,
  TOOL_NAMES,
  type ToolName,
} from '@outcomes/contracts';
import type { Tenant } from '@outcomes/testing';
import { documentOf, shareGateway, type SharedGateway } from './gateway-fixture';
import { plantCompany } from './planted-data';
import { longLedger } from './planted-documents';
import { patterns, variants } from './planted-patterns';

/** As long as identifiers that a person gives get; anything up to 256 characters is taken. */
const CAMPAIGN = `emea-enterprise-winback-sequence-2026-q1-${'variant-b-'.repeat(4)}final`;
const CONTACT = `crm-${'0123456789abcdef'.repeat(4)}`;

const ARGUMENTS: Partial<Record<ToolName, Record<string, unknown>>> = {
  get_campaign_health: { campaign_id: CAMPAIGN },
  get_campaign_recommendations: { campaign_id: CAMPAIGN },
  get_recipient_intelligence: { contact_id: CONTACT },
};

/** A company that has everything that an answer can list, at its longest, and millions of messages behind it. */
describe('a default answer about the largest company', () => {
  let gateway: SharedGateway;
  let tenant: Tenant;

  /** Every step on both channels, every outcome. */
  const plantLongCampaign = () =>
    gateway.database.query(
      `INSERT INTO touches (company_id, touch_id, channel, sequence_step, position, position_confidence, outcome,
          streamed, sent_day, sent_at, outcome_at, levels, recipient_id, thread_id, campaign_id, recipient_position)
        SELECT $1, gen_random_uuid(), channel, step, 0, 0, outcome, true, $2::timestamptz, $2::timestamptz,
            $2::timestamptz + interval '1 day', '{}', $3, 'thread', $4, $5
          FROM generate_series(0, 1) AS channel, generate_series(0, 50) AS step,
            generate_series(0, $6::int) AS outcome`,
      [
        ...[tenant.companyId, new Date(Date.now() - 25 * DAY_MS), CONTACT, CAMPAIGN],
        ...['Senior Regional Director of Everything That Nobody Else Wanted to Direct', OUTCOMES.length - 1],
      ],
    );

  /** All 51 patterns with evidence, in the longest words that the catalogue has. */
  const plantAllPatterns = async () => {
    const [record] = patterns(tenant.companyId, new Date().toISOString());
    const all = PATTERN_CATALOGUE.map(({ code }) => ({
      ...record,
      code,
      title:
        'Do more of this: <b>Personalised with the company, the role and a recent event</b> (more replies)',
      message:
        '<b>Personalise with the company, the role and a recent event</b> in more of your messages, and say in a line why. ' +
        'Inside 1,204 campaigns, at least 62,301 texts of this kind were compared with at least 91,114 others: such messages got ' +
        '<b>60% more</b> replies (95% interval: 20% to 100% more, however often one looks). ' +
        '<strong>A first hint</strong>; up to half of such hints may be wrong. Who got which was not drawn by lot, ' +
        'so something else may be behind it. About 120,000 more messages like these should settle it.',
    }));
    await replace(DOCUMENTS.patterns, all);
  };

  const plantLongLedger = () =>
    replace(DOCUMENTS.drift, longLedger(new Date(Date.now() - 3_600_000).toISOString(), CAMPAIGN));

  /** Of the campaign, and claims about those of another one. */
  const plantVariants = async (count: number) => {
    const now = new Date().toISOString();
    const [own, others] = [variants(now, CAMPAIGN, count), variants(now, `${CAMPAIGN}-2`, 60)];
    await replace(DOCUMENTS.variants, { ...own, variants: [...own.variants, ...others.variants] });
  };

  const replace = async (document: string, value: unknown) => {
    const body = JSON.stringify(value);
    const etag = createHash('sha256').update(body).digest('base64url').slice(0, 22);
    await gateway.database.query(
      'UPDATE snapshots SET body = $3, etag = $4 WHERE company_id = $1 AND document = $2',
      [tenant.companyId, document, body, etag],
    );
  };

  const plantAuditRows = async () => {
    const headers = {
      'X-Actor-Type': 'service',
      'X-Actor-Id': 'scheduler.eu-central-1.production.example.com',
    };
    const body = JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'get_recipient_intelligence', arguments: { contact_id: CONTACT } },
    });
    for (let call = 0; call < 20; call += 1) await gateway.http(tenant.apiKey, body, headers);
    const foreign = { tenant_id: randomUUID() };
    for (const name of TOOL_NAMES)
      await gateway.call(tenant.apiKey, name, { ...ARGUMENTS[name], ...foreign });
  };

  beforeAll(async () => {
    gateway = await shareGateway();
    tenant = await gateway.addTenant({
      name: 'Largest',
      burst: 1_000,
      expiresAt: new Date(Date.now() + 5 * DAY_MS),
    });
    await plantCompany(gateway.database, tenant.companyId);
    await plantLongCampaign();
    await plantAllPatterns();
    await plantLongLedger();
    await plantVariants(3);
    await plantAuditRows();
  });

  afterAll(() => gateway?.stop());

  it.each(TOOL_NAMES)('of %s is within 8 KB and leads with its statistics', async (name) => {
    const answer = await gateway.call(tenant.apiKey, name, ARGUMENTS[name]);
    const [{ text }] = answer.body.result.content;
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(8_192);
    expect(documentOf(answer).summary).toMatch(/\d/);
  });

  it('of get_drift_state says that the ledger is longer', async () => {
    const { alerts, changes } = documentOf(await gateway.call(tenant.apiKey, 'get_drift_state'));
    expect(alerts).toContain('results_truncated');
    expect(changes.length).toBeGreaterThanOrEqual(6);
  });

  it('of get_campaign_health says that steps are left out, and leaves none out for one channel', async () => {
    const health = async (more: object) =>
      documentOf(
        await gateway.call(tenant.apiKey, 'get_campaign_health', { campaign_id: CAMPAIGN, ...more }),
      );
    const both = await health({});
    expect(both.alerts).toContain('results_truncated');
    expect(both.by_step).toHaveLength(51);
    const email = await health({ channel: 'email' });
    expect(email.alerts).not.toContain('results_truncated');
    expect(email.by_step.map(({ sequence_step }: { sequence_step: number }) => sequence_step)).toEqual(
      Array.from({ length: 51 }, (_, step) => step),
    );
  });

  it('of get_campaign_health leaves variants out rather than becoming large, and says so', async () => {
    await plantVariants(60);
    const answer = await gateway.call(tenant.apiKey, 'get_campaign_health', ARGUMENTS.get_campaign_health);
    const [{ text }] = answer.body.result.content;
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(8_192);
    const { alerts, variants: listed } = documentOf(answer);
    expect(listed.length).toBeGreaterThanOrEqual(3);
    expect(alerts).toContain('results_truncated');
  });
});
