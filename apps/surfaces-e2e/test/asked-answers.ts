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
  { answers, patterns }: OptOutServices,
  scope: TenantScope,
  nowMs: number,
  channel?: Channel,
): Promise<AskedAnswers> {
  const narrowed = channel && { channel };
  const drift = await answers.answer('DriftState', scope, { ...narrowed });
  const narrowable = [
    drift,
    await answers.answer('BanditState', scope, { ...narrowed }),
    await answers.answer('CampaignRecommendations', scope, { ...narrowed }),
    await answers.answer('CampaignHealth', scope, { campaign_id: 'unheard of', ...narrowed }),
    await answers.answer('CampaignHealth', scope, { ...narrowed }),
    await answers.answer('RecipientIntelligence', scope, { contact_id: 'unheard of', ...narrowed }),
  ];
  const list = await answers.answer('CampaignList', scope, {});
  const ofCompany = [
    list,
    await answers.answer('WorkflowDecisions', scope, {}),
    await answers.answer('WorkflowDecisions', scope, { action: 'due' }),
    await answers.answer('Calibration', scope, {}),
  ];
  const health: CampaignHealth[] = [];
  for (const { campaign_id } of list.campaigns)
    health.push(await answers.answer('CampaignHealth', scope, { campaign_id }));
  const documents = [
    await patterns.patterns(scope),
    await patterns.firstAnalysis(scope),
    await patterns.recipients(scope),
    await patterns.chunks(scope),
    await patterns.chunk(scope, 'general_analysis'),
    await patterns.contactInsights(scope),
    await patterns.profiles(scope),
  ].map(({ frame }) => JSON.parse(`{${frame?.at(new Date(nowMs)).fields}}`) as EnvelopeFrame);
  const audit = await answers.answer('ActionAuditLog', scope, {});
  return {
    ...{ drift, health, list },
    frames: [...narrowable, ...ofCompany, ...health, audit, ...documents],
    verdicts: channel === undefined ? [...narrowable, ...ofCompany, ...documents] : narrowable,
    results: [...narrowable, ...ofCompany, ...health, audit],
  };
}
