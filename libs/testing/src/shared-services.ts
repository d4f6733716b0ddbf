import { attachDatabase } from './attach-database';
import type { InstallationOptions } from './installation';
import { tcpProxy } from './tcp-proxy';
import {
  plantCompany,
  plantKey,
  plantTenant,
  type KeyMaking,
  type KeyOptions,
  type Tenant,
  type TenantOptions,
} from './tenants';
import type { TestDatabase } from './test-database';
import { publishToSuites, publishedToSuites } from './test-servers.config';

/** A service that suites share, as their processes know it. */
export interface SharedService {
  readonly baseUrl: string;
  /** URL of its database, to plant tenants in. */
  readonly ownerUrl: string;
  readonly tenant: Tenant;
}

interface Started {
  readonly baseUrl: string;
  readonly tenant: Tenant;
  readonly database: TestDatabase;
  stop(): Promise<void>;
}

type Start = (options: Pick<InstallationOptions, 'environment' | 'databaseUrl'>) => Promise<Started>;
type Environment = Readonly<Record<string, string>>;

/**
 * What companies and callers share without knowing of each other has to be enough for all suites: they send from one
 * address what is refused on purpose, the largest bodies, and many requests at once.
 */
export const ENOUGH_FOR_ALL: Environment = {
  ADDRESS_BURST_LIMIT: '100000',
  MAX_CONCURRENT_REQUESTS: '4000',
  MAX_HELD_BODY_BYTES: String(64 * 1_024 * 1_024),
};

const started: Pick<Started, 'stop'>[] = [];

/** Has stopSharedServices stop it. */
export function keepForSuites(service: Pick<Started, 'stop'>): void {
  started.push(service);
}

/**
 * For the global set-up of an app: one service that is `well`, one that is `broken`, because its database lacks the tables
 * of keys and sources, and one whose database is `away`.
 * @param start - starts one of them
 * @param environment - of the one that is well
 */
export async function startSharedServices(
  app: string,
  start: Start,
  environment: Environment = {},
): Promise<void> {
  const [well, broken, away] = await Promise.all([
    begin(start, { environment: { ...ENOUGH_FOR_ALL, ...environment } }),
    beginBroken(start),
    beginAway(start),
  ]);
  publish(app, { well, broken, away });
}

async function beginBroken(start: Start): Promise<Started> {
  const broken = await begin(start);
  for (const table of ['api_keys', 'sources'])
    await broken.database.query(`ALTER TABLE ${table} RENAME TO ${table}_of_old`);
  return broken;
}

async function beginAway(start: Start): Promise<Started> {
  let cut = () => Promise.resolve();
  const away = await begin(start, {
    async databaseUrl(url) {
      const proxy = await tcpProxy(url);
      cut = () => proxy.cut();
      return proxy.url;
    },
  });
  await cut();
  return away;
}

/**
 * For the global set-up of an app: one more service that suites share.
 * @param name - under which they find it
 */
export async function startSharedService(
  app: string,
  name: string,
  start: Start,
  environment: Environment = {},
): Promise<void> {
  publish(app, { [name]: await begin(start, { environment: { ...ENOUGH_FOR_ALL, ...environment } }) });
}

async function begin(start: Start, options: Parameters<Start>[0] = {}): Promise<Started> {
  const service = await start(options);
  started.push(service);
  return service;
}

function publish(app: string, services: Readonly<Record<string, Started>>): void {
  for (const [name, { baseUrl, tenant, database }] of Object.entries(services)) {
    publishToSuites(`${app}-${name}`, { baseUrl, tenant, ownerUrl: database.ownerUrl });
  }
}

/** What the global set-up of an app started under a name, the service that is well unless one is given. @throws Error where it started nothing of that name */
export function sharedService(app: string, name = 'well'): SharedService {
  return publishedToSuites(`${app}-${name}`) as SharedService;
}

/** A service that other suites use at the same time: what a suite asserts has to be true whatever they do. */
export interface JoinedService {
  readonly baseUrl: string;
  readonly port: number;
  readonly database: Pick<TestDatabase, 'query'>;
  /** As those of Installation. */
  addCompany(name?: string): Promise<string>;
  addTenant(options?: TenantOptions): Promise<Tenant>;
  addKey(companyId: string, options?: KeyOptions): Promise<Omit<Tenant, 'companyId'>>;
  /** Leaves it to the others. */
  stop(): Promise<void>;
}

/**
 * Joins those who use a service of the global set-up, for suites that assert nothing but what is true of companies of
 * their own: a process and a database for each suite took most of the time of the tests.
 * @param name - as for sharedService
 */
export async function joinSharedService(app: string, keys: KeyMaking, name?: string): Promise<JoinedService> {
  const { baseUrl, ownerUrl } = sharedService(app, name);
  const database = await attachDatabase(ownerUrl);
  return {
    baseUrl,
    port: Number(new URL(baseUrl).port),
    database,
    addCompany: (company) => plantCompany(database, company),
    addTenant: (options) => plantTenant(database, keys, options),
    addKey: (companyId, options) => plantKey(database, keys, companyId, options),
    stop: () => database.detach(),
  };
}

/** For the global tear-down. */
export async function stopSharedServices(): Promise<void> {
  await Promise.all(started.splice(0).map((service) => service.stop()));
}
