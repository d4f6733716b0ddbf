import type { CampaignHealth, CampaignList, Channel, DriftState, EnvelopeFrame } from '@outcomes/contracts';
import type { TenantScope } from '@outcomes/tenancy';
import type { OptOutServices } from './opt-out-company';

/** What every surface says at one moment. */
export interface AskedAnswers {
  readonly drift: DriftState;
  readonly health: readonly CampaignHealth[];
  readonly list: CampaignList;
  /** Times and alerts of all answers, those beside documents too. */
  readonly frames: readonly Pick<
    EnvelopeFrame,
    'analysed_at' | 'data_as_of' | 'newest_outcome_at' | 'alerts'
  >[];
  /** Of the answers that a channel narrows, or without one of all that are about the company. */
  readonly verdicts: readonly EnvelopeFrame[];
  /** Result documents in full. */
  readonly results: readonly unknown[];
}

/**
 * Asks every question of MCP and of the intelligence group, which are the same documents, and every document of the
 * patterns group.
 * @param channel - narrows the questions that take one
 */
export async function allAnswers(
  { intelligence, patterns }: OptOutServices,
  scope: TenantScope,
  nowMs: number,
  channel?: Channel,
): Promise<AskedAnswers> {
  const narrowed = channel && { channel };
  const drift = await intelligence.driftState(scope, { ...narrowed });
  const narrowable = [
    drift,
    await intelligence.banditState(scope, { ...narrowed }),
    await intelligence.campaignRecommendations(scope, { ...narrowed }),
    await intelligence.campaignHealth(scope, { campaign_id: 'unheard of', ...narrowed }),
    await intelligence.recipientIntelligence(scope, { contact_id: 'unheard of', ...narrowed }),
  ];
  const list = await intelligence.campaigns(scope, {});
  const ofCompany = [
    list,
    await intelligence.workflowDecisions(scope, {}),
    await intelligence.calibration(scope),
  ];
  const health: CampaignHealth[] = [];
  for (const { campaign_id } of list.campaigns)
    health.push(await intelligence.campaignHealth(scope, { campaign_id }));
  const documents = [
    await patterns.patterns(scope),
    await patterns.firstAnalysis(scope),
    await patterns.recipients(scope),
    await patterns.chunks(scope),
    await patterns.chunk(scope, 'general_analysis'),
    await patterns.contactInsights(scope),
    await patterns.profiles(scope),
  ].map(({ frame }) => JSON.parse(`{${frame?.at(new Date(nowMs)).fields}}`) as EnvelopeFrame);
  const audit = await intelligence.actionAuditLog(scope, {});
  return {
    ...{ drift, health, list },
    frames: [...narrowable, ...ofCompany, ...health, audit, ...documents],
    verdicts: channel === undefined ? [...narrowable, ...ofCompany, ...documents] : narrowable,
    results: [...narrowable, ...ofCompany, ...health, audit],
  };
}
