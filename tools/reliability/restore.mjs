// @ts-check
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { typicalBatch } from '../bench/events.mjs';
import { Failure } from '../local/failure.mjs';
import { newPassword } from '../local/installation.mjs';
import { freePort } from '../local/ports.mjs';
import { createDatabase, initialisePostgres, postgresService, postgresUrl } from '../local/postgres.mjs';
import { run, within } from '../local/processes.mjs';
import { root } from '../local/settings.mjs';
import { withDatabase } from './installation.mjs';
import { Life } from './life.mjs';
import { bodyOf, exchange, headersOf, smallEvents } from './requests.mjs';
import { countAs, differences, printsOf, queryAs, seenBy, traces } from './stored-rows.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {{ code: number, stdout: string, output: string }} Ending */

const cli = join(root, 'apps/outcomes-cli/dist/main.js');
const database = 'restore';
const patience = 60_000;
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
 * A backup goes into a cluster that has never seen the service, and everything is as it was: rows, protection, logins,
 * audit log, decisions. Nobody who was erased since is back. @param {import('./section.mjs').Section} section
 */
export async function verifyRestore({ installation, report, isShort }) {
  const line = { promise: 'restore' };
  const none = { limit: { exactly: 0 } };
  // The owner is no superuser, as it should be.
  const ownerPassword = newPassword();
  await installation.query(`CREATE ROLE restore_owner LOGIN CREATEROLE PASSWORD '${ownerPassword}'`);
  await installation.query(`CREATE DATABASE ${database} OWNER restore_owner`);
  const owner = loginOf(withDatabase(installation.owner, database), 'restore_owner', ownerPassword);
  await installation.outcomes(['migrate', '--json'], owner);
  const backupLogin = loginOf(owner, 'restore_backup', ownerPassword);
  await installation.query(
    `CREATE ROLE restore_backup LOGIN PASSWORD '${ownerPassword}' IN ROLE outcomes_backup`,
  );

  const scene = await fill(installation, isShort);
  const file = join(installation.directory, 'backup.gz');
  const before = await printsOf(withDatabase(installation.owner, database));
  const events = before['outcome_events']?.rows ?? 0;
  const seenByOwner = await countAs(owner, 'outcome_events');
  report.mutation({
    ...{ ...line, what: `what a dump by the owner of the tables has of ${events} events` },
    ...{ value: seenByOwner, limit: { exactly: events } },
  });
  const refused = await outcomes(['backup', `${file}.owner`], { DATABASE_URL: owner });
  report.check({
    ...{ ...line, what: 'backups by a login that would see no rows', ...none },
    value: refused.code === 0 || existsSync(`${file}.owner`) ? 1 : 0,
  });
  const began = performance.now();
  expectDone(await outcomes(['backup', file], { BACKUP_DATABASE_URL: backupLogin }), 'backup');
  report.note(`${events} events backed up in ${Math.round(performance.now() - began)} ms`);

  await erase(installation, scene);
  const ledger = join(installation.directory, 'erasures.ndjson');
  expectDone(await outcomes(['erasures', 'export', ledger], { BACKUP_DATABASE_URL: backupLogin }), 'export');

  const cluster = await newCluster(installation);
  try {
    const target = postgresUrl(cluster.access, database);
    const restoring = performance.now();
    expectDone(await outcomes(['restore', file], { DATABASE_URL: target }), 'restore');
    report.note(`restored in ${Math.round(performance.now() - restoring)} ms`);
    const after = await printsOf(target);
    report.check({
      ...{
        ...line,
        what: `tables of ${Object.keys(before).length} whose count or hash is another one`,
        ...none,
      },
      value: differences(before, after).length,
    });
    await queryAs(
      target,
      `UPDATE outcome_events SET thread_id = thread_id || ' ' WHERE ctid IN
      (SELECT ctid FROM outcome_events LIMIT 1)`,
    );
    report.mutation({
      ...{ ...line, what: 'one character of one row changed: tables that differ', ...none },
      value: differences(before, await printsOf(target)).length,
    });
    report.mutation({
      ...{ ...line, what: 'no erasure repeated: tables with a trace of whom', ...none },
      value: await traces(target, scene.needles),
    });
    await verifyWorking(installation, { target, scene, ledger, report });
  } finally {
    await cluster.life.stop();
  }
}

