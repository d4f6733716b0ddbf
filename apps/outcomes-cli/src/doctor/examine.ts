import { Client } from 'pg';
import type { CliConfig } from '../outcomes-cli.config';
import { failureLine } from '../output/cli-failure';
import { examineDatabase } from './examine-database';
import { examineLogins } from './examine-logins';
import { examinePooler } from './examine-pooler';
import { examineRedis } from './examine-redis';
import { examineReplica } from './examine-replica';
import { examineSecrets } from './examine-secrets';
import { fault, type Finding } from './finding';

const TIMEOUT_MS = 5_000;

/** Looks at an installation from outside and does what its services do; leaves nothing behind. In a fixed order. */
export async function examine(config: CliConfig): Promise<Finding[]> {
  const postgres = await examinePostgres(config);
  const isThere = postgres.length > 1;
  return [
    ...postgres,
    ...(isThere ? await examineLogins(loginsOf(config), config.databasePooler) : []),
    ...(isThere && config.databaseUrl
      ? [await examinePooler(config.serviceDatabaseUrls.readApi ?? config.databaseUrl, config.databasePooler)]
      : []),
    ...(isThere && config.databaseUrl && config.databaseReplicaUrl
      ? [await examineReplica(config.databaseReplicaUrl, config.databaseUrl)]
      : []),
    ...(await examineRedis(config)),
  ];
}

/** The command line's own login is the one that it works with, where no other is named. */
function loginsOf({ serviceDatabaseUrls, databaseUrl }: CliConfig): CliConfig['serviceDatabaseUrls'] {
  return { ...(databaseUrl !== undefined && { cli: databaseUrl }), ...serviceDatabaseUrls };
}

async function examinePostgres(config: CliConfig): Promise<Finding[]> {
  const { databaseUrl: url, sourceSecretsKey } = config;
  if (!url) return [fault('postgres', 'no address; set DATABASE_URL')];
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    return [
      fault(
        'postgres',
        `not reachable (${failureLine(error)}); check DATABASE_URL and that Postgres is running`,
      ),
    ];
  }
  try {
    const names = Object.values(loginsOf(config)).map((login) => decodeURIComponent(new URL(login).username));
    return [...(await examineDatabase(client, names)), await examineSecrets(client, sourceSecretsKey)];
  } finally {
    await client.end();
  }
}
