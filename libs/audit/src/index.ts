export * from './audit.module';
export * from './canonical/canonical-json';
export * from './writer/audit-entry';
export { AuditWriter, type AuditState } from './writer/audit-writer.service';
