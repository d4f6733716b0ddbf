export {
  type CompanyModel,
  type CompanyModelSpec,
  drawSend,
  planCompany,
  type PlantedStratum,
  type StratumKey,
  weekdayOf,
} from './company-model';
export type * from './company-spec';
export { channelWorld, type ChannelWorld, type ChannelWorldSpec } from './channel-world';
export * from './dimension-plan';
export { type CopyRegime, type EvidenceWorld, worldDesign } from './evidence-world';
export * from './generate-cohorts';
export { generateCompany } from './generate-company';
export { DAYS_PER_FORTNIGHT, EvidenceCompany, generateEvidence } from './generate-evidence';
export { composeMessage, type MessageFeatures, type MessageText } from './message-text';
