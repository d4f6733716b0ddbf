import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { InstallationLogin } from '@outcomes/persistence';
import { filesIn, poolerNamed, POOLERS, type Pooler } from '@outcomes/platform/process';

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
  /** Where outreach tools reach ingest-api; empty where nobody said it, undefined where they reach it as this program does. */
  readonly ingestApiPublicUrl?: string;
  readonly mcpUrl: string;
  readonly consoleUrl: string;
  readonly apiKey?: string;
  /** Whether that key is the one of the demonstration, which nobody named. */
  readonly isDemonstrationKey: boolean;
  /** Whether the database is that of `npm start` in this folder, which nobody named. */
  readonly isQuickstart: boolean;
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
  const isLocal = process.env.DATABASE_URL === undefined;
  const logins = isLocal ? readLocal('environment.json', 'logins') : {};
  const setting = (variable: string, field: string) => process.env[variable] ?? local[field];
  return {
    databaseUrl: setting('DATABASE_URL', 'databaseUrl'),
    ownerDatabaseUrl: setting('DATABASE_URL', 'ownerDatabaseUrl'),
    backupDatabaseUrl: process.env.BACKUP_DATABASE_URL ?? setting('DATABASE_URL', 'ownerDatabaseUrl'),
    serviceDatabaseUrls: loginUrls(logins),
    databaseReplicaUrl: process.env.DATABASE_REPLICA_URL,
    redisUrl: process.env.REDIS_URL ?? (isLocal ? local.redisUrl : undefined),
    redisSentinels: process.env.REDIS_SENTINELS ?? '',
    databasePooler: poolerNamed(process.env.DATABASE_POOLER),
    trustedCaFiles: filesIn(process.env.TRUSTED_CA_FILES ?? ''),
    redisPrefix: process.env.REDIS_PREFIX ?? '{outcomes}',
    keyPrefix: process.env.KEY_PREFIX ?? 'svc',
    readApiUrl: setting('READ_API_URL', 'readApiUrl') ?? 'http://127.0.0.1:3001/v1',
    ingestApiUrl: setting('INGEST_API_URL', 'ingestApiUrl') ?? 'http://127.0.0.1:3002',
    ingestApiPublicUrl: process.env.INGEST_API_PUBLIC_URL,
    mcpUrl: setting('MCP_URL', 'mcpUrl') ?? 'http://127.0.0.1:3003/mcp',
    consoleUrl: setting('CONSOLE_URL', 'consoleUrl') ?? 'http://localhost:3000',
    apiKey: setting('OUTCOMES_API_KEY', 'apiKey'),
    isDemonstrationKey: process.env.OUTCOMES_API_KEY === undefined && local.apiKey !== undefined,
    isQuickstart: isLocal && local.databaseUrl !== undefined,
    sourceSecretsKey: process.env.SOURCE_SECRETS_KEY ?? (isLocal ? local.sourceSecretsKey : undefined),
    operator: (process.env.OUTCOMES_OPERATOR || loginName()).slice(0, 128),
  };
}

/** @returns what is wrong with a variable, naming it and never its value */
export function faultOfSettings(): string | undefined {
  const urls = new Set(['DATABASE_URL', 'DATABASE_REPLICA_URL', ...Object.values(LOGIN_VARIABLES)]);
  for (const variable of urls) {
    if (!isPostgresUrl(process.env[variable]))
      return `${variable} is not a URL as postgres://USER:PASSWORD@HOST:5432/DATABASE; write a % in a password as %25.`;
  }
  const pooler = process.env.DATABASE_POOLER;
  return pooler && poolerNamed(pooler) !== pooler
    ? `DATABASE_POOLER is none of ${POOLERS.join(', ')}.`
    : undefined;
}

function isPostgresUrl(text: string | undefined): boolean {
  if (!text) return true;
  try {
    const { protocol, username, password } = new URL(text);
    decodeURIComponent(`${username}:${password}`);
    return /^postgres(ql)?:$/.test(protocol);
  } catch {
    return false;
  }
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
  const urls: Partial<Record<InstallationLogin, string>> = {};
  for (const [login, variable] of Object.entries(LOGIN_VARIABLES) as [InstallationLogin, string][]) {
    const url = process.env[variable] ?? (login === 'backup' ? undefined : local[login]);
    if (url) urls[login] = url;
  }
  return urls;
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
