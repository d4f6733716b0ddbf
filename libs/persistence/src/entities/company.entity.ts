import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A tenant. */
@Entity('companies')
export class CompanyEntity {
  @PrimaryColumn('uuid', { name: 'company_id' })
  companyId: string;

  @Column('text')
  name: string;

  /** IANA name; wall-clock patterns of events sent with Z use it. */
  @Column('text', { name: 'time_zone', default: 'UTC' })
  timeZone: string;

  @Column('text', { name: 'portal_id', nullable: true })
  portalId: string | null;

  @Column('boolean', { name: 'borrows_platform_prior', default: true })
  borrowsPlatformPrior: boolean;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
