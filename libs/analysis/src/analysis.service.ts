import { Inject, Injectable } from '@nestjs/common';
import { AppError, DAY_MS, DOCUMENTS, type PatternRecord } from '@outcomes/contracts';
import { CLOCK, LOGGER, type Clock, type Logger } from '@outcomes/platform';
import type { TenantScope } from '@outcomes/tenancy';
import { armSumsOf } from './arms/arm-counts';
import { armCountsOf, banditDocument } from './arms/bandit-document';
import { Backtests } from './backtest/backtest.service';
import { ChannelAnalysis } from './changes/channel-analysis.service';
import { CohortRepository } from './cohorts/cohort.repository';
import type { OnProgress } from './cohorts/read-history';
import { DecisionService } from './decisions/decision.service';
import { runDocuments, type MessageFindings } from './documents/run-documents';
import { serialise } from './documents/serialise';
import { driftDocument } from './drift/drift-document';
import { analyseVariants } from './evidence/analyse-variants';
import { CampaignEvidenceRepository } from './evidence/campaign-evidence.repository';
import { variantDocument } from './patterns/variant-document';
import { shareOfAllReplies } from './rates/late-replies';
import { settledShareOf } from './rates/settled-share';
import { LlmAnalysis } from './llm/llm-analysis.service';
import { CriticalCampaignRepository } from './news/critical-campaign.repository';
import { judgedFrom } from './news/critical-campaigns';
import { PlatformPrior } from './priors/platform-prior.service';
import { ResponderRepository } from './recipients/responder.repository';
import {
  AnalysisRunRepository,
  type AnalysisRun,
  type RunEvidence,
  type RunResult,
} from './runs/analysis-run.repository';

export interface AnalysisRequest {
  /** What makes a repetition harmless: the date of a daily run, or `first-…`, `growth-…`, `erasure-…`, `manual-…`. */
  readonly runKey: string;
  /** Told how far the run is, 0 to 1, as it goes on. */
  readonly onProgress?: (share: number) => void;
}

/** Part of a run's time that goes into reading, where nothing was read before. */
const READING_SHARE = 0.9;

