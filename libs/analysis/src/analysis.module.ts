import { Module, type DynamicModule } from '@nestjs/common';
import { AnalysisService } from './analysis.service';
import { BacktestRepository } from './backtest/backtest.repository';
import { Backtests } from './backtest/backtest.service';
import { CalibrationRepository } from './calibration/calibration.repository';
import { CalibrationService } from './calibration/calibration.service';
import { ChannelAnalysis } from './changes/channel-analysis.service';
import { ChannelHistoryRepository } from './changes/channel-history.repository';
import { CohortRepository } from './cohorts/cohort.repository';
import { DecisionReplay } from './decisions/decision-replay.service';
import { DecisionRepository } from './decisions/decision.repository';
import { DecisionService } from './decisions/decision.service';
import { CampaignEvidenceRepository } from './evidence/campaign-evidence.repository';
import { LlmAnalysis } from './llm/llm-analysis.service';
import { LlmSampleRepository } from './llm/llm-sample.repository';
import { LLM_SETTINGS, type LlmSettings } from './llm/llm-settings';
import { LentPriorRepository } from './priors/lent-prior.repository';
import { CriticalCampaignRepository } from './news/critical-campaign.repository';
import { PlatformPrior } from './priors/platform-prior.service';
import { ResponderRepository } from './recipients/responder.repository';
import { AnalysisRunRepository } from './runs/analysis-run.repository';
import { CompanyDirectory } from './schedule/company-directory.service';

/** Needs PlatformModule and PersistenceModule beside it, both global. */
@Module({
  providers: [
    AnalysisService,
    BacktestRepository,
    Backtests,
    CohortRepository,
    CampaignEvidenceRepository,
    ChannelAnalysis,
    ChannelHistoryRepository,
    ResponderRepository,
    AnalysisRunRepository,
    CalibrationRepository,
    CalibrationService,
    DecisionReplay,
    DecisionRepository,
    DecisionService,
    CompanyDirectory,
    CriticalCampaignRepository,
    LentPriorRepository,
    PlatformPrior,
    LlmSampleRepository,
    LlmAnalysis,
  ],
  exports: [AnalysisService, CompanyDirectory],
})
export class AnalysisModule {
  /** @param llm - null: no language model is asked, and the `llm` chunk has no data */
  static register(llm: LlmSettings | null): DynamicModule {
    return {
      module: AnalysisModule,
      providers: [{ provide: LLM_SETTINGS, useValue: llm }],
    };
  }
}
