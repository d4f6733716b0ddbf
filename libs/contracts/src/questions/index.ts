import { ACTION_AUDIT_LOG } from './action-audit-log';
import { ANALYSIS_OF_METRIC } from './analysis-of-metric';
import { BANDIT_STATE } from './bandit-state';
import { CALIBRATION } from './calibration';
import { CAMPAIGN_HEALTH } from './campaign-health';
import { CAMPAIGN_LIST } from './campaign-list';
import { CAMPAIGN_RECOMMENDATIONS } from './campaign-recommendations';
import { CHUNK_CATALOGUE } from './chunk-catalogue';
import { CONTACT_INSIGHTS } from './contact-insights';
import { DESCRIPTIONS_OF_PATTERNS } from './descriptions-of-patterns';
import { DRIFT_STATE } from './drift-state';
import { FIRST_ANALYSIS } from './first-analysis';
import { HEALTH } from './health';
import { PATTERNS } from './patterns';
import type { Question } from './question';
import { RECIPIENT_ANALYSIS } from './recipient-analysis';
import { RECIPIENT_INTELLIGENCE } from './recipient-intelligence';
import { RECIPIENT_PROFILES } from './recipient-profiles';
import { SUPPRESSIONS } from './suppressions';
import { WORKFLOW_DECISIONS } from './workflow-decisions';

export * from './action-audit-log';
export * from './analysis-of-metric';
export * from './bandit-state';
export * from './calibration';
export * from './campaign-health';
export * from './campaign-list';
export * from './campaign-recommendations';
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
  type DriftStateName,
  type EnvelopeFrame,
  type ResultFrame,
  type Trust,
} from './parts/frame';
export type { CountedWindow } from './parts/counted-window';
export { HEALTH_STATUSES, type HealthStatus } from './parts/health-statuses';
export type { PatternRecord } from './parts/pattern-record';
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

/** Everything that can be asked. A new question is a new line here, and in `ANSWERED_BY` of the read model. */
export const QUESTIONS = [
  HEALTH,
  PATTERNS,
  DESCRIPTIONS_OF_PATTERNS,
  FIRST_ANALYSIS,
  RECIPIENT_ANALYSIS,
  RECIPIENT_PROFILES,
  CHUNK_CATALOGUE,
  ANALYSIS_OF_METRIC,
  CONTACT_INSIGHTS,
  CAMPAIGN_LIST,
  CAMPAIGN_HEALTH,
  CAMPAIGN_RECOMMENDATIONS,
  BANDIT_STATE,
  DRIFT_STATE,
  WORKFLOW_DECISIONS,
  RECIPIENT_INTELLIGENCE,
  ACTION_AUDIT_LOG,
  CALIBRATION,
  SUPPRESSIONS,
] as const satisfies readonly Question[];

export type QuestionName = (typeof QUESTIONS)[number]['name'];
export type QuestionNamed<Name extends QuestionName> = Extract<
  (typeof QUESTIONS)[number],
  { readonly name: Name }
>;

/** The question of a name. */
export function questionNamed(name: QuestionName): Question {
  return BY_NAME[name];
}
const BY_NAME = Object.fromEntries(QUESTIONS.map((one: Question) => [one.name, one])) as Record<
  QuestionName,
  Question
>;
