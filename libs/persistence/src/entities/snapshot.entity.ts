import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A document of the read model, as the bytes that the API sends. */
@Entity('snapshots')
export class SnapshotEntity {
  @PrimaryColumn('uuid', { name: 'company_id' })
  companyId: string;

  /** Name of the document, see DOCUMENTS in libs/contracts. */
  @PrimaryColumn('text', { collation: 'C' })
  document: string;

  @Column('uuid', { name: 'run_id' })
  runId: string;

  @Column('timestamptz', { name: 'data_as_of' })
  dataAsOf: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;

  @Column('text')
  etag: string;

  @Column('text')
  body: string;
}
