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
import { decodeCursor, encodeCursor } from '../arguments/cursor';
import { frameOf } from '../frame/result-frame';
import { trustFields, trustIn } from '../frame/trust';
import { RunRepository, type RunReading } from '../runs/run.repository';
import { lastDayOf, settledDays } from '../runs/settled-days';
import { cleanText } from '../text/clean-text';
import { counted } from '../text/number-words';
import { CampaignRepository } from '../touches/campaign.repository';
import { CohortRepository } from '../touches/cohort.repository';
import { assessCampaign } from '../campaigns/assess-campaign';
import { fallOf } from '../campaigns/campaign-falls';
import { campaignWindow, wireWindow, type CampaignWindow } from '../campaigns/campaign-window';

const LIST = 'campaigns';

type Row = CampaignList['campaigns'][number];

/** The campaigns of a tenant in order of their id, each with the status that its health answer gives. */
@Injectable()
export class CampaignListService {
  constructor(
    @Inject(CampaignRepository) private readonly campaigns: CampaignRepository,
    @Inject(CohortRepository) private readonly cohorts: CohortRepository,
    @Inject(RunRepository) private readonly runs: RunRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async answer(scope: TenantScope, query: CampaignListQuery): Promise<CampaignList> {
    const days = query.window_days ?? CAMPAIGN_LIST.arguments.window_days.default;
    const limit = query.limit ?? CAMPAIGN_LIST.arguments.limit.default;
    const after = decodeCursor(LIST, query.cursor) ?? '';
    const run = await this.runs.read(scope, [DOCUMENTS.bandit]);
    const now = this.clock.now();
    const to = lastDayOf(run.freshness, run.frame, now);
    const window = campaignWindow(to, days, settledDays(run.frame, to));
    const page = await this.campaigns.page(scope, after, limit + 1);
    const ids = page.campaignIds.slice(0, limit);
    const rows = ids.length > 0 ? await this.rows(scope, ids, window, run) : [];
    const last = ids.at(-1);
    const more = page.campaignIds.length > limit;
    const trust = trustIn(run.frame, now);
    const alerts: AlertCode[] = [...(more ? (['results_truncated'] as const) : []), ...trust.alerts];
    const all = `${page.hasMore ? 'More than ' : ''}${counted(page.total, 'campaign')}`;
    const summary = `${all}, ${rows.length} on this page. ${trust.sentence}`;
    return {
      ...frameOf(scope, 'company', run.freshness, now, summary, alerts),
      campaign_count: page.total,
      window: wireWindow(window),
      campaigns: rows,
      next_cursor: last !== undefined && more ? encodeCursor(LIST, last) : null,
      ...trustFields(trust),
    };
  }

  private async rows(
    scope: TenantScope,
    ids: readonly string[],
    window: CampaignWindow,
    run: RunReading,
  ): Promise<Row[]> {
    const selection = { ...window, campaignIds: ids };
    const spans = new Map((await this.campaigns.spans(scope, ids)).map((span) => [span.campaignId, span]));
    const cells = await this.campaigns.cells(scope, selection);
    const company = await this.cohorts.settled(scope, window.from, window.settled);
    const bandit = run.document<BanditDocument>(DOCUMENTS.bandit);
    const trust = trustIn(run.frame, this.clock.now());
    return ids.flatMap((campaignId) => {
      const span = spans.get(campaignId);
      const own = cells.filter((cell) => cell.campaignId === campaignId);
      const assessed = assessCampaign(own, company, bandit, fallOf(campaignId, own, trust));
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
