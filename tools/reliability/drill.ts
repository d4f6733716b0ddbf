import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../local/failure.mjs';
import { newPassword } from '../local/installation.mjs';
import { createDatabase, postgresUrl } from '../local/postgres.mjs';
import { within } from '../local/processes.mjs';
import { Switch } from '../topology/switch.ts';
import { expectDone, loginsOf, newCluster, outcomes } from './empty-cluster.ts';
import { callTool, erase, makeHistory } from './history.ts';
import { poolOf, type App, type Installation, type Tenant } from './installation.ts';
import { Ledger, settle } from './ledger.ts';
import type { Section } from './section.ts';
import { queryAs, traces } from './stored-rows.ts';

const database = 'drill';
const patience = 120_000;
const prefix = '{drill}';
const variableOf = {
  'ingest-api': 'INGEST_API_DATABASE_URL',
  'analysis-worker': 'ANALYSIS_WORKER_DATABASE_URL',
  'read-api': 'READ_API_DATABASE_URL',
  'mcp-gateway': 'MCP_GATEWAY_DATABASE_URL',
};

/**
 * A backup under load, somebody who asks to be forgotten, the database gone with its disk, a restore elsewhere: nothing that
 * was acknowledged before the backup is lost, and senders who never stopped go on.
 */
export async function verifyDrill({ installation, report, isShort }: Section) {
  const line = { promise: 'drill', limit: { exactly: 0 } };
  const password = newPassword();
  const source = await newCluster(installation, 'drill-source', database, true);
  const old = placeOf(installation, source.owner, password);
  expectDone(await outcomes(['migrate', '--logins'], old.env), 'migrate --logins');
  const [tenant, other] = [await old.newTenant('Drilled'), await old.newTenant('Beside')];
  const { scene, ingest } = await makeHistory(installation, old, {
    ...{ tenant, other, batches: isShort ? 4 : 40, environment: { REDIS_PREFIX: prefix } },
  });
  const address = await new Switch(Number(new URL(ingest.url).port)).open();
  const ledger = new Ledger(`http://127.0.0.1:${address.port}`, [tenant]);
  const [file, erasures] = [join(installation.directory, 'drill.gz'), join(installation.directory, 'drill')];
  const told = ledger.send(1);
  const has = (more: number) => {
    const from = ledger.acknowledged.size;
    return within(patience, async () => ledger.acknowledged.size >= from + more);
  };
  let target: Awaited<ReturnType<typeof newCluster>> | undefined;
  try {
    const gateway = await old.start('mcp-gateway');
    await has(5_000);
    for (let call = 0; call < 5; call += 1) await callTool(gateway.url, tenant.apiKey);
    const decided = await decisionsIn(source.owner, scene.erased);
    const before = new Map(ledger.acknowledged);
    const saving = performance.now();
    expectDone(await outcomes(['backup', file], old.env), 'backup');
    const savedMs = Math.round(performance.now() - saving);
    report.note(
      `backup beside traffic: ${savedMs} ms, ${ledger.acknowledged.size - before.size} events acknowledged meanwhile`,
    );
    const atBackup = ledger.acknowledged.size;
    await has(2_000);
    await erase(ingest.url, scene);
    expectDone(await outcomes(['erasures', 'export', erasures], old.env), 'erasures export');
    await source.life.kill('SIGQUIT');
    rmSync(source.directory, { recursive: true, force: true });
    const atLoss = new Map(ledger.acknowledged);
    await installation.stop();

    target = await newCluster(installation, 'drill-target', database, true);
    const restoring = performance.now();
    const restore = ['restore', file, '--erasures', erasures];
    expectDone(await outcomes(restore, { DATABASE_URL: target.owner }), 'restore');
    report.note(`restore and replay of erasures: ${Math.round(performance.now() - restoring)} ms`);
    const lostOf = (events: ReadonlyMap<string, string>) => lost(target?.owner ?? '', tenant, events);
    report.check({
      ...{ ...line, what: `of ${before.size} events acknowledged before the backup, lost` },
      value: await lostOf(before),
    });
    report.mutation({
      ...{
        ...line,
        what: `of ${atLoss.size - atBackup} events acknowledged after it, which no backup has: lost`,
      },
      value: await lostOf(atLoss),
    });
    const again = await decisionsIn(target.owner, scene.erased);
    const others = [...decided].filter(([id, print]) => again.get(id) !== print).length;
    report.check({ ...line, what: `of ${decided.size} decisions, gone or another one`, value: others });

    const now = placeOf(installation, target.owner, password);
    expectDone(await outcomes(['migrate', '--logins'], now.env), 'migrate --logins');
    for (const command of [
      ['doctor'],
      ...[tenant, other].map(({ companyId }) => ['audit', 'verify', '--company', companyId]),
      ['decisions', 'replay', '--company', tenant.companyId],
    ]) {
      const { code, output } = await outcomes(command, { ...now.env, DATABASE_URL: now.cli });
      report.note(output.trim().split('\n').at(-1) ?? '');
      report.check({ ...line, what: `complaints of outcomes ${command.slice(0, 2).join(' ')}`, value: code });
    }

    const back = await now.start('ingest-api');
    address.to(Number(new URL(back.url).port));
    const resumed = await has(1_000);
    ledger.finish();
    await told;
    const later = new Map([...ledger.acknowledged].filter(([id]) => !atLoss.has(id)));
    report.check({
      ...{
        ...line,
        what: `senders that go on by themselves: of ${later.size} events acknowledged since, lost`,
      },
      value: resumed ? await lostOf(later) : Number.NaN,
    });
    const worker = await now.start('analysis-worker');
    const isClean = async () => (await traces(now.owner, scene.needles)) === 0;
    await within(patience, isClean);
    await installation.stop(worker);
    report.check({
      ...{ ...line, what: 'tables with a trace of whom was erased after the backup' },
      value: await traces(now.owner, scene.needles),
    });
    const forgetful = await restoredWithout(target, file);
    report.mutation({
      ...{ ...line, what: 'erasures not repeated: tables with a trace of whom' },
      value: await traces(forgetful, scene.needles),
    });
  } finally {
    ledger.abandon();
    await address.close();
    await installation.stop();
    await target?.life.stop();
    if (source.life.pid !== undefined) await source.life.stop();
  }
}