/**
 * @param {Installation} installation
 * @param {{ target: string, scene: Scene, ledger: string, report: import('./report.mjs').Report }} restored
 */
async function verifyWorking(installation, { target, scene, ledger, report }) {
  const line = { promise: 'restore' };
  const none = { limit: { exactly: 0 } };
  const password = newPassword();
  /** @type {Record<string, string>} */
  const logins = {};
  for (const [role, variable] of Object.entries(variables))
    logins[variable] = loginOf(target, role, password);
  const env = {
    ...logins,
    DATABASE_URL: target,
    REDIS_URL: installation.redisUrl,
    REDIS_PREFIX: '{restored}',
  };
  expectDone(await outcomes(['erasures', 'replay', ledger], env), 'replay');
  expectDone(await outcomes(['migrate', '--logins'], env), 'migrate --logins');
  const asCli = { ...env, DATABASE_URL: logins['CLI_DATABASE_URL'] ?? '' };
  let failing = 0;
  for (const command of [
    ['doctor'],
    ['audit', 'verify', '--company', scene.tenant.companyId],
    ['decisions', 'replay', '--company', scene.tenant.companyId],
  ]) {
    const { code, output } = await outcomes(command, asCli);
    if (code !== 0) report.note(output.trim());
    failing += code === 0 ? 0 : 1;
  }
  report.check({
    ...line,
    what: 'of doctor, audit verify, decisions replay: complaints',
    value: failing,
    ...none,
  });
  let wrong = 0;
  for (const url of Object.values(logins)) {
    const { own, foreign } = await seenBy(url, scene.tenant.companyId);
    if (!own || foreign > 0) wrong += 1;
  }
  report.check({ ...line, what: 'logins that see another company, or not their own', value: wrong, ...none });
  const worker = await installation.start('analysis-worker', {
    database: logins['ANALYSIS_WORKER_DATABASE_URL'],
    environment: { REDIS_PREFIX: '{restored}', SWEEP_INTERVAL_MS: '100' },
  });
  const isClean = async () => (await traces(target, scene.needles)) === 0;
  await within(patience, isClean);
  await installation.stop(worker);
  report.check({
    ...{ ...line, what: 'tables with a trace of whom was erased since the backup', ...none },
    value: await traces(target, scene.needles),
  });
}

/** @typedef {{ tenant: import('./installation.mjs').Tenant, api: string, erased: string, needles: string[] }} Scene */

