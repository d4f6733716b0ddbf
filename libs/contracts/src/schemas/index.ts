import type { ErrorCode } from '../errors/catalogue';
import { ACTION_AUDIT_LOG_SCHEMA } from './audit-results';
import { CALIBRATION_SCHEMA } from './calibration-results';
import {
  CAMPAIGN_HEALTH_SCHEMA,
  CAMPAIGN_LIST_SCHEMA,
  CAMPAIGN_RECOMMENDATIONS_SCHEMA,
} from './campaign-results';
import { RECIPIENT_INTELLIGENCE_SCHEMA, WORKFLOW_DECISIONS_SCHEMA } from './contact-results';
import { errorSchemaName, errorSchemaOf } from './errors';
import { HEALTH_DATA_SCHEMA } from './health-data';
import {
  constant,
  list,
  record,
  reference,
  text,
  timestamp,
  type Properties,
  type Schema,
} from './json-schema';
import { BANDIT_STATE_SCHEMA, DRIFT_STATE_SCHEMA } from './model-results';
import {
  ANALYSIS_RECORD_SCHEMA,
  CHUNK_CATALOGUE_SCHEMA,
  CONTACT_INSIGHTS_SCHEMA,
  FIRST_ANALYSIS_SCHEMA,
  PATTERN_DESCRIPTIONS_SCHEMA,
  PATTERN_RECORD_SCHEMA,
} from './pattern-documents';
import { RECIPIENT_ANALYSIS_SCHEMA, RECIPIENT_PROFILE_SCHEMA } from './recipient-documents';
import { FRAME } from './shared-parts';

export * from './audit-results';
export * from './calibration-results';
export * from './campaign-results';
export * from './contact-results';
export * from './evidence-parts';
export * from './model-results';
export { errorSchemaName } from './errors';
export { resultSchema } from './shared-parts';

/** What GET requests of the read API answer as `data`, by name. A new document is a new line here. */
export const READ_SCHEMAS = {
  Health: HEALTH_DATA_SCHEMA,
  Patterns: list(reference('PatternRecord'), 'Highest tier first; empty where there is no analysis.'),
  PatternDescriptions: PATTERN_DESCRIPTIONS_SCHEMA,
  FirstAnalysis: FIRST_ANALYSIS_SCHEMA,
  AnalysisRecord: ANALYSIS_RECORD_SCHEMA,
  RecipientAnalysis: RECIPIENT_ANALYSIS_SCHEMA,
  RecipientProfiles: list(reference('RecipientProfile'), 'Recipients who have answered.'),
  ChunkCatalogue: CHUNK_CATALOGUE_SCHEMA,
  ContactInsights: CONTACT_INSIGHTS_SCHEMA,
  Calibration: CALIBRATION_SCHEMA,
  CampaignList: CAMPAIGN_LIST_SCHEMA,
  CampaignHealth: CAMPAIGN_HEALTH_SCHEMA,
  CampaignRecommendations: CAMPAIGN_RECOMMENDATIONS_SCHEMA,
  BanditState: BANDIT_STATE_SCHEMA,
  DriftState: DRIFT_STATE_SCHEMA,
  WorkflowDecisions: WORKFLOW_DECISIONS_SCHEMA,
  RecipientIntelligence: RECIPIENT_INTELLIGENCE_SCHEMA,
  ActionAuditLog: ACTION_AUDIT_LOG_SCHEMA,
} as const satisfies Readonly<Record<string, Schema>>;
export type ReadDocument = keyof typeof READ_SCHEMAS;

/** Parts that several of them refer to. */
export const READ_PARTS: Readonly<Record<string, Schema>> = {
  PatternRecord: PATTERN_RECORD_SCHEMA,
  RecipientProfile: RECIPIENT_PROFILE_SCHEMA,
};

/** Documents that a run left: what their answers say of the run stands beside them, in the envelope. */
export const DOCUMENTS_OF_A_RUN: ReadonlySet<ReadDocument> = new Set([
  'Patterns',
  'FirstAnalysis',
  'AnalysisRecord',
  'RecipientAnalysis',
  'RecipientProfiles',
  'ChunkCatalogue',
  'ContactInsights',
]);

/** The envelope of every successful read around one document. */
export function envelopeSchemaOf(document: ReadDocument): Schema {
  const fields: Properties = {
    success: constant(true, 'Always true.'),
    message: text('A short sentence for people.'),
    data: reference(document),
    ...(DOCUMENTS_OF_A_RUN.has(document) && FRAME),
    timestamp: timestamp('Time of the answer.'),
  };
  return record(fields);
}

/** Bodies of the given errors, by the name of their schema. */
export function errorSchemas(codes: Iterable<ErrorCode>): Record<string, Schema> {
  return Object.fromEntries(
    [...new Set(codes)].sort().map((code) => [errorSchemaName(code), errorSchemaOf(code)]),
  );
}