/** From counts to the documents that both interfaces read. */
@Injectable()
export class AnalysisService {
  constructor(
    @Inject(CohortRepository) private readonly cohorts: CohortRepository,
    @Inject(CampaignEvidenceRepository) private readonly evidence: CampaignEvidenceRepository,
    @Inject(ChannelAnalysis) private readonly channels: ChannelAnalysis,
    @Inject(ResponderRepository) private readonly responders: ResponderRepository,
    @Inject(CriticalCampaignRepository) private readonly campaigns: CriticalCampaignRepository,
    @Inject(AnalysisRunRepository) private readonly runs: AnalysisRunRepository,
    @Inject(DecisionService) private readonly decisions: DecisionService,
    @Inject(PlatformPrior) private readonly priors: PlatformPrior,
    @Inject(LlmAnalysis) private readonly llm: LlmAnalysis,
    @Inject(Backtests) private readonly backtests: Backtests,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Analyses everything a company has. All documents are replaced in one transaction, so that readers see the old
   * ones or the new ones. A key that has succeeded is answered from the book; `first` and `manual…` run again where
   * data came since. Broken off anywhere, the same call does the same.
   * @throws AppError where Postgres is away or the computation fails; the run is then on record as failed, and what
   * earlier runs found stays
   */
  async run(
    scope: TenantScope,
    { runKey, onProgress }: AnalysisRequest,
  ): Promise<{ runId: string; state: 'succeeded' }> {
    const run = await this.runs.begin(scope, runKey, this.clock.now());
    if (!run.finished) {
      try {
        const result = await this.compute(scope, run, (share) => onProgress?.(share * READING_SHARE));
        await this.runs.publish(scope, run, result, this.clock.now());
        this.llm.request(scope);
        this.backtests.request(scope);
      } catch (error) {
        throw await this.recordFailure(scope, run, error);
      }
    }
    await this.renewArms(scope, run);
    await this.decisions.decide(scope, run.runId);
    onProgress?.(1);
    return { runId: run.runId, state: 'succeeded' };
  }

  /**
   * Recomputes the arms alone, after batches were processed into the counts; once more where a run is published
   * meanwhile.
   * @param onlyIfStale - leaves arms alone that are as fresh as the newest batch
   * @returns false where no run has had any data yet: the first that has brings the arms with everything else
   */
  async refreshArms(scope: TenantScope, { onlyIfStale = false } = {}): Promise<boolean> {
    const newest = await this.runs.newestWithData(scope);
    if (newest === undefined) return false;
    const { runId, dataAsOf, armsAsOf } = newest;
    if (onlyIfStale && armsAsOf !== null && armsAsOf >= dataAsOf) return true;
    const table = await this.cohorts.readForArms(scope, this.clock.now());
    const channels = await this.channels.analyse(scope, table, settledShareOf(table), { looks: false });
    const { observedUntil } = table;
    const borrowed = await this.priors.borrow(scope);
    const bandit = serialise(
      DOCUMENTS.bandit,
      banditDocument(armSumsOf(table), channels, { dataAsOf, observedUntil }, borrowed),
    );
    const isKept = await this.runs.replaceArms(scope, { runId, dataAsOf }, bandit, this.clock.now());
    return isKept || this.refreshArms(scope);
  }

  /**
   * Arms that were refreshed while a run was under way are newer than its own and stay, but rest on the ledger from
   * before it: they are made once more, before anything is decided by them.
   */
  private async renewArms(scope: TenantScope, { runId, dataAsOf }: AnalysisRun): Promise<void> {
    if (!(await this.decisions.isDue(scope, runId))) return;
    const armsAsOf = (await this.runs.newestWithData(scope))?.armsAsOf ?? null;
    if (armsAsOf !== null && armsAsOf > dataAsOf) await this.refreshArms(scope);
  }

  private async compute(scope: TenantScope, run: AnalysisRun, onRead: OnProgress): Promise<RunResult> {
    const { table, notes } = await this.cohorts.read(scope, this.clock.now(), onRead);
    const settledShare = settledShareOf(table);
    const channels = await this.channels.analyse(scope, table, settledShare, { looks: true });
    const arms = armSumsOf(table);
    const borrowed = await this.priors.exchange(scope, armCountsOf(arms, channels));
    const { dataAsOf } = run;
    const { observedUntil } = table;
    const settledThrough = new Map(channels.map((found) => [found.channel, found.settledThrough]));
    const evidence = await this.readEvidence(scope, run, observedUntil);
    const drift = driftDocument(table, channels, dataAsOf);
    // Of the day of a sender east of UTC, which may begin after the newest outcome.
    const sentUntil = (table.newestDay ?? 0) * DAY_MS;
    const endsAt = new Date(Math.max(Number(new Date(drift.newest_outcome_at ?? dataAsOf)), sentUntil));
    const inputs = {
      companyId: scope.companyId,
      table,
      settledShare: shareOfAllReplies(table, settledShare),
      found: evidence && { assessments: evidence.assessments, variants: evidence.variants },
      standing: evidence === null ? await this.standingPatterns(scope) : [],
      recipients: await this.responders.read(scope, settledThrough),
      llm: await this.llm.carried(scope, run.runKey),
      bandit: banditDocument(arms, channels, { dataAsOf, observedUntil }, borrowed),
      drift,
      updated: this.clock.now().toISOString(),
    };
    return {
      documents: (claims, analysedAt) =>
        runDocuments({ ...inputs, claims, analysedAt: analysedAt.toISOString() }),
      evidence,
      campaigns: await this.campaigns.recentTotals(scope, judgedFrom(endsAt), endsAt),
      notes,
      channels: channels.flatMap(({ notes: ofChannel }) => ofChannel ?? []),
      messages: table.totals.touches,
    };
  }

  /** @returns null while an upgrade rebuilds the counts by campaign */
  private async readEvidence(
    scope: TenantScope,
    { dataAsOf }: AnalysisRun,
    observedUntil: number,
  ): Promise<(RunEvidence & MessageFindings) | null> {
    const found = await this.evidence.read(scope, observedUntil);
    if (found === null) return null;
    const { assessments, variants, randomized, notes } = found;
    return {
      assessments,
      variants: variantDocument(analyseVariants(variants), randomized, dataAsOf.toISOString()),
      notes,
    };
  }

  private async standingPatterns(scope: TenantScope): Promise<readonly PatternRecord[]> {
    const body = await this.runs.document(scope, DOCUMENTS.patterns);
    return body === undefined ? [] : (JSON.parse(body) as PatternRecord[]);
  }

  private async recordFailure(scope: TenantScope, run: AnalysisRun, error: unknown): Promise<AppError> {
    const failure = error instanceof AppError ? error : new AppError('INTERNAL_ERROR', {}, { cause: error });
    this.logger.error({ err: error, runId: run.runId, runKey: run.runKey }, 'an analysis failed');
    // Where Postgres is away this cannot be written either; the run then stays open, and the next takes it up.
    await this.runs
      .fail(scope, run, failure.code, this.clock.now())
      .catch((cause: unknown) =>
        this.logger.warn({ err: cause, runId: run.runId }, 'a failure was not recorded'),
      );
    return failure;
  }
}
