import { within } from '../local/processes.mjs';
import { Failure } from '../local/failure.mjs';
import type { Running, Tenant } from './installation.ts';
import { bodyOf, exchange, headersOf, keptConnections, seeded, smallEvents } from './requests.ts';
import { PostgresGate } from './postgres-gate.ts';
import type { Section } from './section.ts';

const months = 30.4375 * 86_400_000;

/** D2: the service dies when Postgres has committed and the client has heard nothing. */
export async function verifyKilledBeforeAnswer({ installation, report, progress, isShort }: Section) {
  const rounds = isShort ? 3 : 20;
  const tenant = await installation.newTenant('Killed before the answer');
  const gate = await new PostgresGate(installation.logins.ingestApi).open();
  const service = await installation.start('ingest-api', { database: gate.url });
  const scene = { installation, tenant, gate, running: service, table: 'outcome_events' };
  const bar = progress('D2 kills', rounds);
  let [changed, differing] = [0, 0];
  for (let round = 0; round < rounds; round += 1) {
    bar(round, `${round} of ${rounds}`);
    const result = await killBeforeAnswer(scene);
    changed += result.changed;
    differing += result.differing;
  }
  bar(rounds, '');
  const line = { promise: 'D2', limit: { exactly: 0 } };
  report.check({
    ...line,
    what: `${rounds} kills between COMMIT and answer, retried: rows changed or added`,
    value: changed,
  });
  report.check({
    ...line,
    what: 'answers to the retry that differ from an undisturbed one',
    value: differing,
  });
  await installation.stop(service);
  await gate.close();
  const ownersGate = await new PostgresGate(installation.owner).open();
  const mutant = await installation.startMutant('no-key', [tenant], { database: ownersGate.url });
  const broken = await killBeforeAnswer({ ...scene, gate: ownersGate, running: mutant, table: mutant.table });
  report.mutation({ ...line, what: 'no key over event_id: rows changed or added', value: broken.changed });
  await installation.stop(mutant);
  await ownersGate.close();
}

async function killBeforeAnswer({
  installation: { pool },
  tenant,
  gate,
  running,
  table,
}: {
  installation: Section['installation'];
  tenant: Tenant;
  gate: PostgresGate;
  table: string;
  running: Running;
}): Promise<{ changed: number; differing: number }> {
  const rows = async () => {
    // xmin and ctid change with a row even where its columns do not.
    const found = await pool.query(
      `SELECT event_id, xmin::text, ctid::text FROM ${table} WHERE company_id = $1 ORDER BY event_id, ctid`,
      [tenant.companyId],
    );
    return found.rows.map((row) => Object.values(row).join(' '));
  };
  const warm = { headers: headersOf(tenant.apiKey), timeout: 20_000 };
  const url = `${running.url}/ingest/events`;
  // The key is known and a connection open before the gate closes: what is held is the answer to the INSERT.
  await exchange(url, { ...warm, body: bodyOf(smallEvents(1)) });
  const body = bodyOf([...smallEvents(500).slice(3), {}, { event_id: 'no uuid' }, ...smallEvents(1)]);
  const isMutant = table !== 'outcome_events';
  const sent = isMutant ? bodyOf(smallEvents(498)) : body;
  const before = (await rows()).length;
  await gate.set('held');
  const unheard = exchange(url, { ...warm, body: sent }).then(
    () => true,
    () => false,
  );
  if (!(await within(10_000, async () => (await rows()).length === before + 498)))
    throw new Failure('the batch was not committed behind the gate');
  await running.life.kill('SIGKILL');
  if (await unheard) throw new Failure('the client was answered though the answer was held back');
  const committed = await rows();
  await gate.set('open');
  await running.life.start();
  const retried = await exchange(url, { ...warm, body: sent });
  const after = await rows();
  const { accepted, rejected, errors } = JSON.parse(retried.text);
  const isSame = retried.status === 202 && accepted === 498 && rejected === (isMutant ? 0 : 2);
  const faulty = new Set(errors.map(({ index }: { index: number }) => index));
  return {
    changed:
      after.filter((row, at) => row !== committed[at]).length + Math.max(0, committed.length - after.length),
    differing: isSame && (isMutant || (faulty.size === 2 && faulty.has(497) && faulty.has(498))) ? 0 : 1,
  };
}

/** D3: one batch from many clients at once. */
export async function verifySameBatch({ installation, report, isShort }: Section) {
  const times = isShort ? 20 : 100;
  const tenant = await installation.newTenant('The same batch');
  const service = await installation.start('ingest-api');
  const real = await sendSame(installation, tenant, service.url, 'outcome_events', times);
  const line = { promise: 'D3' };
  report.check({
    ...line,
    what: `the same batch ${times} times from 16 clients: rows`,
    value: real.rows,
    limit: { exactly: 500 },
  });
  report.check({
    ...line,
    what: 'answers other than 202, accepted 500',
    value: real.others,
    limit: { exactly: 0 },
  });
  report.check({
    ...line,
    what: 'events that were new, over all answers',
    value: real.fresh,
    limit: { exactly: 500 },
  });
  await installation.stop(service);
  const mutant = await installation.startMutant('no-key', [tenant]);
  const broken = await sendSame(installation, tenant, mutant.url, mutant.table, 20);
  report.mutation({
    ...line,
    what: 'no key over event_id: rows',
    value: broken.rows,
    limit: { exactly: 500 },
  });
  await installation.stop(mutant);
}

