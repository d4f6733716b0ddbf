import { join } from 'node:path';
import { newPassword } from '../local/installation.mjs';
import { expectDone, loginOf, loginsOf, newCluster, outcomes } from '../reliability/empty-cluster.ts';
import type { Tenant } from '../reliability/installation.ts';
import type { Section } from '../reliability/section.ts';
import { queryAs } from '../reliability/stored-rows.ts';
import { doctor, startAll, useEverything } from './traffic.ts';

const database = 'outcomes';
const prefix = '{managed}';

/**
 * A Postgres whose superuser is the provider: the owner of the database may make roles, and nothing that a superuser may.
 */
export async function verifyManaged({ installation, report }: Section) {
  const line = { promise: 'managed', limit: { exactly: 0 } };
  const cluster = await newCluster(installation, 'managed', database, true);
  const asProvider = (text: string, values: unknown[] = []) => queryAs(cluster.owner, text, values);
  try {
    const password = newPassword();
    const owner = loginOf(cluster.owner, 'platform', password);
    await asProvider(`CREATE ROLE platform LOGIN NOSUPERUSER CREATEROLE PASSWORD '${password}'`);
    await asProvider(`ALTER DATABASE ${database} OWNER TO platform`);
    const passwordOfLogins = newPassword();
    const logins = loginsOf(cluster.owner, passwordOfLogins);
    const env = { ...logins, DATABASE_URL: owner };
    const migrated = await outcomes(['migrate', '--logins'], env);
    if (migrated.code !== 0) report.note(migrated.output.trim());
    report.check({ ...line, what: 'complaints of outcomes migrate --logins', value: migrated.code });
    const [owned] = await asProvider(
      `SELECT count(*)::int AS n FROM pg_tables WHERE schemaname = 'public' AND tableowner <> 'platform'`,
    );
    report.check({ ...line, what: 'tables that are not its own', value: owned.n });

    const asUser = (url: string) => loginOf(cluster.owner, new URL(url).username, passwordOfLogins);
    const setting = { environment: { REDIS_PREFIX: prefix }, database: asUser };
    const tenant = await newTenant(installation.redisUrl, logins['CLI_DATABASE_URL'] ?? '');
    const services = await startAll(installation, setting);
    const used = await useEverything({ query: asProvider }, services, tenant, 200);
    report.check({ ...line, what: `answers of ${used.answers} that are no success`, value: used.failed });
    report.check({ ...line, what: 'batches that are not counted', value: used.uncounted });
    const examined = await doctor(installation, { ...setting, redisUrl: installation.redisUrl });
    if (examined.code !== 0) report.note(examined.output.trim());
    report.check({ ...line, what: 'faults that the doctor finds', value: examined.code });
    await installation.stop();

    const file = join(installation.directory, 'managed.gz');
    report.mutation({
      ...{ ...line, what: 'nobody made the role for backups: complaints of outcomes backup' },
      value: (await outcomes(['backup', file], env)).code,
    });
    // What outcomes migrate says that the provider has to run.
    await asProvider('CREATE ROLE outcomes_backup NOLOGIN BYPASSRLS');
    await asProvider('GRANT outcomes_backup TO platform WITH ADMIN OPTION');
    expectDone(await outcomes(['migrate', '--logins'], env), 'migrate --logins');
    const saved = await outcomes(['backup', file], env);
    if (saved.code !== 0) report.note(saved.output.trim());
    report.check({ ...line, what: 'complaints of outcomes backup once somebody has', value: saved.code });

    await asProvider(`CREATE ROLE lesser LOGIN PASSWORD '${password}'`);
    await asProvider('CREATE DATABASE lesser OWNER lesser');
    const lesser = loginOf(cluster.owner.replace(/[^/]+$/, 'lesser'), 'lesser', password);
    const refused = await outcomes(['migrate', '--logins'], { ...logins, DATABASE_URL: lesser });
    report.note(refused.output.trim().split('\n').at(-1) ?? '');
    report.mutation({
      ...{ ...line, what: 'an owner that may make no roles: complaints of outcomes migrate --logins' },
      value: refused.code,
    });
  } finally {
    await installation.stop();
    await cluster.life.stop();
  }
}

async function newTenant(redisUrl: string, cli: string): Promise<Tenant> {
  const env = { DATABASE_URL: cli, REDIS_URL: redisUrl, REDIS_PREFIX: prefix };
  const json = async (args: string[]) =>
    JSON.parse(expectDone(await outcomes([...args, '--json'], env), args.join(' ')).stdout);
  const { companyId } = await json(['company', 'create', 'Managed']);
  const limits = ['--burst', '100000000', '--monthly', '100000000'];
  const { apiKey } = await json(['keys', 'create', '--company', companyId, '--name', 'Managed', ...limits]);
  return { companyId, apiKey };
}
