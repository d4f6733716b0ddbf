import { join } from 'node:path';
import { Failure } from '../local/failure.mjs';
import { newPassword } from '../local/installation.mjs';
import { freePort } from '../local/ports.mjs';
import { createDatabase, initialisePostgres, postgresService, postgresUrl } from '../local/postgres.mjs';
import { run } from '../local/processes.mjs';
import { root } from '../local/settings.mjs';
import type { Installation } from './installation.ts';
import { Life } from './life.ts';

interface Ending {
  code: number;
  stdout: string;
  output: string;
}

const cli = join(root, 'apps/outcomes-cli/bundle/main.js');
/** Names of logins, and the variables that `migrate --logins` takes their URLs from. */
const variables = {
  outcomes_read_api: 'READ_API_DATABASE_URL',
  outcomes_ingest_api: 'INGEST_API_DATABASE_URL',
  outcomes_mcp_gateway: 'MCP_GATEWAY_DATABASE_URL',
  outcomes_analysis_worker: 'ANALYSIS_WORKER_DATABASE_URL',
  outcomes_console_app: 'CONSOLE_DATABASE_URL',
  outcomes_cli: 'CLI_DATABASE_URL',
  backup_reader: 'BACKUP_DATABASE_URL',
};

/**
 * A cluster beside the installation's, in which no role but its superuser is, with an empty database.
 * @param name Of its folder.
 * @param durable Whether it waits for the disk.
 */
export async function newCluster(
  installation: Installation,
  name: string,
  database: string,
  durable = false,
) {
  const access = { port: await freePort(), password: newPassword() };
  const options = { ...access, directory: join(installation.directory, name), durable };
  await initialisePostgres(options);
  const service = { ...postgresService(options), name: `postgres-${name}` };
  const life = await new Life(service, installation.directory).start();
  await createDatabase(postgresUrl(access), database);
  return { access, life, directory: options.directory, owner: postgresUrl(access, database) };
}

/**
 * What `migrate --logins` is told: URLs of all logins, by variable, with a password of theirs.
 * @param owner URL of the database.
 */
export function loginsOf(owner: string, password: string = newPassword()): Record<string, string> {
  const entries = Object.entries(variables).map(([role, variable]) => [
    variable,
    loginOf(owner, role, password),
  ]);
  return Object.fromEntries(entries);
}

export async function outcomes(args: string[], env: Record<string, string>): Promise<Ending> {
  const command = [process.execPath, cli, ...args];
  // From a folder without settings of an installation.
  return run(command, { cwd: '/', env: { PATH: process.env['PATH'] ?? '', ...env }, timeout: 600_000 });
}

export function expectDone(ending: Ending, what: string): Ending {
  if (ending.code !== 0) throw new Failure(`outcomes ${what}: ${ending.output.trim()}`);
  return ending;
}

export function loginOf(url: string, user: string, password: string) {
  const login = new URL(url);
  login.username = user;
  login.password = password;
  return login.toString();
}
