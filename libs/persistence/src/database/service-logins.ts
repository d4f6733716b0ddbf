import { randomBytes } from 'node:crypto';
import { Client, escapeIdentifier, escapeLiteral } from 'pg';

/** Each service's login role, and the group whose grants it inherits. None owns a table or bypasses policies. */
export const SERVICE_LOGINS = {
  readApi: { role: 'outcomes_read_api', group: 'outcomes_reader' },
  ingestApi: { role: 'outcomes_ingest_api', group: 'outcomes_ingest' },
  mcpGateway: { role: 'outcomes_mcp_gateway', group: 'outcomes_reader' },
  analysisWorker: { role: 'outcomes_analysis_worker', group: 'outcomes_worker' },
  cli: { role: 'outcomes_cli', group: 'outcomes_admin' },
} as const;

export type ServiceLogin = keyof typeof SERVICE_LOGINS;

/**
 * Makes the login roles of an installation, each with a fresh random password.
 * @param url - Postgres URL of a role that may create roles
 * @returns the URL each service connects with; passwords stand nowhere else
 */
export async function createServiceLogins(url: string): Promise<Record<ServiceLogin, string>> {
  const urls = {} as Record<ServiceLogin, string>;
  for (const [name, { role }] of Object.entries(SERVICE_LOGINS)) {
    const login = new URL(url);
    login.username = role;
    login.password = randomBytes(24).toString('base64url');
    urls[name as ServiceLogin] = login.toString();
  }
  await ensureServiceLogins(url, urls);
  return urls;
}

/**
 * Makes sure that each service can connect with the URL it was given: the role exists, has that password and the
 * rights of its service, and no more. Running it again changes nothing; a new password or role name is taken
 * over, which is how credentials are rotated. A role that is no longer named stays until it is dropped.
 * @param url - Postgres URL of a role that may create roles
 * @param logins - Postgres URLs with user and password, by service; services left out are left alone
 * @throws RangeError naming the service (never the URL) whose URL lacks a user or a password
 */
export async function ensureServiceLogins(
  url: string,
  logins: Partial<Record<ServiceLogin, string>>,
): Promise<void> {
  const wanted = Object.entries(logins).map(([name, login]) => ({
    ...credentialsOf(name, login),
    group: SERVICE_LOGINS[name as ServiceLogin].group,
  }));
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 10_000 });
  await client.connect();
  try {
    for (const { role, password, group } of wanted) {
      await client.query(`DO $$ BEGIN
        CREATE ROLE ${escapeIdentifier(role)} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS;
      EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`);
      await client.query(`ALTER ROLE ${escapeIdentifier(role)} PASSWORD ${escapeLiteral(password)}`);
      await client.query(`GRANT ${escapeIdentifier(group)} TO ${escapeIdentifier(role)}`);
    }
  } finally {
    await client.end();
  }
}

function credentialsOf(name: string, login: string): { role: string; password: string } {
  const parsed = URL.parse(login);
  if (!parsed?.username || !parsed.password) {
    throw new RangeError(`The URL of ${name} must name a user and a password.`);
  }
  return { role: decodeURIComponent(parsed.username), password: decodeURIComponent(parsed.password) };
}
