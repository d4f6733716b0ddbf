import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { typicalEvent } from '../bench/events.mjs';
import { Failure } from '../local/failure.mjs';
import { newPassword } from '../local/installation.mjs';
import { freePort } from '../local/ports.mjs';
import { createDatabase, initialisePostgres, postgresService, postgresUrl } from '../local/postgres.mjs';
import { run, within } from '../local/processes.mjs';
import { root } from '../local/settings.mjs';
import { Installation, type Tenant } from '../reliability/installation.ts';
import { Life } from '../reliability/life.ts';
import type { Report } from '../reliability/report.ts';
import { bodyOf, exchange, headersOf } from '../reliability/requests.ts';
import type { Section } from '../reliability/section.ts';
import { doctor, startAll } from './traffic.ts';

type Services = Awaited<ReturnType<typeof startAll>>;
/** By what was asked. */
type Answers = Record<string, { isGood: boolean; body: string }>;

const patience = 120_000;
/** How long services that speak to Citus as to one Postgres are given to count anything: of those that do not, a second. */
const enough = 15_000;
const batches = 8;
const erased = 'recipient-11';
/** Where Debian and Postgres' own packages for it put servers, one folder for each version. */
const servers = '/usr/lib/postgresql';

/**
 * The installation is spread over a coordinator and two workers of Citus. What it answers is held against what another
 * one on a single Postgres answers to the same questions about the same events.
 */
export async function verifyCitus({ installation: single, report }: Section) {
  const line = { promise: 'citus', limit: { exactly: 0 } };
  const cluster = await startCluster(single);
  try {
    const { spread } = cluster;
    const tenants = [await single.newTenant('First'), await single.newTenant('Second')];
    await copyCompanies(single, spread);
    const events = tenants.map((_, tenant) => eventsOf(tenant));
    const [alone, apart] = [
      await startAll(single, { environment: { REDIS_PREFIX: '{single}' } }),
      await startAll(spread, { environment: { REDIS_PREFIX: '{spread}', AUDIT_SEAL_INTERVAL_MS: '1000' } }),
    ];
    const both: [Installation, Services][] = [
      [single, alone],
      [spread, apart],
    ];
    for (const [installation, services] of both) {
      const began = performance.now();
      await sendAll(services, tenants, events);
      const settled = () => within(patience, () => isSettled(installation, tenants.length));
      if (!(await settled())) throw new Failure('the events were not counted and analysed');
      const seconds = ((performance.now() - began) / 1_000).toFixed(1);
      report.note(
        `${installation === spread ? 'spread' : 'single'}: events counted and analysed after ${seconds} s`,
      );
      // The first analysis may have begun before all of them were counted.
      await analyseAgain(services, tenants);
      if (!(await settled())) throw new Failure('the events were not analysed again');
    }
    await compare(report, 'after the first analysis', both, tenants);

    report.mutation({
      ...{ ...line, what: 'before the erasure: rows of whoever is erased' },
      value: await rowsOf(spread, erased),
    });
    for (const [, services] of both) await erase(services, tenants);
    for (const [installation] of both)
      if (!(await within(patience, () => isSettled(installation, tenants.length))))
        throw new Failure('the erasure was not followed by an analysis');
    await compare(report, 'after an erasure', both, tenants);
    report.check({
      ...{ ...line, what: 'rows of whoever was erased' },
      value: await rowsOf(spread, erased),
    });
    report.check({
      ...{ ...line, what: 'companies whose events are on more than one node' },
      value: await scattered(spread, tenants),
    });
    report.check({ ...line, what: 'errors that the three servers wrote down', value: cluster.errors() });

    // From here on there are errors: the doctor tries what no login may do.
    const examined = await doctor(spread, { environment: {}, redisUrl: spread.redisUrl });
    if (examined.code !== 0) report.note(examined.output.trim());
    report.check({ ...line, what: 'faults that the doctor finds', value: examined.code });
    for (const { companyId } of tenants) {
      const replayed = await spread.outcomes(['decisions', 'replay', '--company', companyId, '--json']);
      report.check({
        ...{ ...line, what: `decisions of ${replayed.replayed} that are not replayed byte for byte` },
        value: replayed.replayed > 0 ? replayed.replayed - replayed.identical : Number.NaN,
      });
    }
    await within(patience, async () => (await unsealed(spread)) === 0);
    report.check({ ...line, what: 'calls of tools that no seal covers', value: await unsealed(spread) });
    for (const { companyId } of tenants)
      await spread.outcomes(['audit', 'verify', '--company', companyId, '--json']);
    await single.stop();
    await spread.stop();

    // From here on Citus is spoken to as one Postgres is.
    const preload = `--import=${join(import.meta.dirname, 'one-postgres.mjs')}`;
    const mutant = await startAll(spread, {
      environment: { REDIS_PREFIX: '{mutant}', NODE_OPTIONS: preload },
      isChanged: true,
    });
    await sendAll(
      mutant,
      tenants,
      tenants.map((_, tenant) => eventsOf(tenant)),
    );
    await within(enough, async () => (await uncounted(spread)) === 0);
    report.mutation({
      ...{ ...line, what: 'statements as for one Postgres: batches that are not counted' },
      value: await uncounted(spread),
    });
  } catch (error) {
    cluster.errors();
    throw error;
  } finally {
    await single.stop();
    await cluster.stop();
  }
}

