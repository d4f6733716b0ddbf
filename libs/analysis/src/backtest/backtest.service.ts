import { createHash } from 'node:crypto';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import {
  DOCUMENTS,
  type BacktestDocument,
  type BacktestForecast,
  type NoBacktestReason,
} from '@outcomes/contracts';
import { CLOCK, LOGGER, type Clock, type Logger } from '@outcomes/platform';
import type { TenantScope } from '@outcomes/tenancy';
import { ENGINE_VERSION } from '@outcomes/statistics';
import { ChannelHistoryRepository } from '../changes/channel-history.repository';
import { CohortRepository } from '../cohorts/cohort.repository';
import { DAYS_PER_WEEK, weekdayOf } from '../cohorts/days';
import { serialise } from '../documents/serialise';
import { CampaignEvidenceRepository } from '../evidence/campaign-evidence.repository';
import type { EvidenceWeek } from '../evidence/evidence-weeks';
import { maturesOn } from '../evidence/matured-fortnights';
import { EVIDENCE_MAKE } from '../evidence/packed-evidence';
import { AnalysisRunRepository } from '../runs/analysis-run.repository';
import { backtestDocument, noBacktest } from './backtest-document';
import { BacktestRepository, type HistoryBefore } from './backtest.repository';
import { forecastHistory } from './forecast-history';

/** Weeks that are folded, the newest. */
const MOST_WEEKS = 104;
/** Of a campaign some 20 kB are held from week to week. */
const MOST_CAMPAIGNS = 2_000;
/** Companies that wait their turn; more are taken up on their next run. */
const LONGEST_QUEUE = 1_000;

/**
 * Folds history that was brought week by week, beside the analysis: after a run, one company at a time, where what was
 * there before the first run is another than was folded. It delays nobody, and whatever goes wrong stays here.
 */
@Injectable()
export class Backtests implements OnModuleDestroy {
  private readonly waiting = new Map<string, TenantScope>();
  private working: Promise<void> | undefined;
  private isStopped = false;

  constructor(
    @Inject(BacktestRepository) private readonly backtests: BacktestRepository,
    @Inject(CampaignEvidenceRepository) private readonly evidence: CampaignEvidenceRepository,
    @Inject(ChannelHistoryRepository) private readonly histories: ChannelHistoryRepository,
    @Inject(CohortRepository) private readonly cohorts: CohortRepository,
    @Inject(AnalysisRunRepository) private readonly runs: AnalysisRunRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Returns at once. */
  request(scope: TenantScope): void {
    if (this.isStopped || this.waiting.size >= LONGEST_QUEUE) return;
    this.waiting.set(scope.companyId, scope);
    this.working ??= this.work().finally(() => {
      this.working = undefined;
    });
  }

  /** Resolves when nobody waits any more. */
  async idle(): Promise<void> {
    await this.working;
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopped = true;
    this.waiting.clear();
    await this.working;
  }

  private async work(): Promise<void> {
    for (;;) {
      const next = this.waiting.entries().next().value;
      if (!next) return;
      this.waiting.delete(next[0]);
      await this.fold(next[1]).catch((error: unknown) =>
        this.logger.warn({ err: error }, 'history was not folded'),
      );
    }
  }

  private async fold(scope: TenantScope): Promise<void> {
    const newest = await this.runs.newestWithData(scope);
    const before = await this.backtests.before(scope);
    const etag = createHash('sha256')
      .update(`${before.mark} ${EVIDENCE_MAKE} ${ENGINE_VERSION}`)
      .digest('base64url')
      .slice(0, 27);
    if (newest === undefined || before.firstRunWeek === null || before.standing === etag) return;
    const { weeks, document } = await this.folded(scope, before);
    const stored = serialise(DOCUMENTS.backtest, document);
    // Counts that are being rebuilt are another history afterwards, even where they come out alike.
    const isOfThese = document.reason !== 'counts_are_rebuilt';
    await this.backtests.keep(
      scope,
      newest,
      weeks,
      isOfThese ? { ...stored, etag } : stored,
      this.clock.now(),
    );
  }

  private async folded(scope: TenantScope, before: HistoryBefore): Promise<Folded> {
    const table = await this.cohorts.readForArms(scope, this.clock.now());
    const mondays = mondaysOf(before, table.observedUntil);
    const now = this.clock.now();
    const none = (reason: NoBacktestReason) => ({ weeks: [], document: noBacktest(reason, now) });
    if (mondays.length === 0) return none('no_history');
    if (before.campaigns > MOST_CAMPAIGNS) return none('too_many_campaigns');
    const found = await this.evidence.history(scope, mondays);
    if (found === null) return none('counts_are_rebuilt');
    const until = before.firstRunWeek ?? table.observedUntil;
    const forecasts = await this.histories.read(scope, table, async (channels) => {
      const made: BacktestForecast[] = [];
      for (const channel of channels)
        made.push(...(await forecastHistory(channel, { until, observedUntil: table.observedUntil, now })));
      return made;
    });
    const { weeks, claims } = found;
    return { weeks, document: backtestDocument({ mondays, claims, forecasts }, now) };
  }
}

/** What is kept of a backtest. */
interface Folded {
  readonly weeks: readonly EvidenceWeek[];
  readonly document: BacktestDocument;
}

/** Weeks in which something had matured, before the first run and before the data ends, the newest of them. */
function mondaysOf({ firstDay, firstRunWeek }: HistoryBefore, observedUntil: number): number[] {
  if (firstDay === null || firstRunWeek === null) return [];
  const monday = (day: number) => day - weekdayOf(day);
  const first = monday(firstDay + maturesOn(0, 0));
  const end = Math.min(firstRunWeek, monday(observedUntil));
  const weeks = Math.max(0, Math.floor((end - first) / DAYS_PER_WEEK));
  const count = Math.min(MOST_WEEKS, weeks);
  return Array.from({ length: count }, (_, at) => end - (count - at) * DAYS_PER_WEEK);
}
