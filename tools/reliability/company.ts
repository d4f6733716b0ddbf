import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../local/failure.mjs';
import { newPassword } from '../local/installation.mjs';
import { expectDone, loginOf, newCluster, outcomes } from './empty-cluster.ts';
import { redisKeysWith } from './erasure.ts';
import { makeHistory, type Scene } from './history.ts';
import { withDatabase, type App, type Installation, type Tenant } from './installation.ts';
import type { Report } from './report.ts';
import { bodyOf, exchange, headersOf, smallEvents } from './requests.ts';
import type { Section } from './section.ts';
import { differences, queryAs, type Prints } from './stored-rows.ts';

const database = 'company';
const prefix = '{company}';
/** What a deletion leaves on purpose: that it was, and who did it. */
const kept = ['administration_log', 'erasures'];
/** Tables of a company that its history, its people and its connections fill. */
const leastTables = 30;

/**
 * A company is exported whole and deleted whole, while it still sends, and does not come back with a backup; the company
 * beside it notices nothing.
 */
export async function verifyCompany({ installation, report, isShort }: Section) {
  const line = { promise: 'company', limit: { exactly: 0 } };
  const password = newPassword();
  await installation.query(`CREATE ROLE company_owner LOGIN CREATEROLE PASSWORD '${password}'`);
  await installation.query(`CREATE DATABASE ${database} OWNER company_owner`);
  const superuser = withDatabase(installation.owner, database);
  const owner = loginOf(superuser, 'company_owner', password);
  await installation.outcomes(['migrate', '--json'], owner);
  await installation.query(`CREATE ROLE company_backup LOGIN PASSWORD '${password}' IN ROLE outcomes_backup`);
  const env = {
    ...{ DATABASE_URL: owner, BACKUP_DATABASE_URL: loginOf(superuser, 'company_backup', password) },
    ...{ REDIS_URL: installation.redisUrl, REDIS_PREFIX: prefix },
    SOURCE_SECRETS_KEY: randomBytes(32).toString('base64'),
  };
  const place = {
    urlOf: (app: App) => installation.loginTo(app, database),
    query: (text: string, values: unknown[] = []) => installation.query(text, values, database),
  };
  const [tenant, other] = [
    await installation.newTenant('Leaving', database),
    await installation.newTenant('Staying', database),
  ];
  const { scene, ingest } = await makeHistory(installation, place, {
    ...{ tenant, other, batches: isShort ? 4 : 40, environment: { REDIS_PREFIX: prefix } },
  });
  const asCli = { ...env, DATABASE_URL: withDatabase(installation.logins.cli, database) };
  const people = await populate(asCli, tenant, other);
  const [{ event }] = await place.query(
    'SELECT event_id AS event FROM outcome_events WHERE company_id = $1 AND recipient_id <> $2 LIMIT 1',
    [tenant.companyId, scene.erased],
  );
  const needles = [tenant.companyId, ...scene.needles, String(event), people.leaving];

  await verifyExport({ installation, report, env, superuser, tenant, scene });

  const file = join(installation.directory, 'company.gz');
  expectDone(await outcomes(['backup', file], env), 'backup');
  const before = await printsOf(superuser, other.companyId);
  const sending = keepSending(`${ingest.url}/ingest/events`, tenant.apiKey);
  const began = performance.now();
  const deleted = expectDone(
    await outcomes(['company', 'delete', tenant.companyId, '--yes', '--json'], env),
    'company delete',
  );
  const meanwhile = await sending.stop();
  report.note(
    `${JSON.parse(deleted.stdout).rows} rows deleted in ${Math.round(performance.now() - began)} ms; meanwhile answers by status: ${JSON.stringify([...meanwhile])}`,
  );
  const after = keepSending(`${ingest.url}/ingest/events`, tenant.apiKey);
  await delay(2_000);
  report.check({
    ...{ ...line, what: 'batches taken with its key once it is deleted' },
    value: (await after.stop()).get(202) ?? 0,
  });
  const left = await tracesOf(superuser, needles);
  report.note(`traces in ${left.join(', ') || 'no table'}`);
  report.check({
    ...{ ...line, what: 'tables with a trace, but for the ledger of erasures and the log of who did it' },
    value: left.filter((name) => !kept.includes(name)).length,
  });
  report.check({
    ...{ ...line, what: 'accounts left of people who were in no other company' },
    value: (await place.query('SELECT FROM users WHERE email = $1', [people.leaving])).length,
  });
  report.check({
    ...{ ...line, what: 'accounts left of people who are in another one', limit: { exactly: 1 } },
    value: (await place.query('SELECT FROM users WHERE email = $1', [people.both])).length,
  });
  report.check({
    ...{ ...line, what: 'keys of Redis with a trace of its recipients' },
    value: await redisKeysWith(installation.redisUrl, needles.slice(1)),
  });
  const differing = differences(before, await printsOf(superuser, other.companyId));
  if (differing.length > 0) report.note(differing.join(', '));
  report.check({
    ...line,
    what: 'tables in which the company beside it has other rows',
    value: differing.length,
  });
  await installation.stop();

  const ledger = join(installation.directory, 'company.ndjson');
  expectDone(await outcomes(['erasures', 'export', ledger], env), 'erasures export');
  const restored = async (name: string, ...flags: string[]) => {
    const cluster = await newCluster(installation, name, database);
    try {
      expectDone(await outcomes(['restore', file, ...flags], { DATABASE_URL: cluster.owner }), 'restore');
      return (await tracesOf(cluster.owner, needles)).filter((table) => !kept.includes(table)).length;
    } finally {
      await cluster.life.stop();
    }
  };
  report.check({
    ...{ ...line, what: 'restored from a backup before, with erasures: tables with a trace' },
    value: await restored('company-back', '--erasures', ledger),
  });
  report.mutation({
    ...{ ...line, what: 'restored without erasures: tables with a trace' },
    value: await restored('company-forgetful'),
  });

  // As somebody would do it who thinks of what a company has sent.
  for (const table of ['touches', 'outcome_events', 'api_keys', 'companies'])
    await installation.query(`DELETE FROM ${table} WHERE company_id = $1`, [other.companyId], database);
  report.mutation({
    ...{ ...line, what: 'its events, messages and keys deleted, and nothing else: tables with a trace' },
    value: (await tracesOf(superuser, [other.companyId])).filter((name) => !kept.includes(name)).length,
  });
}

