import { randomBytes, randomUUID } from 'node:crypto';
import { Test, type TestingModule } from '@nestjs/testing';
import type { Deprecation } from '@outcomes/contracts';
import { PersistenceModule } from '@outcomes/persistence';
import { createLogger, Management, PlatformModule, serviceConfigSchema } from '@outcomes/platform';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import type { TenantScope } from '@outcomes/tenancy';
import {
  createTestDatabase,
  StandingClock,
  testRedisPrefix,
  testRedisUrl,
  type TestDatabase,
} from '@outcomes/testing';
import { Announcer, AnnouncementsModule } from '../src';
import type { SmtpSettings } from '../src';

/** A worker as the analysis worker has one, under a clock that stands until it is moved. */
export interface AnnouncingWorker {
  readonly announcer: Announcer;
  readonly management: Management;
  readonly module: TestingModule;
}

export class AnnouncingWorkers {
  private readonly modules: TestingModule[] = [];
  readonly clock = new StandingClock('2027-01-10T12:00:00Z');

  private constructor(readonly database: TestDatabase) {}

  static async start(): Promise<AnnouncingWorkers> {
    return new AnnouncingWorkers(await createTestDatabase());
  }

  advance(minutes: number): void {
    this.clock.advance(minutes * 60_000);
  }

  async worker(smtp: SmtpSettings | null, catalogue: readonly Deprecation[]): Promise<AnnouncingWorker> {
    const config = serviceConfigSchema({ port: 0, managementPort: 0 }).parse({
      DATABASE_URL: await this.database.loginAs('outcomes_worker'),
      REDIS_URL: testRedisUrl(),
      REDIS_PREFIX: testRedisPrefix(),
      LOG_LEVEL: 'silent',
    });
    const management = new Management('deprecation-test');
    const module = await Test.createTestingModule({
      imports: [
        PlatformModule.register({
          clock: this.clock,
          config,
          logger: createLogger('deprecation-test', config.LOG_LEVEL),
          management,
        }),
        PersistenceModule.register('deprecation-test'),
        AnnouncementsModule.register(smtp, catalogue),
      ],
    }).compile();
    this.modules.push(module);
    await module.init();
    return { announcer: module.get(Announcer), management, module };
  }

  /** @param contact - of the keys that have none of their own */
  async company(contact: string | null): Promise<TenantScope> {
    const companyId = randomUUID();
    await this.database.query(`INSERT INTO companies (company_id, name) VALUES ($1, 'Example Ltd')`, [
      companyId,
    ]);
    if (contact !== null) await this.contact(companyId, '', contact);
    return mintTenantScope(companyId);
  }

  /** @returns the id of a new key */
  async key(
    { companyId }: TenantScope,
    { contact, endsAt = '2028-01-01', revoked = false }: NewTestKey = {},
  ): Promise<string> {
    const keyId = randomBytes(8).toString('hex');
    await this.database.query(
      `INSERT INTO api_keys (company_id, key_id, secret_sha256, permissions, expires_at, revoked_at)
       VALUES ($1, $2, sha256('secret'), '{analytics_read}', $3, CASE WHEN $4 THEN now() END)`,
      [companyId, keyId, endsAt, revoked],
    );
    if (contact !== undefined) await this.contact(companyId, keyId, contact);
    return keyId;
  }

  async contact(companyId: string, keyId: string, email: string): Promise<void> {
    await this.database.query(
      `INSERT INTO key_contacts (company_id, key_id, email, updated_at) VALUES ($1, $2, $3, now())
       ON CONFLICT (company_id, key_id) DO UPDATE SET email = excluded.email`,
      [companyId, keyId, email],
    );
  }

  async stop(): Promise<void> {
    await Promise.all(this.modules.map((module) => module.close()));
    await this.database.drop();
  }
}

export interface NewTestKey {
  readonly contact?: string;
  readonly endsAt?: string;
  readonly revoked?: boolean;
}
