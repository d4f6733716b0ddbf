import { Inject, Injectable } from '@nestjs/common';
import {
  CAMPAIGN_LIST,
  DOCUMENTS,
  type AlertCode,
  type BanditDocument,
  type CampaignList,
  type CampaignListQuery,
} from '@outcomes/contracts';
import { CLOCK, type Clock } from '@outcomes/platform';
import type { TenantScope } from '@outcomes/tenancy';
import { FreshnessRepository } from '../freshness/freshness.repository';
import { decodeCursor, encodeCursor } from '../arguments/cursor';
import { frameOf } from '../frame/result-frame';
import { parseSnapshot } from '../snapshots/parse-snapshot';
import { SnapshotRepository } from '../snapshots/snapshot.repository';
import { cleanText } from '../text/clean-text';
import { counted } from '../text/number-words';
import { CampaignRepository } from '../touches/campaign.repository';
import { CohortRepository } from '../touches/cohort.repository';
import { assessCampaign } from '../campaigns/assess-campaign';
import { campaignWindow, type CampaignWindow } from '../campaigns/campaign-window';

const LIST = 'campaigns';

type Row = CampaignList['campaigns'][number];

/** The campaigns of a tenant in order of their id, each with the status that its health answer gives. */
@Injectable()
export class CampaignListService {
  constructor(
    @Inject(CampaignRepository) private readonly campaigns: CampaignRepository,
    @Inject(CohortRepository) private readonly cohorts: CohortRepository,
    @Inject(SnapshotRepository) private readonly snapshots: SnapshotRepository,
    @Inject(FreshnessRepository) private readonly freshness: FreshnessRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async answer(scope: TenantScope, query: CampaignListQuery): Promise<CampaignList> {
    const days = query.window_days ?? CAMPAIGN_LIST.arguments.window_days.default;
    const limit = query.limit ?? CAMPAIGN_LIST.arguments.limit.default;
    const after = decodeCursor(LIST, query.cursor) ?? '';
    const freshness = await this.freshness.find(scope);
    const window = campaignWindow(freshness.dataAsOf ?? this.clock.now(), days);
    const page = await this.campaigns.page(scope, after, limit + 1);
    const ids = page.campaignIds.slice(0, limit);
    const rows = ids.length > 0 ? await this.rows(scope, ids, window) : [];
    const last = ids.at(-1);
    const more = page.campaignIds.length > limit;
    const alerts: AlertCode[] = more ? ['results_truncated'] : [];
    const summary = `${counted(page.total, 'campaign')}, ${rows.length} on this page.`;
    return {
      ...frameOf(scope, 'company', freshness, this.clock.now(), summary, alerts),
      campaign_count: page.total,
      campaigns: rows,
      next_cursor: last !== undefined && more ? encodeCursor(LIST, last) : null,
    };
  }

  private async rows(scope: TenantScope, ids: readonly string[], window: CampaignWindow): Promise<Row[]> {
    const selection = { ...window, campaignIds: ids };
    const spans = new Map(
      (await this.campaigns.spans(scope, selection)).map((span) => [span.campaignId, span]),
    );
    const cells = await this.campaigns.cells(scope, selection);
    const company = await this.cohorts.settled(scope, window.from, window.matureDays);
    const bandit = parseSnapshot<BanditDocument>(await this.snapshots.find(scope, DOCUMENTS.bandit));
    return ids.flatMap((campaignId) => {
      const span = spans.get(campaignId);
      const assessed = assessCampaign(
        cells.filter((cell) => cell.campaignId === campaignId),
        company,
        bandit,
      );
      return span
        ? [
            {
              campaign_id: cleanText(campaignId),
              status: assessed.status,
              sample_size: assessed.sampleSize,
              reply_rate: assessed.replyRate,
              first_sent_at: span.firstSentAt.toISOString(),
              last_sent_at: span.lastSentAt.toISOString(),
            },
          ]
        : [];
    });
  }
}
