import { randomBytes, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { Test, type TestingModule } from '@nestjs/testing';
import { CompanyDirectory } from '@outcomes/analysis';
import { AnnouncementsModule } from '@outcomes/deprecation';
import { PersistenceModule } from '@outcomes/persistence';
import { createLogger, Management, PlatformModule, serviceConfigSchema } from '@outcomes/platform';
import {
  createTestDatabase,
  StandingClock,
  testRedisPrefix,
  testRedisUrl,
  waitUntil,
  type TestDatabase,
} from '@outcomes/testing';
import { SMTPServer } from 'smtp-server';
import { WORKER_CONFIG } from '../src/analysis-worker.config';
import { Announcements } from '../src/announcements.schedule';

const ENTRY = {
  id: 'patterns-v0',
  subject: 'GET /v0/patterns',
  announcedOn: '2027-01-10',
  sunsetOn: '2027-05-01',
  replacement: 'Use GET /v1/patterns.',
  documentation: 'https://example.com/changes',
};

describe('the announcements of two workers', () => {
  const received: string[] = [];
  const modules: TestingModule[] = [];
  const refuseOnce = new Set(['b@example.com']);
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) => {
      done(refuseOnce.delete(address) ? Object.assign(new Error('later'), { responseCode: 450 }) : null);
    },
    onData: (stream, session, done) => {
      stream.resume();
      stream.on('end', () => {
        received.push(...session.envelope.rcptTo.map(({ address }) => address));
        done();
      });
    },
  });
  let database: TestDatabase;
  const clock = new StandingClock('2027-01-10T00:00:00Z');

  const worker = async () => {
    const config = serviceConfigSchema({ port: 0, managementPort: 0 }).parse({
      DATABASE_URL: await database.loginAs('outcomes_worker'),
      REDIS_URL: testRedisUrl(),
      REDIS_PREFIX: testRedisPrefix(),
      LOG_LEVEL: 'silent',
    });
    const platform = PlatformModule.register({
      clock,
      config,
      logger: createLogger('worker-test', config.LOG_LEVEL),
      management: new Management('worker-test'),
    });
    const url = `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`;
    const settings = { url, from: 'outcomes@example.net', timeoutMs: 5_000 };
    const module = await Test.createTestingModule({
      imports: [
        platform,
        PersistenceModule.register('worker-test'),
        AnnouncementsModule.register(settings, [ENTRY]),
      ],
      providers: [
        CompanyDirectory,
        { provide: WORKER_CONFIG, useValue: { ANNOUNCEMENT_INTERVAL_MS: 20 } },
        Announcements,
      ],
    }).compile();
    modules.push(module);
    await module.init();
    return module.get(Announcements);
  };

  const company = async (email: string) => {
    const companyId = randomUUID();
    await database.query(`INSERT INTO companies (company_id, name) VALUES ($1, 'Example Ltd')`, [companyId]);
    await database.query(
      `INSERT INTO api_keys (company_id, key_id, secret_sha256, permissions, expires_at)
       VALUES ($1, $2, sha256('secret'), '{analytics_read}', '2028-01-01')`,
      [companyId, randomBytes(8).toString('hex')],
    );
    await database.query(
      `INSERT INTO key_contacts (company_id, key_id, email, updated_at) VALUES ($1, '', $2, now())`,
      [companyId, email],
    );
  };

  beforeAll(async () => {
    await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
    database = await createTestDatabase();
  });
  afterAll(async () => {
    await Promise.all(modules.map((module) => module.close()));
    await new Promise<void>((resolve) => smtp.close(resolve));
    await database.drop();
  });

  it('reach every company once, from the start on, also those added and those refused before', async () => {
    await company('a@example.com');
    await company('b@example.com');
    const workers = [await worker(), await worker()];
    for (const each of workers) each.start();
    await waitUntil('the first round', () => received.includes('a@example.com') && refuseOnce.size === 0);
    await company('c@example.com');
    await waitUntil('a company that came later', () => received.includes('c@example.com'));
    expect(received).not.toContain('b@example.com');
    clock.set('2027-01-10T00:15:01Z');
    await waitUntil('the attempt after the refusal', () => received.includes('b@example.com'));
    await Promise.all(workers.map((each) => each.stop()));
    expect(received.sort()).toEqual(['a@example.com', 'b@example.com', 'c@example.com']);
  });
});