/** People, a webhook and a source. */
async function populate(asCli: Record<string, string>, tenant: Tenant, other: Tenant) {
  const token = randomBytes(6).toString('hex');
  const [leaving, both] = [`leaving-${token}@example.com`, `both-${token}@example.com`];
  const done = async (...args: string[]) =>
    expectDone(await outcomes([...args, '--json'], asCli), args.slice(0, 2).join(' '));
  const user = (email: string, { companyId }: Tenant) =>
    done('user', 'create', '--company', companyId, '--email', email, '--role', 'member', '--existing');
  await user(leaving, tenant);
  await user(both, tenant);
  await user(both, other);
  await done('company', 'contact', tenant.companyId, '--set', leaving);
  await done('webhooks', 'create', '--company', tenant.companyId, '--url', 'https://example.com/hook');
  await done('sources', 'create', '--company', tenant.companyId, '--tool', 'smartlead');
  return { leaving, both };
}

async function verifyExport({
  installation,
  report,
  env,
  superuser,
  tenant,
  scene,
}: {
  installation: Installation;
  report: Report;
  env: Record<string, string>;
  superuser: string;
  tenant: Tenant;
  scene: Scene;
}) {
  const line = { promise: 'company', limit: { exactly: 0 } };
  const exported = async (name: string, ...flags: string[]) => {
    const file = join(installation.directory, name);
    expectDone(
      await outcomes(['company', 'export', tenant.companyId, file, ...flags], env),
      'company export',
    );
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    return lines.map((text) => JSON.parse(text) as { table: string; row: Record<string, unknown> });
  };
  const whole = await exported('company.all.ndjson');
  const stored = await printsOf(superuser, tenant.companyId);
  const filled = Object.entries(stored).filter(([, { rows }]) => rows > 0);
  report.note(
    `empty: ${Object.keys(stored)
      .filter((name) => stored[name]?.rows === 0)
      .join(' ')}`,
  );
  report.check({
    ...{ ...line, what: `tables of ${Object.keys(stored).length} in which the company has rows` },
    ...{ value: filled.length, limit: { least: leastTables } },
  });
  const short = filled.filter(
    ([name, { rows }]) => whole.filter(({ table }) => table === name).length !== rows,
  );
  if (short.length > 0) report.note(short.map(([name]) => name).join(', '));
  report.check({
    ...line,
    what: `export: of ${whole.length} rows, tables with another number`,
    value: short.length,
  });
  const secrets = await secretsOf(superuser, tenant.companyId);
  const text = JSON.stringify(whole);
  report.check({
    ...{ ...line, what: `export: of ${secrets.length} hashes and secrets that prove something, told` },
    value: secrets.filter((secret) => text.includes(secret)).length,
  });
  const own = await exported('company.one.ndjson', '--recipient', scene.erased);
  const isAbout = (row: unknown) => scene.needles.some((needle) => JSON.stringify(row).includes(needle));
  // Documents about many people name nobody; a batch names events, and no person.
  const about = whole.filter(({ row }) =>
    scene.needles.slice(0, 1).some((token) => JSON.stringify(row).includes(token)),
  );
  const told = new Set(own.map((one) => JSON.stringify(one)));
  const missing = about.filter((one) => !told.has(JSON.stringify(one)));
  report.note(
    `of one person: ${own.length} rows of ${[...new Set(own.map(({ table }) => table))].join(' ')}`,
  );
  if (missing.length > 0)
    report.note(`missing: ${[...new Set(missing.map(({ table }) => table))].join(' ')}`);
  report.check({
    ...line,
    what: `export of one person: of ${about.length} rows that name it, missing`,
    value: missing.length,
  });
  report.check({
    ...{ ...line, what: 'export of one person: rows that are about nobody or somebody else' },
    value: own.filter(({ row }) => !isAbout(row) && !JSON.stringify(row).includes('recipient_sha')).length,
  });
  report.mutation({
    ...{ ...line, what: 'export of one person by its id alone: rows that name it, missing' },
    value: about.filter(({ row }) => row['recipient_id'] !== scene.erased).length,
  });
}

