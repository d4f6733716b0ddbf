import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { run } from '../local/processes.mjs';
import { root } from '../local/settings.mjs';
import type { Installation } from '../reliability/installation.ts';

const cli = join(root, 'apps/outcomes-cli/bundle/main.js');

/** What sources of the installation are encrypted with. */
export const SECRETS = { SOURCE_SECRETS_KEY: randomBytes(32).toString('base64') };

/**
 * A source of Smartlead.
 * @returns the path that it delivers to
 */
export async function connect(installation: Installation, companyId: string): Promise<string> {
  const args = ['sources', 'create', '--company', companyId, '--tool', 'smartlead', '--json'];
  return (await outcomes(installation, args)).path;
}

/** Runs the command line. */
export async function outcomes({ logins, redisUrl }: Installation, args: string[]) {
  const env = { ...process.env, ...SECRETS, DATABASE_URL: logins.cli, REDIS_URL: redisUrl };
  const { code, stdout, output } = await run([process.execPath, cli, ...args], {
    ...{ cwd: root, env, timeout: 120_000 },
  });
  if (code !== 0) throw new Error(`outcomes ${args[0]} failed: ${output.trim().slice(-300)}`);
  return JSON.parse(stdout);
}