async function startCluster(installation: Installation) {
  const native = findServer();
  const names = ['coordinator', 'worker-1', 'worker-2'];
  const nodes: { name: string; port: number; url: string; life: Life }[] = [];
  for (const name of names) {
    const options = {
      ...{ directory: join(installation.directory, name), port: await freePort(), password: newPassword() },
      ...{ native, durable: false, trusting: true, maxConnections: 300 },
      settings: {
        ...{ shared_preload_libraries: 'citus', 'citus.shard_count': '8', max_prepared_transactions: '200' },
        ...{ wal_level: 'logical', 'citus.node_conninfo': 'sslmode=disable', ssl: 'off' },
      },
    };
    await initialisePostgres(options);
    nodes.push({
      ...{ name, port: options.port, url: postgresUrl(options, 'outcomes') },
      life: new Life({ ...postgresService(options), name }, installation.directory),
    });
  }
  const [coordinator, ...workers] = nodes;
  if (!coordinator) throw new Failure('a cluster has a coordinator');
  const spread = new Installation({
    ...{ directory: join(installation.directory, 'spread'), redisUrl: installation.redisUrl },
    ...{ postgres: coordinator.life, redis: installation.redis, owner: coordinator.url },
  });
  const stop = async () => {
    await spread.stop();
    await spread.pool.end();
    await Promise.all(nodes.map(({ life }) => life.stop()));
  };
  try {
    await Promise.all(nodes.map(({ life }) => life.start()));
    for (const { url } of nodes) {
      const server = new URL(url);
      server.pathname = '/postgres';
      await createDatabase(server.toString(), 'outcomes');
      await psql(url, ['--command', 'CREATE EXTENSION citus']);
    }
    await spread.query(`SELECT citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`);
    for (const { port } of workers) await spread.query(`SELECT citus_add_node('127.0.0.1', ${port})`);
    await spread.outcomes(['migrate', '--json'], spread.owner);
    await psql(spread.owner, ['--quiet', '--file', join(root, 'k8s/citus.sql')]);
    spread.logins = (await spread.outcomes(['service-logins', '--json'], spread.owner)).logins;
  } catch (error) {
    await stop();
    throw error;
  }
  /** @returns What they wrote down since they began: errors of statements, and that one of them died. */
  const errors = (): number => {
    const found = names.flatMap((name) =>
      readFileSync(join(installation.directory, 'logs', `${name}.log`), 'utf8')
        .split('\n')
        .filter((text) => /\b(ERROR|FATAL|PANIC):|terminated by signal/.test(text))
        // Whoever asks whether it is ready.
        .filter((text) => !/FATAL: +the database system is (starting up|not yet accepting)/.test(text)),
    );
    for (const text of [
      ...new Set(found.map((each) => each.replace(/^.*?(?=ERROR|FATAL|PANIC|server process)/, ''))),
    ])
      console.log(`        ${text}`);
    return found.length;
  };
  return { spread, errors, stop };
}

/** @returns The folder of a Postgres of this machine that has Citus, the newest. */
function findServer(): string {
  const versions = existsSync(servers) ? readdirSync(servers) : [];
  const [found] = versions
    .filter((version) => existsSync(join(servers, version, 'lib/citus.so')))
    .toSorted((one, other) => Number(other) - Number(one));
  if (!found) throw new Failure(`no Postgres with Citus in ${servers}: see k8s/README.md, "Citus"`);
  return join(servers, found);
}

