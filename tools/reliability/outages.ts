import pg from 'pg';
import { setTimeout as delay } from 'node:timers/promises';
import type { Tenant } from './installation.ts';
import { bodyOf, exchange, headersOf, keptConnections, smallEvents, type Answer } from './requests.ts';
import { PostgresGate, type GateState } from './postgres-gate.ts';
import type { Section } from './section.ts';

interface Outage {
  slowest: number;
  others: number;
  back: number;
}

const promised = 2_000;
const requests = 40;
/** How long a key that was checked is believed (10 s), and a little more: checking it then needs the database. */
const keyForgotten = 10_500;

/** D5: the database is away, in each manner in which it can be. */
export async function verifyOutages({ installation, report, isShort }: Section) {
  const tenant = await installation.newTenant('Outages');
  const gate = await new PostgresGate(installation.logins.ingestApi).open();
  const service = await installation.start('ingest-api', { database: gate.url });
  const scene = { gate, url: service.url, tenant };
  const line = { promise: 'D5' };
  const check = (what: string, outage: Outage, most: number = promised) => {
    report.check({
      ...line,
      what: `${what}: slowest answer`,
      value: Math.round(outage.slowest),
      limit: { most },
      unit: 'ms',
    });
    report.check({
      ...line,
      what: `${what}: answers other than 503 with Retry-After`,
      value: outage.others,
      limit: { exactly: 0 },
    });
    report.check({
      ...line,
      what: `${what}: 202 once it is back, after`,
      value: Math.round(outage.back),
      limit: { most: 5_000 },
      unit: 'ms',
    });
  };
  check('connections refused', await outage(scene, 'refused'));
  if (!isShort) check('refused, and the key not known either', await outage(scene, 'refused', keyForgotten));
  check('pool exhausted', await exhausted({ ...scene, owner: installation.owner }));
  // A statement under way when the machine vanishes is given up after the time that a statement may take.
  check('machine gone, statements under way', await outage(scene, 'silent'), 7_000);
  await installation.stop(service);
  const patient = await installation.start('ingest-api', {
    ...{
      database: gate.url,
      environment: { DATABASE_CONNECT_TIMEOUT_MS: '20000', DATABASE_STATEMENT_TIMEOUT_MS: '20000' },
    },
  });
  const waited = await outage({ ...scene, url: patient.url }, 'silent');
  report.mutation({
    ...line,
    what: 'waits of 20 s: slowest answer',
    value: Math.round(waited.slowest),
    limit: { most: 7_000 },
    unit: 'ms',
  });
  await installation.stop(patient);
  await gate.close();
}

/** @param pause Between the beginning of the outage and the requests. */
async function outage(
  { gate, url, tenant }: { gate: PostgresGate; url: string; tenant: Tenant },
  state: GateState,
  pause = 0,
): Promise<Outage> {
  await post(url, tenant);
  await gate.set(state);
  await delay(pause);
  const answers = await burst(url, tenant);
  await gate.set('open');
  return { ...judged(answers), back: await untilTaken(url, tenant) };
}

/**
 * Every connection of the pool waits for a lock that somebody else holds.
 * @returns of the requests that found the pool exhausted
 */
async function exhausted({
  url,
  tenant,
  owner,
}: {
  url: string;
  tenant: Tenant;
  owner: string;
}): Promise<Outage> {
  await post(url, tenant);
  const client = new pg.Client({ connectionString: owner });
  await client.connect();
  await client.query('BEGIN; LOCK TABLE outcome_events IN ACCESS EXCLUSIVE MODE');
  // As many as a company may have under way at once; these wait for Postgres itself.
  const stuck = Array.from({ length: 4 }, () => post(url, tenant, 500));
  await delay(300);
  const answers = await burst(url, tenant);
  await client.query('COMMIT');
  await client.end();
  await Promise.all(stuck);
  return { ...judged(answers), back: await untilTaken(url, tenant) };
}

async function post(url: string, { apiKey }: Tenant, events = 1) {
  const request = { headers: headersOf(apiKey), body: bodyOf(smallEvents(events)), timeout: 60_000 };
  return exchange(`${url}/ingest/events`, request);
}

async function burst(url: string, { apiKey }: Tenant) {
  const agent = keptConnections(requests);
  const one = () =>
    exchange(`${url}/ingest/events`, {
      headers: headersOf(apiKey),
      agent,
      body: bodyOf(smallEvents(10)),
      timeout: 60_000,
    });
  const answers = await Promise.all(Array.from({ length: requests }, () => one().catch(() => undefined)));
  agent.destroy();
  return answers;
}

/** @param answers A hang is a request without an answer. */
function judged(answers: readonly (Answer | undefined)[]) {
  const isRight = (answer: Answer | undefined) =>
    answer?.status === 503 && Number(answer.headers['retry-after']) > 0;
  return {
    slowest: Math.max(...answers.map((answer) => answer?.milliseconds ?? Infinity)),
    others: answers.filter((answer) => !isRight(answer)).length,
  };
}

/** @returns ms */
async function untilTaken(url: string, tenant: Tenant): Promise<number> {
  const began = performance.now();
  while ((await post(url, tenant).catch(() => undefined))?.status !== 202) {
    if (performance.now() - began > 30_000) return Infinity;
    await delay(50);
  }
  return performance.now() - began;
}
