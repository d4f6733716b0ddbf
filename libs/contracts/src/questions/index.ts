export * from './action-audit-log';
export * from './analysis-of-metric';
export * from './bandit-state';
export * from './calibration';
export * from './campaign-health';
export * from './campaign-list';
export * from './campaign-recommendations';
export * from './catalogue';
export * from './chunk-catalogue';
export * from './contact-insights';
export * from './descriptions-of-patterns';
export * from './drift-state';
export * from './first-analysis';
export * from './health';
export type { AnalysisRecord, AnalysisSummary } from './parts/analysis-record';
export * from './parts/evidence';
export {
  COMMON_FIELDS,
  DRIFT_STATES,
  SCHEMA_VERSION,
  type EnvelopeFrame,
  type ResultFrame,
  type Trust,
} from './parts/frame';
export { HEALTH_STATUSES, type HealthStatus } from './parts/health-statuses';
export type { PatternRecord } from './parts/pattern-record';
export { NEXT_ACTIONS } from './parts/rates';
export type { NextAction, NumberSource, OutcomeCounts, RateEstimate } from './parts/rates';
export type { RecipientProfile } from './parts/recipient-profile';
export { TOOL_NAMES, type ToolName } from './parts/tool-names';
export * from './patterns';
export {
  argumentsSchemaOf,
  type Answer,
  type Arguments,
  type Question,
  type RestRoute,
  type ToolText,
} from './question';
export * from './recipient-analysis';
export * from './recipient-intelligence';
export * from './recipient-profiles';
export * from './suppressions';
export * from './workflow-decisions';
