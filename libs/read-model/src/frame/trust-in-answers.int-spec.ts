import { randomUUID } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import type { AlertCode, Channel, DriftDocument } from '@outcomes/contracts';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import type { TenantScope } from '@outcomes/tenancy';
import {
  channelDrift,
  driftOf,
  lateReplies,
  TRUST_CASES,
  type TrustCaseName,
} from '../../test/planted-drift';
import { plantRun, plantSnapshot, plantTouch } from '../../test/planted-rows';
import { openReadingDatabase, type ReadingDatabase } from '../../test/reading-database';
import { openReadModel } from '../../test/reading-services';
import { Answers } from '../answers/answers.service';
import { trustIn } from './trust';

const NOW = '2026-02-01T06:00:00.000Z';
const ABOUT_TRUST: ReadonlySet<AlertCode> = new Set([
  'very_stale_outcomes',
  'stale_outcomes',
  'drift_not_evaluated',
  'drift_relearning',
  'drift_detected',
  'audience_mix_changed',
  'volume_changed',
  'source_silent',
  'silence_not_reported',
  'late_replies',
]);

describe('Trust in the posteriors', () => {
  let database: ReadingDatabase;
  let context: INestApplicationContext;
  let service: Answers;

  beforeAll(async () => {
    database = await openReadingDatabase();
    context = await openReadModel(database.reader, NOW);
    service = context.get(Answers);
  });
  afterAll(async () => {
    await context.close();
    await database.close();
  });

  async function companyWith(drift: DriftDocument | undefined): Promise<TenantScope> {
    const scope = mintTenantScope(randomUUID());
    const { companyId } = scope;
    await plantRun(database.owner, companyId, 'succeeded', '2026-02-01T00:00:00.000Z');
    await plantTouch(database.owner, {
      ...{ companyId, campaignId: 'c', recipientId: 'anna', sentAt: '2025-12-28T09:00:00Z' },
    });
    if (drift) await plantSnapshot(database.owner, companyId, 'drift', drift);
    return scope;
  }

  /** What each answer says of trust. */
  async function said(scope: TenantScope, channel?: Channel) {
    const narrowed = channel && { channel };
    const answers = await Promise.all([
      service.answer('DriftState', scope, { ...narrowed }),
      service.answer('BanditState', scope, { ...narrowed }),
      service.answer('CampaignHealth', scope, { campaign_id: 'unknown', ...narrowed }),
      service.answer('RecipientIntelligence', scope, { contact_id: 'anna', ...narrowed }),
      service.answer('RecipientIntelligence', scope, { contact_id: 'nobody', ...narrowed }),
      service.answer('CampaignRecommendations', scope, { ...narrowed }),
      ...(channel
        ? []
        : [
            service.answer('CampaignList', scope, {}),
            service.answer('WorkflowDecisions', scope, {}),
            service.answer('Calibration', scope, {}),
          ]),
      // The campaign sends by email alone: it is judged by that channel.
      ...(channel === 'email' ? [service.answer('CampaignHealth', scope, { campaign_id: 'c' })] : []),
      ...(channel ? [service.answer('CampaignHealth', scope, { campaign_id: 'c', channel })] : []),
    ]);
    return answers.map(({ drift_state, posteriors_trustworthy, recommended_action, alerts, summary }) => ({
      ...{ drift_state, posteriors_trustworthy, recommended_action },
      alerts: alerts.filter((code) => ABOUT_TRUST.has(code)),
      summary,
    }));
  }

  const names = Object.keys(TRUST_CASES) as TrustCaseName[];
  const channels: (Channel | undefined)[] = [undefined, 'email', 'linkedin'];

  it.each(names.flatMap((name) => channels.map((channel) => [name, channel ?? 'company'] as const)))(
    'is the same in every answer: %s, %s',
    async (name, about) => {
      const drift: DriftDocument | undefined = TRUST_CASES[name];
      const channel = about === 'company' ? undefined : about;
      const { sentence, drift_state, posteriors_trustworthy, recommended_action, alerts } = trustIn(
        drift,
        new Date(NOW),
        channel,
      );
      for (const { summary, ...rest } of await said(await companyWith(drift), channel)) {
        // Where the sentence is not its end, the whole summary is shown.
        const end = summary.endsWith(sentence) ? sentence : summary;
        expect({ ...rest, summary: end }).toEqual({
          ...{ drift_state, posteriors_trustworthy, recommended_action, alerts },
          summary: sentence,
        });
      }
    },
  );

  it.each(channels.map((channel) => [channel ?? 'company'] as const))(
    'tells of a source that has gone silent in every answer: %s',
    async (about) => {
      const channel = about === 'company' ? undefined : about;
      const drift = TRUST_CASES['nothing ever changed'];
      const silent_sources = [
        { source: 'src_1', tool: 'smartlead', last_delivery_at: '2026-01-20T09:00:00.000Z' },
      ];
      const [silent, well] = [await companyWith({ ...drift, silent_sources }), await companyWith(drift)];
      for (const { alerts } of await said(silent, channel)) expect(alerts).toContain('source_silent');
      // Mutation: a company whose sources deliver.
      for (const { alerts } of await said(well, channel)) expect(alerts).not.toContain('source_silent');
    },
  );

  it('every answer says where silence is not reported, and trusts nothing', async () => {
    const drift = TRUST_CASES['nothing ever changed'];
    const scope = await companyWith({ ...drift, no_silence: true });
    for (const { alerts, posteriors_trustworthy, recommended_action, summary } of await said(scope)) {
      expect(alerts).toContain('silence_not_reported');
      expect(posteriors_trustworthy).toBe(false);
      expect(recommended_action).toBe('Do not act; report every message that is sent.');
      expect(summary).toContain('Do not act on the posteriors: no message on record went unanswered');
      expect(summary).not.toContain('may be acted upon');
    }
    const { tests } = await service.answer('DriftState', scope, {});
    expect(tests.map((test) => test.posteriors_trustworthy)).not.toContain(true);
    // Mutation: a company that reports silence.
    const [other] = await said(await companyWith(drift));
    expect(other).toMatchObject({ posteriors_trustworthy: true });
  });

  it.each(channels.map((channel) => [channel ?? 'company'] as const))(
    'every answer says where replies come late, and trusts nothing of it: %s',
    async (about) => {
      const channel = about === 'company' ? undefined : about;
      const late = [channelDrift({ late_replies: lateReplies() }), channelDrift({ channel: 'linkedin' })];
      for (const answer of await said(await companyWith(driftOf(late)), channel)) {
        const { alerts, posteriors_trustworthy, recommended_action, summary } = answer;
        const isLate = channel !== 'linkedin';
        expect(alerts).toEqual(isLate ? ['late_replies'] : []);
        expect(posteriors_trustworthy).toBe(!isLate);
        expect(summary.includes('may be acted upon')).toBe(!isLate);
        expect(summary.includes('60.0 % of the replies by email come over 14 days after')).toBe(isLate);
        expect(recommended_action).toBe(
          isLate ? 'Do not act; judge by messages sent through 2025-11-20.' : 'None.',
        );
      }
    },
  );

  it('does not depend on where outcomes came from', async () => {
    const scope = await companyWith(TRUST_CASES['nothing ever changed']);
    const bandit = { data_as_of: NOW, engine_version: 'test', prior: { mean: 0.05, concentration: 40 } };
    const arm = { channel: 'email', position: 'vp', posterior_mean: 0.05, ci_low: 0.04, ci_high: 0.06 };
    const interval_target = 'next_30_days_mean_rate';
    const arms = [
      { ...arm, interval_target, alpha: 5, beta: 95, observations: 400, data_source: 'migration' },
    ];
    await plantSnapshot(database.owner, scope.companyId, 'bandit', { ...bandit, arms });
    const answer = await service.answer('BanditState', scope, {});
    expect(answer.alerts).toContain('migration_arms_only');
    expect(answer.posteriors_trustworthy).toBe(true);
  });
});
