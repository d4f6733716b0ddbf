import { tcpProxy } from '@outcomes/testing';
import { SERVICES_VARIABLE, type SharedServices } from './shared-services';
import { startIngestApi } from './ingest-api-process';

/** What Jest calls in the end. */
export interface Stopping {
  stopIngestApis?: () => Promise<void>;
}

/**
 * Three services that the files of single statuses share: one that is well, one whose database lacks the table of
 * keys, and one whose database cannot be reached.
 */
export default async function setUp(): Promise<void> {
  const [well, broken] = [await startIngestApi(), await startIngestApi()];
  let proxy: Awaited<ReturnType<typeof tcpProxy>> | undefined;
  const away = await startIngestApi({
    databaseUrl: async (url) => {
      proxy = await tcpProxy(url);
      return proxy.url;
    },
  });
  await broken.database.query('ALTER TABLE api_keys RENAME TO api_keys_of_old');
  await proxy?.cut();
  const services: SharedServices = {
    well: well.baseUrl,
    ownerUrl: well.database.ownerUrl,
    broken: { baseUrl: broken.baseUrl, tenant: broken.tenant },
    away: { baseUrl: away.baseUrl, tenant: away.tenant },
  };
  process.env[SERVICES_VARIABLE] = JSON.stringify(services);
  (globalThis as Stopping).stopIngestApis = async () => {
    for (const api of [well, broken, away]) await api.stop();
  };
}
