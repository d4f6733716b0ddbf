export { AnalysisModule } from './analysis.module';
export { AnalysisService, type AnalysisRequest } from './analysis.service';
export {
  DecisionReplay,
  type ReplayedDecision,
  type ReplayFault,
  type ReplayVerdict,
} from './decisions/decision-replay.service';
export { ENGINE_VERSION } from '@outcomes/statistics';
export { CompanyDirectory } from './schedule/company-directory.service';
export type { LlmSettings } from './llm/llm-settings';
