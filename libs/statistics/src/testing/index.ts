export {
  type CompanyModel,
  type CompanyModelSpec,
  drawSend,
  planCompany,
  type PlantedStratum,
  weekdayOf,
} from './company-model';
export type * from './company-spec';
export * from './dimension-plan';
export * from './generate-cohorts';
export { generateCompany } from './generate-company';
export { composeMessage, type MessageFeatures, type MessageText } from './message-text';
