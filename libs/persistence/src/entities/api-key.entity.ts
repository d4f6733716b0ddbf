import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A self-serve key. The secret itself is never stored, only its SHA-256. */
@Entity('api_keys')
export class ApiKeyEntity {
  @PrimaryColumn('uuid', { name: 'company_id' })
  companyId: string;

  @PrimaryColumn('text', { name: 'key_id' })
  keyId: string;

  @Column('bytea', { name: 'secret_sha256' })
  secretSha256: Buffer;

  @Column('text', { default: '' })
  name: string;

  @Column('text', { array: true })
  permissions: string[];

  /** agent, ingest or read; null for a key that is not narrowed. */
  @Column('text', { nullable: true })
  purpose: string | null;

  /** MCP tools that it may call, and nothing else; null for all. */
  @Column('text', { array: true, nullable: true })
  tools: string[] | null;

  /** Networks in CIDR form from which it may be used; null for all. */
  @Column('text', { array: true, nullable: true })
  networks: string[] | null;

  /** Requests per burst window; null for the service's default. */
  @Column('integer', { name: 'burst_limit', nullable: true })
  burstLimit: number | null;

  /** Requests per UTC month; null for the service's default. */
  @Column('integer', { name: 'monthly_quota', nullable: true })
  monthlyQuota: number | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt: Date | null;

  @Column('timestamptz', { name: 'locked_until', nullable: true })
  lockedUntil: Date | null;

  /** To the minute or so; null where it was never used. */
  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  lastUsedAt: Date | null;
}