async function sendSame(
  { pool }: Section['installation'],
  tenant: Tenant,
  url: string,
  table: string,
  times: number,
) {
  const events = smallEvents(500);
  const ids = events.map(({ event_id }) => event_id);
  const request = { headers: headersOf(tenant.apiKey), body: bodyOf(events), agent: keptConnections(16) };
  const answers = await Promise.all(
    Array.from({ length: times }, () => exchange(`${url}/ingest/events`, request)),
  );
  request.agent.destroy();
  const { rows } = await pool.query(`SELECT count(*)::int AS rows FROM ${table} WHERE event_id = ANY ($1)`, [
    ids,
  ]);
  const parsed = answers.map(({ status, text }) => ({ status, ...JSON.parse(text) }));
  return {
    rows: rows[0].rows,
    others: parsed.filter(
      ({ status, accepted, rejected }) => status !== 202 || accepted !== 500 || rejected !== 0,
    ).length,
    fresh: parsed.reduce((sum, { accepted = 0, duplicates = 0 }) => sum + accepted - duplicates, 0),
  };
}

/** D4: the retry comes 23 months later, when the events are still kept. */
export async function verifyLateRetry({ installation, report }: Section) {
  const tenant = await installation.newTenant('A late retry');
  const events = smallEvents(500);
  const ids = events.map(({ event_id }) => event_id);
  const request = { headers: headersOf(tenant.apiKey), body: bodyOf(events) };
  const count = async (table: string) =>
    (
      await installation.pool.query(`SELECT count(*)::int AS n FROM ${table} WHERE event_id = ANY ($1)`, [
        ids,
      ])
    ).rows[0].n;
  const clockShift = Math.round(23 * months);
  const now = await installation.start('ingest-api');
  await exchange(`${now.url}/ingest/events`, request);
  await installation.stop(now);
  const later = await installation.start('ingest-api', {
    clockShift,
    environment: { MAX_CLOCK_SKEW_MS: String(2 * clockShift) },
  });
  const answer = JSON.parse((await exchange(`${later.url}/ingest/events`, request)).text);
  await exchange(`${later.url}/ingest/events`, { ...request, body: bodyOf(smallEvents(1)) });
  const newest = await installation.pool.query(
    `SELECT max(ingested_at) > now() + interval '22 months' AS shifted FROM outcome_events WHERE company_id = $1`,
    [tenant.companyId],
  );
  if (!newest.rows[0].shifted) throw new Failure('the clock of the service did not move');
  const line = { promise: 'D4', limit: { exactly: 500 } };
  report.check({ ...line, what: 'rows after a retry 23 months later', value: await count('outcome_events') });
  report.check({ ...line, what: 'duplicates that its answer names', value: answer.duplicates });
  await installation.stop(later);
  for (const shift of [0, clockShift]) {
    const mutant = await installation.startMutant('month-key', [tenant], { clockShift: shift });
    await exchange(`${mutant.url}/ingest/events`, request);
    await installation.stop(mutant);
  }
  report.mutation({
    ...line,
    what: 'an event unique within its month: rows',
    value: await count('mutant_month_key'),
  });
}

/** What nobody may store, for any place in a batch. */
const invalid = [
  { recipient_id: 'a\0b' },
  { sent_at: '2026-02-30' },
  { word_count: 2 ** 31 },
  { metadata: { note: '\ud800' } },
  { outcome: 'maybe' },
  { event_id: 'none' },
];

/** D7: invalid events do no harm to their neighbours. */
export async function verifyInvalidNeighbours({ installation, report, isShort }: Section) {
  const rounds = isShort ? 5 : 50;
  const tenant = await installation.newTenant('Invalid neighbours');
  const service = await installation.start('ingest-api');
  const real = await mixedBatches(installation, tenant, service.url, 'outcome_events', rounds);
  const line = { promise: 'D7', limit: { exactly: 0 } };
  report.check({
    ...line,
    what: `${rounds} batches of 500, k of them invalid: accepted other than 500 - k`,
    value: real.miscounted,
  });
  report.check({ ...line, what: 'valid events not stored, or invalid ones stored', value: real.misplaced });
  await installation.stop(service);
  const mutant = await installation.startMutant('naive', [tenant]);
  const broken = await mixedBatches(installation, tenant, mutant.url, mutant.table, 5);
  report.mutation({
    ...line,
    what: 'one statement without validation: valid events not stored',
    value: broken.misplaced,
  });
  await installation.stop(mutant);
}

async function mixedBatches(
  { pool }: Section['installation'],
  tenant: Tenant,
  url: string,
  table: string,
  rounds: number,
) {
  const chance = seeded(7);
  let [miscounted, misplaced] = [0, 0];
  for (let round = 0; round < rounds; round += 1) {
    // Most of the time few are wrong; now and then nearly all are.
    const share = round % 5 === 4 ? 0.95 : chance() * 0.2;
    const events = smallEvents(500);
    const bad = new Set(events.map((_, at) => at).filter(() => chance() < share));
    const mixed = events.map((event, at) =>
      bad.has(at) ? { ...event, ...invalid[at % invalid.length] } : event,
    );
    const answer = await exchange(`${url}/ingest/events`, {
      headers: headersOf(tenant.apiKey),
      body: bodyOf(mixed),
    });
    const { accepted } = JSON.parse(answer.text);
    if (answer.status !== 202 || accepted !== 500 - bad.size) miscounted += 1;
    const ids = events.map(({ event_id }) => event_id);
    const { rows } = await pool.query(`SELECT event_id FROM ${table} WHERE event_id = ANY ($1)`, [ids]);
    const stored = new Set(rows.map((row) => row.event_id));
    misplaced += ids.filter((id, at) => stored.has(id) === bad.has(at)).length;
  }
  return { miscounted, misplaced };
}
