import { tcpProxy } from './tcp-proxy';
import type { Tenant } from './tenants';
import type { TestDatabase } from './test-database';
import { publishToSuites, publishedToSuites } from './test-servers.config';

interface Reached {
  readonly baseUrl: string;
  readonly tenant: Tenant;
}

/** Services that all suites of an app share, as the processes of the tests know them. */
export interface SharedServices {
  /** Base URL of the service that is well, and the database to plant tenants in. */
  readonly well: string;
  readonly ownerUrl: string;
  /** Its database lacks the table of keys. */
  readonly broken: Reached;
  /** Its database cannot be reached. */
  readonly away: Reached;
}

interface Started extends Reached {
  readonly database: TestDatabase;
  stop(): Promise<void>;
}

const started: Started[] = [];

/**
 * For the global set-up of an app: one service that is well, one whose database lacks the table of keys, and one whose
 * database cannot be reached.
 * @param start - starts one of them
 */
export async function startSharedServices(
  app: string,
  start: (options: { readonly databaseUrl?: (url: string) => Promise<string> }) => Promise<Started>,
): Promise<void> {
  const begin = async (...options: Parameters<typeof start>) => {
    const service = await start(...options);
    started.push(service);
    return service;
  };
  const [well, broken] = [await begin({}), await begin({})];
  let cut = () => Promise.resolve();
  const away = await begin({
    async databaseUrl(url) {
      const proxy = await tcpProxy(url);
      cut = () => proxy.cut();
      return proxy.url;
    },
  });
  await broken.database.query('ALTER TABLE api_keys RENAME TO api_keys_of_old');
  await cut();
  const services: SharedServices = {
    well: well.baseUrl,
    ownerUrl: well.database.ownerUrl,
    broken: { baseUrl: broken.baseUrl, tenant: broken.tenant },
    away: { baseUrl: away.baseUrl, tenant: away.tenant },
  };
  publishToSuites(app, services);
}

/** What the global set-up of an app started. @throws Error in a suite of an app that starts nothing */
export function sharedServices(app: string): SharedServices {
  return publishedToSuites(app) as SharedServices;
}

/** For the global tear-down. */
export async function stopSharedServices(): Promise<void> {
  for (const service of started.splice(0)) await service.stop();
}
