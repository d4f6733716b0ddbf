import { Inject, Injectable } from '@nestjs/common';
import {
  DOCUMENTS,
  type BanditDocument,
  type ChannelUse,
  type DriftDocument,
  type PatternRecord,
} from '@outcomes/contracts';
import { CLOCK, LOGGER, type Clock, type Logger } from '@outcomes/platform';
import { contactDecider } from '@outcomes/statistics';
import type { TenantScope } from '@outcomes/tenancy';
import { campaignRecords } from '../arms/channel-campaigns';
import { CalibrationService } from '../calibration/calibration.service';
import { settledChannels, type SettledChannel } from '../drift/settled-channels';
import { AnalysisRunRepository } from '../runs/analysis-run.repository';
import { decisionModel } from './decision-model';
import { BATCH } from './decision-policy';
import { DecisionRepository } from './decision.repository';
import { freezeDecision, storedModel } from './freeze-decision';

/** What the documents of a run say. */
interface Known {
  readonly bandit: BanditDocument;
  readonly settled: readonly SettledChannel[];
  readonly channels: readonly ChannelUse[];
}

/** What to do about each active contact next, decided once per state of the contact and frozen. */
@Injectable()
export class DecisionService {
  constructor(
    @Inject(DecisionRepository) private readonly decisions: DecisionRepository,
    @Inject(AnalysisRunRepository) private readonly runs: AnalysisRunRepository,
    @Inject(CalibrationService) private readonly calibration: CalibrationService,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Whether a run has succeeded and its decisions are not all made. */
  async isDue(scope: TenantScope, runId: string): Promise<boolean> {
    return this.decisions.isUndecided(scope, runId);
  }

  /**
   * Makes the decisions that a run calls for, then says how earlier ones came out. Broken off anywhere, the same
   * call goes on where it stopped; called again, it changes nothing. Memory does not follow the number of contacts.
   * Where it cannot be said how earlier ones came out, that is logged and what was said before stands.
   * @returns how many decisions were made
   */
  async decide(scope: TenantScope, runId: string): Promise<number> {
    if (!(await this.decisions.isUndecided(scope, runId))) return 0;
    const bandit = await this.document<BanditDocument>(scope, DOCUMENTS.bandit);
    const drift = await this.document<DriftDocument>(scope, DOCUMENTS.drift);
    const settled = settledChannels(drift);
    const made =
      bandit && bandit.arms.length > 0
        ? await this.freezeAll(scope, runId, { bandit, settled, channels: drift?.channels ?? [] })
        : 0;
    // What waits for the end of the run, an erasure too, does not wait for a look back; the next run takes another one.
    if (bandit)
      await this.calibration
        .publish(scope, runId, bandit.data_as_of, settled)
        .catch((error: unknown) => this.logger.error({ err: error }, 'calibration was not published'));
    await this.decisions.markDecided(scope, runId, this.clock.now());
    return made;
  }

  private async freezeAll(
    scope: TenantScope,
    runId: string,
    { bandit, settled, channels }: Known,
  ): Promise<number> {
    const asOf = new Date(bandit.data_as_of);
    const patterns = (await this.document<PatternRecord[]>(scope, DOCUMENTS.patterns)) ?? [];
    const steps = await this.decisions.maturedSteps(scope, settled);
    const model = storedModel(decisionModel(bandit, patterns, steps, channels));
    const decide = contactDecider(model.model);
    const campaignOf = campaignRecords(bandit.campaigns ?? []);
    let made = 0;
    for (const touchIds of await this.decisions.undecided(scope, asOf, BATCH)) {
      made += await this.decisions.freeze(scope, runId, model, touchIds, (point) =>
        freezeDecision(scope.companyId, model, decide, campaignOf, point),
      );
    }
    return made;
  }

  private async document<Content>(scope: TenantScope, name: string): Promise<Content | undefined> {
    const body = await this.runs.document(scope, name);
    return body === undefined ? undefined : (JSON.parse(body) as Content);
  }
}