async function psql(url: string, args: string[]) {
  const command = ['psql', '--no-psqlrc', '--set', 'ON_ERROR_STOP=1', '--dbname', url, ...args];
  const { code, output } = await run(command, { timeout: 60_000 });
  if (code !== 0) throw new Failure(`${output.trim()}\npsql failed.`);
}

/** The same companies with the same keys on the other side. */
async function copyCompanies(from: Installation, to: Installation) {
  for (const table of ['companies', 'api_keys']) {
    for (const row of await from.query(`SELECT * FROM ${table}`)) {
      const columns = Object.keys(row);
      const places = columns.map((_, at) => `$${at + 1}`);
      await to.query(
        `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places.join(', ')})`,
        Object.values(row),
      );
    }
  }
}

/** Outcomes, opens, opt-outs, and replies that only name who wrote them. */
function eventsOf(tenant: number) {
  return Array.from({ length: batches }, (_, batch) =>
    Array.from({ length: 500 }, (__, at) => {
      const number = batch * 500 + at;
      const event = typicalEvent(number + 7 * tenant);
      if (number % 97 === 5) return { ...event, outcome: 'unsubscribed' };
      if (number % 31 === 3) return { ...event, outcome: 'opened' };
      if (number % 53 !== 8) return event;
      return { ...event, sent_at: undefined, outcome: 'responded' };
    }),
  );
}

async function sendAll({ ingest }: Services, tenants: Tenant[], events: object[][][]) {
  for (const [at, { apiKey }] of tenants.entries()) {
    for (const batch of events[at] ?? []) {
      const request = { headers: headersOf(apiKey), body: bodyOf(batch) };
      const { status } = await exchange(`${ingest.url}/ingest/events`, request);
      if (status !== 202) throw new Failure(`an ingestion was answered ${status}`);
    }
  }
}

async function analyseAgain({ ingest }: Services, tenants: Tenant[]) {
  for (const { apiKey } of tenants) {
    const url = `${ingest.url}/ingest/analysis`;
    const { status } = await exchange(url, { method: 'POST', headers: headersOf(apiKey) });
    if (status !== 202) throw new Failure(`asking for an analysis was answered ${status}`);
  }
}

async function erase({ ingest }: Services, tenants: Tenant[]) {
  for (const { apiKey } of tenants) {
    const url = `${ingest.url}/ingest/events?recipient_id=${erased}`;
    const { status } = await exchange(url, { method: 'DELETE', headers: headersOf(apiKey) });
    if (status !== 200) throw new Failure(`an erasure was answered ${status}`);
  }
}

async function uncounted(installation: Installation): Promise<number> {
  const [row] = await installation.query(
    'SELECT count(*)::int AS waiting FROM ingest_batches WHERE processed_at IS NULL',
  );
  return row.waiting;
}

async function isSettled(installation: Installation, companies: number) {
  const [row] = await installation.query(
    `SELECT (SELECT count(*) FROM analysis_runs WHERE state = 'running')::int AS running,
       (SELECT count(*) FROM reanalysis_requests)::int AS asked,
       (SELECT count(*) FROM snapshots WHERE document = 'patterns')::int AS documents`,
  );
  return (
    (await uncounted(installation)) === 0 && row.running + row.asked === 0 && row.documents === companies
  );
}

async function unsealed(installation: Installation): Promise<number> {
  const [row] = await installation.query(
    `SELECT count(*)::int AS open FROM audit_log AS entry WHERE sequence > coalesce(
       (SELECT max(to_sequence) FROM audit_seals AS seal WHERE seal.company_id = entry.company_id), 0)`,
  );
  return row.open;
}

/** In every table of events and what follows from them. */
async function rowsOf(installation: Installation, recipient: string) {
  const counts = ['outcome_events', 'touches', 'workflow_decisions'].map((table) => {
    const column = table === 'workflow_decisions' ? 'contact_id' : 'recipient_id';
    return installation.query(`SELECT count(*)::int AS found FROM ${table} WHERE ${column} = $1`, [
      recipient,
    ]);
  });
  return (await Promise.all(counts)).reduce((sum, [row]) => sum + row.found, 0);
}