/** @param password Of all logins. */
function placeOf(installation: Installation, owner: string, password: string) {
  const logins = loginsOf(owner, password);
  const env = { ...logins, DATABASE_URL: owner, REDIS_URL: installation.redisUrl, REDIS_PREFIX: prefix };
  const cli = logins['CLI_DATABASE_URL'] ?? '';
  const urlOf = (app: App) => logins[variableOf[app]] ?? '';
  const environment = { REDIS_PREFIX: prefix, SWEEP_INTERVAL_MS: '100' };
  return {
    ...{ owner, env, cli, urlOf },
    query: (text: string, values: unknown[] = []) => queryAs(owner, text, values),
    start: (app: App) => installation.start(app, { database: urlOf(app), environment }),
    newTenant: async (name: string): Promise<Tenant> => {
      const asCli = { ...env, DATABASE_URL: cli };
      const json = async (args: string[]) =>
        JSON.parse(expectDone(await outcomes([...args, '--json'], asCli), args.join(' ')).stdout);
      const { companyId } = await json(['company', 'create', name]);
      const limits = ['--burst', '100000000', '--monthly', '100000000'];
      const { apiKey } = await json(['keys', 'create', '--company', companyId, '--name', name, ...limits]);
      return { companyId, apiKey };
    },
  };
}

/** Frozen decisions by id, but for those about somebody. */
async function decisionsIn(url: string, contact: string) {
  const rows = await queryAs(
    url,
    `SELECT decision_id AS id, md5(one::text) AS print FROM workflow_decisions AS one WHERE strpos(one::text, $1) = 0`,
    [contact],
  );
  return new Map(rows.map(({ id, print }) => [String(id), String(print)]));
}

async function lost(url: string, tenant: Tenant, events: ReadonlyMap<string, string>) {
  const pool = poolOf(url);
  try {
    return (await settle(pool, 'outcome_events', [tenant], events)).lost;
  } finally {
    await pool.end();
  }
}

/** @returns URL of the database. */
async function restoredWithout(
  { access }: { access: { port: number; password: string } },
  file: string,
): Promise<string> {
  const name = `${database}_without`;
  await createDatabase(postgresUrl(access), name);
  const url = postgresUrl(access, name);
  const { code, output } = await outcomes(['restore', file], { DATABASE_URL: url });
  if (code !== 0) throw new Failure(`outcomes restore: ${output.trim()}`);
  return url;
}
