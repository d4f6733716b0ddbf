export { AnalysisModule } from './analysis.module';
export { AnalysisService, type AnalysisRequest } from './analysis.service';
export {
  DecisionReplay,
  type ReplayedDecision,
  type ReplayFault,
  type ReplayVerdict,
} from './decisions/decision-replay.service';
export { freezeDecision, storedModel, type FrozenRow, type StoredModel } from './decisions/freeze-decision';
export type { FrozenModel } from './decisions/decision-model';
export { ENGINE_VERSION } from '@outcomes/statistics';
export { CompanyDirectory } from './schedule/company-directory.service';
export type { LlmSettings } from './llm/llm-settings';