/** Companies whose tables do not all have their rows on one node. */
async function scattered(installation: Installation, tenants: Tenant[]) {
  const rows = await installation.query(
    `SELECT count(DISTINCT shard.nodeport)::int AS nodes
     FROM unnest($1::text[]) AS company_id, unnest(ARRAY['outcome_events', 'touches', 'snapshots']) AS name, citus_shards AS shard
     WHERE shard.shardid = get_shard_id_for_distribution_column(name::regclass, company_id::uuid)
     GROUP BY company_id`,
    [tenants.map(({ companyId }) => companyId)],
  );
  return tenants.length - rows.filter(({ nodes }) => nodes === 1).length;
}

async function compare(report: Report, when: string, both: [Installation, Services][], tenants: Tenant[]) {
  const [one, other] = await Promise.all(both.map(([, services]) => askEverything(services, tenants)));
  if (!one || !other) throw new Failure('two are compared');
  const asked = Object.keys(one);
  const differing = asked.filter((question) => one[question]?.body !== other[question]?.body);
  for (const question of differing) report.note(`differs: ${question}`);
  report.check({
    ...{ promise: 'citus', limit: { exactly: 0 }, value: differing.length },
    what: `${when}: of ${asked.length} answers, those that are not as on one Postgres`,
  });
  const failing = asked.filter((question) => !one[question]?.isGood || !other[question]?.isGood);
  for (const question of failing) report.note(`no success: ${question}`);
  report.check({
    ...{ promise: 'citus', limit: { exactly: 0 }, value: failing.length },
    what: `${when}: answers that are no success`,
  });
}

/** Every question of the read API and every tool. */
async function askEverything({ read, gateway }: Services, tenants: Tenant[]) {
  const described = await fetch(`${read.url}/v1/openapi.json`);
  const { paths } = (await described.json()) as { paths: Record<string, { get?: object }> };
  const questions = Object.keys(paths).filter((path) => paths[path]?.get);
  const answers: Answers = {};
  for (const { companyId, apiKey } of tenants) {
    const headers = { authorization: `Bearer ${apiKey}` };
    for (const path of questions) {
      const filled = path
        .replace('{campaignId}', 'campaign-3')
        .replace('{contactId}', 'recipient-9')
        .replace('{metricName}', 'general_analysis')
        // Those of one run have no order, and a page of all has only some.
        .replace(/^\/intelligence\/decisions$/, '$&?contact_id=recipient-9');
      const answer = await fetch(`${read.url}/v1${filled}`, { headers });
      const body = filled === '/suppressions' ? inOrder(await answer.text()) : await answer.text();
      answers[`${companyId} GET ${filled}`] = {
        isGood: answer.status === 200 || body.includes('METRIC_HAS_NO_DATA'),
        body: comparable(body),
      };
    }
    for (const name of tools) {
      const answer = await fetch(`${gateway.url}/mcp`, {
        method: 'POST',
        headers: { ...headersOf(apiKey), Accept: 'application/json, text/event-stream' },
        body: JSON.stringify({
          ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
          params: {
            name,
            arguments: aboutSomebody.includes(name) ? { contact_id: 'recipient-9' } : {},
          },
        }),
      });
      const body = await answer.text();
      answers[`${companyId} ${name}`] = {
        isGood: answer.status === 200 && !body.includes('"isError":true'),
        body: comparable(body),
      };
    }
  }
  return answers;
}

const tools = [
  ...['get_campaign_health', 'get_campaign_recommendations', 'get_bandit_state', 'get_drift_state'],
  ...['get_workflow_decisions', 'get_recipient_intelligence', 'get_action_audit_log'],
];

const aboutSomebody = ['get_recipient_intelligence', 'get_workflow_decisions'];

/** Changes are listed as they were counted, and which are counted together is chance. The cursor names the last one. */
function inOrder(body: string) {
  const { data, ...rest } = JSON.parse(body);
  const suppressions = data?.suppressions?.toSorted((one: object, other: object) =>
    comparable(JSON.stringify(one)).localeCompare(comparable(JSON.stringify(other))),
  );
  const next_cursor = typeof data?.next_cursor;
  return JSON.stringify({ ...rest, data: { ...data, suppressions, next_cursor } });
}

/** Without what two runs over the same events differ in: times, how long they took, ids, and hashes of these. */
function comparable(body: string) {
  return body
    .replaceAll(/("latency_ms\\?":)[\d.]+/g, '$1 MS')
    .replaceAll(/("output_sha256\\?":\\?")[0-9a-f]{64}/g, '$1 HASH')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID');
}
