import type { CampaignHealth } from '@outcomes/contracts';
import type { Assessment } from '../campaigns/assess-campaign';

/** What the reply rate of an assessment rests on. */
export function sourceOf({
  sampleSize,
  ownDataShare,
}: Pick<Assessment, 'sampleSize' | 'ownDataShare'>): CampaignHealth['data_source'] {
  if (sampleSize === 0) return 'prior';
  return ownDataShare >= 0.5 ? 'own' : 'company';
}