/** Two companies with history, calls of tools and their seals, and somebody who will ask to be forgotten. @param {Installation} installation @param {boolean} isShort @returns {Promise<Scene>} */
async function fill(installation, isShort) {
  const tenant = await installation.newTenant('Restored', database);
  const other = await installation.newTenant('Other', database);
  const at = (/** @type {import('./installation.mjs').App} */ app) => ({
    database: installation.loginTo(app, database),
  });
  const ingest = await installation.start('ingest-api', at('ingest-api'));
  const worker = await installation.start('analysis-worker', {
    ...at('analysis-worker'),
    environment: { SWEEP_INTERVAL_MS: '100', AUDIT_SEAL_INTERVAL_MS: '100' },
  });
  const gateway = await installation.start('mcp-gateway', at('mcp-gateway'));
  const post = async (/** @type {string} */ key, /** @type {Buffer} */ body) => {
    const answer = await exchange(`${ingest.url}/ingest/events`, { headers: headersOf(key), body });
    if (answer.status !== 202) throw new Failure(`an ingestion was answered ${answer.status}`);
  };
  const token = `canary${randomBytes(8).toString('hex')}`;
  await post(
    tenant.apiKey,
    bodyOf(
      smallEvents(4, (step) => ({
        ...{ recipient_id: `${token}-id`, recipient_email: `${token}@example.com`, sequence_step: step },
        ...{ outcome: step === 0 ? 'responded' : 'no_response', subject: `Hello ${token}` },
      })),
    ),
  );
  for (let batch = 0; batch < (isShort ? 4 : 40); batch += 1) {
    await post((batch % 4 === 3 ? other : tenant).apiKey, typicalBatch(500, batch * 500));
  }
  for (let call = 0; call < 20; call += 1) await callTool(gateway.url, tenant.apiKey);
  const isSettled = async () => {
    const [row] = await installation.query(
      `SELECT (SELECT count(*) FROM ingest_batches WHERE processed_at IS NULL)
         + (SELECT count(*) FROM analysis_runs WHERE state = 'running') AS pending,
         (SELECT count(*) FROM audit_seals) AS seals, (SELECT count(*) FROM workflow_decisions) AS decisions`,
      ...[[], database],
    );
    return Number(row.pending) === 0 && Number(row.seals) > 0 && Number(row.decisions) > 0;
  };
  if (!(await within(3 * patience, isSettled))) throw new Failure('the history was not worked in and sealed');
  await installation.stop(worker, gateway);
  const stored = await installation.query(
    ...[
      `SELECT event_id, touch_id, recipient_hash FROM outcome_events WHERE recipient_id = $1`,
      [`${token}-id`],
    ],
    database,
  );
  const derived = stored.flatMap((row) => [row.event_id, row.touch_id, row.recipient_hash]);
  return {
    ...{ tenant, api: ingest.url, erased: `${token}-id` },
    needles: [token, ...new Set(derived.filter(Boolean).map(String))],
  };
}

/** @param {string} url @param {string} apiKey */
async function callTool(url, apiKey) {
  const body = JSON.stringify({
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: { name: 'get_bandit_state', arguments: {} },
  });
  const headers = { ...headersOf(apiKey), Accept: 'application/json, text/event-stream' };
  const { status } = await exchange(`${url}/mcp`, { headers, body });
  if (status !== 200) throw new Failure(`a call was answered ${status}`);
}

/** @param {Installation} installation @param {Scene} scene */
async function erase(installation, { api, tenant, erased }) {
  const { status } = await exchange(`${api}/ingest/events?recipient_id=${erased}`, {
    ...{ method: 'DELETE', headers: headersOf(tenant.apiKey) },
  });
  if (status !== 200) throw new Failure(`the deletion was answered ${status}`);
  await installation.stop();
}

/** A second cluster, in which no role but its superuser is. @param {Installation} installation */
async function newCluster(installation) {
  const access = { port: await freePort(), password: newPassword() };
  const options = { ...access, directory: join(installation.directory, 'empty'), durable: false };
  await initialisePostgres(options);
  const service = { ...postgresService(options), name: 'postgres-empty' };
  const life = await new Life(service, installation.directory).start();
  await createDatabase(postgresUrl(access), database);
  return { access, life };
}

/** @param {string[]} args @param {Record<string, string>} env @returns {Promise<Ending>} */
async function outcomes(args, env) {
  const command = [process.execPath, cli, ...args];
  // From a folder without settings of an installation.
  return run(command, { cwd: '/', env: { PATH: process.env['PATH'] ?? '', ...env }, timeout: 600_000 });
}

/** @param {Ending} ending @param {string} what */
function expectDone({ code, output }, what) {
  if (code !== 0) throw new Failure(`outcomes ${what}: ${output.trim()}`);
}

/** @param {string} url @param {string} user @param {string} password */
function loginOf(url, user, password) {
  const login = new URL(url);
  login.username = user;
  login.password = password;
  return login.toString();
}
