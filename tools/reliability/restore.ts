import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { newPassword } from '../local/installation.mjs';
import { within } from '../local/processes.mjs';
import { expectDone, loginOf, loginsOf, newCluster, outcomes } from './empty-cluster.ts';
import { erase, makeHistory, type Scene } from './history.ts';
import { withDatabase, type App, type Installation } from './installation.ts';
import type { Report } from './report.ts';
import type { Section } from './section.ts';
import { countAs, differences, printsOf, queryAs, seenBy, traces } from './stored-rows.ts';

const database = 'restore';
const patience = 60_000;

/**
 * A backup goes into a cluster that has never seen the service, and everything is as it was: rows, protection, logins,
 * audit log, decisions. Nobody who was erased since is back.
 */
export async function verifyRestore({ installation, report, isShort }: Section) {
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

  const place = {
    urlOf: (app: App) => installation.loginTo(app, database),
    query: (text: string, values: unknown[] = []) => installation.query(text, values, database),
  };
  const { scene, ingest } = await makeHistory(installation, place, {
    tenant: await installation.newTenant('Restored', database),
    other: await installation.newTenant('Other', database),
    batches: isShort ? 4 : 40,
  });
  // A service that runs notes in its own time when a key was last used.
  await installation.stop(ingest);
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

  const again = await installation.start('ingest-api', { database: place.urlOf('ingest-api') });
  await erase(again.url, scene);
  await installation.stop();
  const ledger = join(installation.directory, 'erasures.ndjson');
  expectDone(await outcomes(['erasures', 'export', ledger], { BACKUP_DATABASE_URL: backupLogin }), 'export');

  const cluster = await newCluster(installation, 'empty', database);
  try {
    const target = cluster.owner;
    const restoring = performance.now();
    expectDone(await outcomes(['restore', file], { DATABASE_URL: target }), 'restore');
    report.note(`restored in ${Math.round(performance.now() - restoring)} ms`);
    const after = await printsOf(target);
    const different = differences(before, after);
    if (different.length > 0) report.note(different.join(', '));
    report.check({
      ...{
        ...line,
        what: `tables of ${Object.keys(before).length} whose count or hash is another one`,
        ...none,
      },
      value: different.length,
    });
    const [deeds] = await queryAs(
      target,
      `SELECT count(*)::int AS n FROM administration_log WHERE action = 'backup.restore'`,
    );
    report.check({
      ...{ ...line, what: 'entries about the restore in the administration log', limit: { exactly: 1 } },
      value: deeds.n,
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

async function verifyWorking(
  installation: Installation,
  { target, scene, ledger, report }: { target: string; scene: Scene; ledger: string; report: Report },
) {
  const line = { promise: 'restore' };
  const none = { limit: { exactly: 0 } };
  const logins = loginsOf(target);
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
