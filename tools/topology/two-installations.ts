import { join } from 'node:path';
import pg from 'pg';
import { newPassword } from '../local/installation.mjs';
import { createDatabase } from '../local/postgres.mjs';
import { run } from '../local/processes.mjs';
import { root } from '../local/settings.mjs';
import { withDatabase } from '../reliability/installation.ts';
import type { Section } from '../reliability/section.ts';
import { startAll, useEverything } from './traffic.ts';

/** Two installations on one server of Postgres and one Redis: neither takes the other's logins or jobs. */
export async function verifyTwoInstallations({ installation, report }: Section) {
  const line = { promise: 'two', limit: { exactly: 0 } };
  const second = withDatabase(installation.owner, 'second');
  await createDatabase(withDatabase(installation.owner, 'postgres'), 'second');
  const first = installation.logins.readApi;
  const taking = new URL(withDatabase(first, 'second'));
  taking.password = newPassword();
  const env = {
    ...{ PATH: process.env['PATH'] ?? '', DATABASE_URL: second },
    READ_API_DATABASE_URL: taking.toString(),
  };
  const program = join(root, 'apps/outcomes-cli/bundle/main.js');
  const taken = await run([process.execPath, program, 'migrate', '--logins'], {
    cwd: '/',
    env,
    timeout: 120_000,
  });
  report.note(taken.output.trim().split('\n').at(-1) ?? '');
  report.check({
    ...line,
    what: 'logins of the first that the second took',
    value: taken.code === 0 ? 1 : 0,
  });
  report.check({
    ...line,
    what: 'logins of the first that are refused since',
    value: (await logsIn(first)) ? 0 : 1,
  });

  // The second works beside the first, with names and a prefix of its own.
  await installation.outcomes(['migrate', '--json'], second);
  const tenants = [await installation.newTenant('First'), await installation.newTenant('Second', 'second')];
  const services = await startAll(installation, { environment: { REDIS_PREFIX: '{first}' } });
  const others = await startAll(installation, {
    environment: { REDIS_PREFIX: '{second}' },
    database: (url) => withDatabase(url, 'second'),
  });
  const [mine, theirs] = tenants;
  if (!mine || !theirs) return;
  const [one, two] = await Promise.all([
    useEverything(installation, services, mine, 100),
    useEverything(installation, others, theirs, 100),
  ]);
  report.check({
    ...{ ...line, what: `answers of ${one.answers + two.answers} that are no success` },
    value: one.failed + two.failed,
  });
  const answer = await fetch(`${others.read.url}/v1/patterns`, {
    headers: { authorization: `Bearer ${mine.apiKey}` },
  });
  report.check({
    ...line,
    what: 'answers of the second to a key of the first',
    value: answer.status === 401 ? 0 : 1,
  });
  await installation.stop();

  const name = new URL(first).username;
  await installation.query(`ALTER ROLE ${name} PASSWORD '${newPassword()}'`);
  report.mutation({
    ...{ ...line, what: 'a password that is simply set: logins of the first that are refused' },
    value: (await logsIn(first)) ? 0 : 1,
  });
  await installation.query(`ALTER ROLE ${name} PASSWORD '${decodeURIComponent(new URL(first).password)}'`);
}

async function logsIn(url: string) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
