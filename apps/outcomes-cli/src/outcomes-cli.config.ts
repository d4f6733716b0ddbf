import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { InstallationLogin } from '@outcomes/persistence';
import { filesIn, poolerNamed, type Pooler } from '@outcomes/platform/process';

/** Where the program finds the installation. Flags win over variables, variables over the local quickstart. */
export interface CliConfig {
  /** As an administrator: companies and keys. */
  readonly databaseUrl?: string;
  /** As the owner of the tables: migrations and logins. */
  readonly ownerDatabaseUrl?: string;
  /** As somebody who sees all rows, for backups. */
  readonly backupDatabaseUrl?: string;
  /** The logins that `migrate --logins` puts in place and `doctor` tries, by service. */
  readonly serviceDatabaseUrls: Partial<Record<InstallationLogin, string>>;
  /** The standby that services read documents from. */
  readonly databaseReplicaUrl?: string;
  readonly redisUrl?: string;
  /** As services have it in REDIS_SENTINELS; an empty list where REDIS_URL leads to the primary. */
  readonly redisSentinels: string;
  readonly redisPrefix: string;
  /** What stands between the logins and Postgres. */
  readonly databasePooler: Pooler;
  /** PEM files of certificate authorities to trust beside the public ones. */
  readonly trustedCaFiles: readonly string[];
  readonly keyPrefix: string;
  readonly readApiUrl: string;
  readonly ingestApiUrl: string;
  readonly mcpUrl: string;
  readonly consoleUrl: string;
  readonly apiKey?: string;
  /** What secrets of sources are encrypted with. */
  readonly sourceSecretsKey?: string;
  /** Who works at the command line, as the administration log names it. */
  readonly operator: string;
}

/** Where the URL of each login is given. */
export const LOGIN_VARIABLES = {
  readApi: 'READ_API_DATABASE_URL',
  ingestApi: 'INGEST_API_DATABASE_URL',
  mcpGateway: 'MCP_GATEWAY_DATABASE_URL',
  analysisWorker: 'ANALYSIS_WORKER_DATABASE_URL',
  console: 'CONSOLE_DATABASE_URL',
  cli: 'CLI_DATABASE_URL',
  backup: 'BACKUP_DATABASE_URL',
} as const satisfies Record<InstallationLogin, string>;

/**
 * Reads the environment; what it leaves open comes from the files that `npm start` keeps in .local/ of the
 * current folder, so that the program works beside a running quickstart without any setting.
 */
export function loadCliConfig(): CliConfig {
  const local = { ...readLocal('environment.json'), ...readLocal('quickstart.json') };
  // Those of the database that `npm start` runs, and of no other.
  const logins = process.env.DATABASE_URL === undefined ? readLocal('environment.json', 'logins') : {};
  const setting = (variable: string, field: string) => process.env[variable] ?? local[field];
  return {
    databaseUrl: setting('DATABASE_URL', 'databaseUrl'),
    ownerDatabaseUrl: setting('DATABASE_URL', 'ownerDatabaseUrl'),
    backupDatabaseUrl: process.env.BACKUP_DATABASE_URL ?? setting('DATABASE_URL', 'ownerDatabaseUrl'),
    serviceDatabaseUrls: loginUrls(logins),
    databaseReplicaUrl: process.env.DATABASE_REPLICA_URL,
    redisUrl: setting('REDIS_URL', 'redisUrl'),
    redisSentinels: process.env.REDIS_SENTINELS ?? '',
    databasePooler: poolerNamed(process.env.DATABASE_POOLER),
    trustedCaFiles: filesIn(process.env.TRUSTED_CA_FILES ?? ''),
    redisPrefix: process.env.REDIS_PREFIX ?? '{outcomes}',
    keyPrefix: process.env.KEY_PREFIX ?? 'svc',
    readApiUrl: setting('READ_API_URL', 'readApiUrl') ?? 'http://127.0.0.1:3001/v1',
    ingestApiUrl: setting('INGEST_API_URL', 'ingestApiUrl') ?? 'http://127.0.0.1:3002',
    mcpUrl: setting('MCP_URL', 'mcpUrl') ?? 'http://127.0.0.1:3003/mcp',
    consoleUrl: setting('CONSOLE_URL', 'consoleUrl') ?? 'http://localhost:3000',
    apiKey: setting('OUTCOMES_API_KEY', 'apiKey'),
    sourceSecretsKey: setting('SOURCE_SECRETS_KEY', 'sourceSecretsKey'),
    operator: (process.env.OUTCOMES_OPERATOR || loginName()).slice(0, 128),
  };
}

function loginName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a user who has no name.
    return 'unknown';
  }
}

function loginUrls(local: Readonly<Record<string, string>>): Partial<Record<InstallationLogin, string>> {
  const urls = Object.entries(LOGIN_VARIABLES).map(([login, variable]) => [
    login,
    process.env[variable] ?? (login === 'backup' ? undefined : local[login]),
  ]);
  return Object.fromEntries(urls.filter(([, url]) => url));
}

function readLocal(file: string, part?: string): Readonly<Record<string, string>> {
  try {
    const whole = JSON.parse(readFileSync(join('.local', file), 'utf8')) as Record<string, unknown>;
    const parsed = part === undefined ? whole : whole[part];
    if (typeof parsed !== 'object' || parsed === null) return {};
    return Object.fromEntries(Object.entries(parsed).filter(([, value]) => typeof value === 'string'));
  } catch {
    // No quickstart here; then variables and flags must say everything.
    return {};
  }
}
