export * from './administration/administrative-entry';
export { recordAdministration, type LogTransaction } from './administration/administration-log.repository';
export * from './administration/administration-trail.service';
export * from './audit.module';
export * from './canonical/canonical-json';
export { AuditSealing, type SealHorizon, type Sealed } from './seals/audit-sealing.service';
export { takeSealersTurn } from './seals/seal.repository';
export type { HorizonNote } from './seals/horizon.repository';
export {
  AuditVerification,
  type AuditFault,
  type AuditFaultKind,
  type AuditVerdict,
} from './seals/audit-verification.service';
export * from './writer/audit-entry';
export { AuditWriter, type AuditState } from './writer/audit-writer.service';
