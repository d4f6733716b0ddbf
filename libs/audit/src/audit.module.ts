import { Module } from '@nestjs/common';
import { AuditWriter } from './writer/audit-writer.service';

/** The audit log's writing side. It needs PlatformModule and PersistenceModule. */
@Module({ providers: [AuditWriter], exports: [AuditWriter] })
export class AuditModule {}