/** What is stored in columns that only prove something, as JSON shows bytes. */
async function secretsOf(url: string, companyId: string) {
  const columns = await queryAs(
    url,
    `SELECT table_name AS name, column_name AS column FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name ~ '(secret|token|invitation_sha256)' AND table_name <> 'sign_in_attempts'`,
  );
  const found = [];
  for (const { name, column } of columns) {
    const rows = await queryAs(
      url,
      `SELECT trim(both '"' from to_json("${column}")::text) AS secret FROM "${name}" WHERE company_id = $1 AND "${column}" IS NOT NULL`,
      [companyId],
    ).catch((error) => {
      throw new Failure(`${name}.${column}: ${error.message}`);
    });
    found.push(...rows.map(({ secret }) => String(secret).replaceAll('\\\\', '')));
  }
  if (found.length === 0) throw new Failure('no secret was found that could be told');
  return found.map((secret) => secret.replace(/^\\?x/, ''));
}

/** Of every table of companies the count and a hash of one company's rows. */
async function printsOf(url: string, companyId: string): Promise<Prints> {
  const tables = await queryAs(
    url,
    `SELECT table_name AS name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema = 'public' AND column_name = 'company_id' AND table_type = 'BASE TABLE' ORDER BY 1`,
  );
  const prints: Prints = {};
  for (const { name } of tables) {
    // When a key was last used is written within a minute, and may be of before.
    const content = name === 'api_keys' ? `(to_jsonb(one) - 'last_used_at')` : 'one';
    const [row] = await queryAs(
      url,
      `SELECT count(*)::int AS rows, coalesce(md5(string_agg(${content}::text, E'\\n' ORDER BY ${content}::text COLLATE "C")), '') AS print
       FROM ${name} AS one WHERE company_id = $1`,
      [companyId],
    );
    prints[name] = row;
  }
  return prints;
}

/** Names of the tables in which a row has one of them. */
async function tracesOf(url: string, needles: readonly string[]): Promise<string[]> {
  const tables = await queryAs(
    url,
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
  );
  const patterns = needles.flatMap((needle) => [`%${needle}%`, `%${Buffer.from(needle).toString('hex')}%`]);
  const found = [];
  for (const { name } of tables) {
    const rows = await queryAs(url, `SELECT FROM ${name} AS one WHERE one::text LIKE ANY ($1) LIMIT 1`, [
      patterns,
    ]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

/** Posts until told to stop, and says how often it was answered what. */
function keepSending(url: string, apiKey: string) {
  const statuses: Map<number, number> = new Map();
  let stopped = false;
  const sending = (async () => {
    while (!stopped) {
      const { status } = await exchange(url, { headers: headersOf(apiKey), body: bodyOf(smallEvents(5)) });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      await delay(20);
    }
  })();
  sending.catch(() => {});
  return {
    stop: async () => {
      stopped = true;
      await sending;
      return statuses;
    },
  };
}
