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
