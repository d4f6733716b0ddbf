import { randomUUID } from 'node:crypto';
import { Test, type TestingModule } from '@nestjs/testing';
import { PersistenceModule } from '@outcomes/persistence';
import {
  createLogger,
  Management,
  PlatformModule,
  serviceConfigSchema,
  systemClock,
} from '@outcomes/platform';
import { TenantDatabase } from '@outcomes/tenancy';
import { createTestDatabase, testRedisUrl, type TestDatabase } from '@outcomes/testing';
import { AuditModule, AuditWriter, sha256OfJson, type AuditEntry } from '../src';

export interface AuditFixture {
  readonly database: TestDatabase;
  readonly writer: AuditWriter;
  readonly module: TestingModule;
  /** The tenant database as a login of another group. */
  databaseAs(group: string): Promise<TenantDatabase>;
  stop(): Promise<void>;
}

export async function auditFixture(group = 'outcomes_reader'): Promise<AuditFixture> {
  const database = await createTestDatabase();
  const modules: TestingModule[] = [];
  const start = async (login: string) => {
    const config = serviceConfigSchema({ port: 0, managementPort: 0 }).parse({
      DATABASE_URL: await database.loginAs(login),
      REDIS_URL: testRedisUrl(),
      LOG_LEVEL: 'silent',
    });
    const logger = createLogger('audit-test', config.LOG_LEVEL);
    const management = new Management('audit-test');
    const module = await Test.createTestingModule({
      imports: [
        PlatformModule.register({ clock: systemClock, config, logger, management }),
        PersistenceModule.register('audit-test'),
        AuditModule,
      ],
    }).compile();
    modules.push(module);
    return module.init();
  };
  const module = await start(group);
  return {
    database,
    module,
    writer: module.get(AuditWriter),
    databaseAs: async (login) => (await start(login)).get(TenantDatabase),
    async stop() {
      await Promise.all(modules.map((started) => started.close()));
      await database.drop();
    },
  };
}

export function auditEntry(overrides: Partial<AuditEntry> = {}): AuditEntry {
  return {
    companyId: randomUUID(),
    keyId: 'abcdefghijklmnop',
    actor: { type: 'agent', id: 'sdr-7' },
    tool: 'get_bandit_state',
    errorType: null,
    latencyMs: 1.5,
    inputSha256: sha256OfJson({}),
    outputSha256: sha256OfJson({ arms: [] }),
    requestId: randomUUID(),
    occurredAt: new Date('2026-03-01T10:00:00.123Z'),
    ...overrides,
  };
}
