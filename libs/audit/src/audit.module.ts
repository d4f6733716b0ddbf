import { Module } from '@nestjs/common';
import { AuditSealing } from './seals/audit-sealing.service';
import { AuditWriter } from './writer/audit-writer.service';

/** The audit log's writing side. It needs PlatformModule and PersistenceModule. */
@Module({ providers: [AuditWriter], exports: [AuditWriter] })
export class AuditModule {}

/** The audit log's sealing side: for a process that writes no rows, so it is ready without the right to. */
@Module({ providers: [AuditSealing], exports: [AuditSealing] })
export class AuditSealingModule {}
