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
 * Makes the login roles, each with a fresh random password.
 * @param url - Postgres URL of a role that may create roles
 * @returns the URL each service connects with; passwords stand nowhere else
 */
export async function createServiceLogins(url: string): Promise<Record<ServiceLogin, string>> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    const urls = {} as Record<ServiceLogin, string>;
    for (const [name, { role, group }] of Object.entries(SERVICE_LOGINS)) {
      const password = randomBytes(24).toString('base64url');
      await client.query(`DO $$ BEGIN
        CREATE ROLE ${escapeIdentifier(role)} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS;
      EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`);
      await client.query(`ALTER ROLE ${escapeIdentifier(role)} PASSWORD ${escapeLiteral(password)}`);
      await client.query(`GRANT ${escapeIdentifier(group)} TO ${escapeIdentifier(role)}`);
      const login = new URL(url);
      login.username = role;
      login.password = password;
      urls[name as ServiceLogin] = login.toString();
    }
    return urls;
  } finally {
    await client.end();
  }
}
