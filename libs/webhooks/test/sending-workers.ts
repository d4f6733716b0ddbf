import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { Test, type TestingModule } from '@nestjs/testing';
import { createDataSource, PersistenceModule } from '@outcomes/persistence';
import { createLogger, Management, PlatformModule, SecretBox, serviceConfigSchema } from '@outcomes/platform';
import { TenantDatabase, type TenantScope, type TenantTransaction } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import {
  createTestDatabase,
  StandingClock,
  testRedisPrefix,
  testRedisUrl,
  type TestDatabase,
} from '@outcomes/testing';
import {
  subscriptionsOf,
  WebhookAdministration,
  WebhookDeliveries,
  WebhooksModule,
  writeMessages,
  type WebhookMessage,
} from '../src';

export const DEED = { by: { type: 'operator', id: 'test' } } as const;
export const KEYS = Buffer.alloc(32, 7).toString('base64');
const LOCAL = '127.0.0.1';

export interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Workers that deliver and the receiver that they deliver to, under a clock that stands until it is moved. */
export class SendingWorkers {
  private readonly modules: TestingModule[] = [];
  readonly received: Received[] = [];
  readonly management = new Management('webhooks-test');
  /** What the receiver answers; null: nothing, ever. */
  answer: { readonly status: number; readonly headers?: Record<string, string> } | null = { status: 200 };

  private constructor(
    readonly database: TestDatabase,
    readonly clock: StandingClock,
    private readonly receiver: Server,
    readonly tenants: TenantDatabase,
    readonly administration: WebhookAdministration,
    private readonly closeAdministration: () => Promise<void>,
  ) {}

  static async start(): Promise<SendingWorkers> {
    const database = await createTestDatabase();
    const receiver = createServer().listen(0, LOCAL);
    await once(receiver, 'listening');
    const source = createDataSource({
      url: await database.loginAs('outcomes_admin'),
      ...{
        applicationName: 'webhooks-admin',
        poolSize: 2,
        statementTimeoutMs: 10_000,
        connectTimeoutMs: 5_000,
      },
    });
    await source.initialize();
    const tenants = new TenantDatabase(source);
    const clock = new StandingClock('2026-06-01T08:00:00Z');
    const administration = new WebhookAdministration(tenants, new SecretBox(KEYS), clock);
    const workers: SendingWorkers = new SendingWorkers(
      database,
      clock,
      receiver,
      tenants,
      administration,
      () => source.destroy(),
    );
    receiver.on('request', (incoming, response) => {
      const parts: Buffer[] = [];
      incoming.on('data', (part: Buffer) => parts.push(part));
      incoming.on('end', () => {
        workers.received.push({
          path: incoming.url ?? '',
          headers: incoming.headers as Record<string, string>,
          body: Buffer.concat(parts).toString(),
        });
        if (workers.answer) response.writeHead(workers.answer.status, workers.answer.headers).end('unread');
      });
    });
    return workers;
  }

  /** @param smtp - URL of a mail server */
  async worker({ keys = KEYS, smtp }: { keys?: string; smtp?: string } = {}): Promise<WebhookDeliveries> {
    const config = serviceConfigSchema({ port: 0, managementPort: 0 }).parse({
      DATABASE_URL: await this.database.loginAs('outcomes_worker'),
      ...{ REDIS_URL: testRedisUrl(), REDIS_PREFIX: testRedisPrefix(), LOG_LEVEL: 'silent' },
    });
    const { port } = this.receiver.address() as AddressInfo;
    const platform = PlatformModule.register({
      ...{ clock: this.clock, config },
      logger: createLogger('webhooks-test', config.LOG_LEVEL),
      management: this.modules.length === 0 ? this.management : new Management('webhooks-test'),
    });
    const webhooks = WebhooksModule.register({
      secretKeys: keys,
      smtp: smtp === undefined ? null : { url: smtp, from: 'outcomes@example.net', timeoutMs: 5_000 },
      outside: {
        // This receiver plays the public Internet: in the clear, and under its own port.
        request: (options, answered) => request({ ...options, port }, answered),
        lookup: (_host, answered) => answered(null, [{ address: LOCAL, family: 4 }]),
        isPublic: () => true,
        timeoutMs: 1_000,
      },
      random: () => 0,
    });
    const module = await Test.createTestingModule({
      imports: [platform, PersistenceModule.register('webhooks-test'), webhooks],
    }).compile();
    this.modules.push(module);
    await module.init();
    return module.get(WebhookDeliveries);
  }

  /** Asks as a worker does in the transaction of a company. */
  asWorker(scope: TenantScope, work: (client: TenantTransaction['client']) => Promise<void>): Promise<void> {
    const [module] = this.modules;
    if (!module) return Promise.reject(new Error('there is no worker'));
    return module.get(TenantDatabase).transaction(scope, ({ client }) => work(client));
  }

  /** One round of a worker, to its end. */
  round(worker: WebhookDeliveries): Promise<void> {
    return worker.deliverDue((companyId) => Promise.resolve(mintTenantScope(companyId)));
  }

  advance(seconds: number): void {
    this.clock.advance(seconds * 1_000);
  }

  async company(contact?: string): Promise<TenantScope> {
    const companyId = randomUUID();
    await this.database.query(`INSERT INTO companies (company_id, name) VALUES ($1, 'Example Ltd')`, [
      companyId,
    ]);
    if (contact !== undefined)
      await this.database.query(
        `INSERT INTO key_contacts (company_id, key_id, email, updated_at) VALUES ($1, '', $2, now())`,
        [companyId, contact],
      );
    return mintTenantScope(companyId);
  }

  /** Tells messages in a transaction of their own, as a run does in its. */
  async tell(scope: TenantScope, ...messages: WebhookMessage[]): Promise<void> {
    await this.tenants.transaction(scope, async (transaction) => {
      await writeMessages(transaction, await subscriptionsOf(transaction), messages, this.clock.now());
    });
  }

  async stop(): Promise<void> {
    for (const module of this.modules) await module.close();
    await this.closeAdministration();
    this.receiver.closeAllConnections();
    this.receiver.close();
    await this.database.drop();
  }
}
