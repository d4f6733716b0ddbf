import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { typicalBatch } from '../bench/events.mjs';
import { Failure } from '../local/failure.mjs';
import { within } from '../local/processes.mjs';
import type { App, Installation, Running, Tenant } from '../reliability/installation.ts';
import { bodyOf, exchange, headersOf, smallEvents } from '../reliability/requests.ts';
import type { Section } from '../reliability/section.ts';
import { startStandby } from './standby.ts';
import { doctor } from './traffic.ts';

const patience = 180_000;
const reads = 200;
/** What services are told, and what a document may be remembered for besides. */
const maxAgeMs = 2_000;
const mostMs = maxAgeMs + 1_000;
/** How long somebody waits for the change of a document where no age is too old. */
const enoughMs = 2 * mostMs;

/** Documents are read from a standby, as long as it is young; what permits or forbids never is. */
export async function verifyReplica({ installation, report }: Section) {
  const line = { promise: 'replica', limit: { exactly: 0 } };
  const standby = await startStandby(installation);
  try {
    const tenant = await installation.newTenant('Read elsewhere');
    await fill(installation, tenant);
    const start = (app: App, ageMs = maxAgeMs) =>
      installation.start(app, {
        environment: {
          DATABASE_REPLICA_URL: standby.urlOf(installation.loginTo(app, 'outcomes')),
          DATABASE_REPLICA_MAX_AGE_MS: String(ageMs),
        },
      });
    const [ingest, read, gateway] = [
      await installation.start('ingest-api'),
      await start('read-api'),
      await start('mcp-gateway'),
    ];
    const ask = () => documentsOf(read, gateway, tenant);
    await ask();
    const isUsed = async () => (await used(read)) && (await used(gateway));
    if (!(await within(patience, isUsed))) throw new Failure('the standby is not read');
    const examine = () =>
      doctor(installation, {
        environment: { DATABASE_REPLICA_URL: standby.urlOf(installation.logins.readApi) },
        redisUrl: installation.redisUrl,
      });
    const examined = await examine();
    if (examined.code !== 0) report.note(examined.output.trim());
    report.check({ ...line, what: 'faults that the doctor finds', value: examined.code });

    const scans = async () => (await installation.query(SCANS))[0].n;
    const before = { primary: await settled(scans), standby: (await standby.query(SCANS))[0].n };
    let failed = 0;
    for (let n = 0; n < reads; n += 1) failed += (await ask()) ? 0 : 1;
    const there = await settled(async () => (await standby.query(SCANS))[0].n);
    report.check({ ...line, what: `of ${2 * reads} answers, those that are no success`, value: failed });
    report.check({
      ...{ ...line, what: 'documents that the standby was asked for', limit: { least: reads } },
      value: there - before.standby,
    });
    report.check({
      ...{ ...line, what: 'documents that the primary was asked for' },
      value: (await settled(scans)) - before.primary,
    });

    await standby.query('SELECT pg_wal_replay_pause()');
    const late = await untilChanged(installation, tenant, read);
    report.check({
      ...{
        promise: 'replica',
        what: 'a standby that stands still: until a new document is told',
        unit: 'ms',
      },
      ...{ value: Math.round(late), limit: { most: mostMs } },
    });
    report.mutation({
      ...{ ...line, what: 'a standby that stands still: faults that the doctor finds' },
      value: (await examine()).code,
    });
    await standby.query('SELECT pg_wal_replay_resume()');
    if (!(await within(patience, isUsed))) throw new Failure('the standby is not read again');
    await installation.stop(read, gateway);

    // From here on no age is too old, so that whatever is read from the standby is told as it was.
    const [calm, agent] = [await start('read-api', 3_600_000), await start('mcp-gateway', 3_600_000)];
    await documentsOf(calm, agent, tenant);
    if (!(await within(patience, async () => (await used(calm)) && (await used(agent)))))
      throw new Failure('the standby is not read');
    const contact = `contact-${randomUUID()}`;
    await tell(ingest, tenant, { recipient_id: contact });
    await within(patience, async () => (await mayContact(agent, tenant, contact)) === true);
    await standby.query('SELECT pg_wal_replay_pause()');
    report.mutation({
      ...{ promise: 'replica', what: 'no age is too old: until a new document is told', unit: 'ms' },
      ...{ value: Math.round(await untilChanged(installation, tenant, calm)), limit: { most: mostMs } },
    });
    await tell(ingest, tenant, { recipient_id: contact, outcome: 'unsubscribed' });
    report.check({
      ...{ ...line, what: 'opt-outs that a standby which stands still lets pass' },
      value: (await mayContact(agent, tenant, contact)) === false ? 0 : 1,
    });
    await installation.query('UPDATE api_keys SET revoked_at = now() WHERE company_id = $1', [
      tenant.companyId,
    ]);
    const refused = () =>
      within(20_000, async () => {
        const { status } = await getPatterns(calm, tenant);
        return status === 401;
      });
    report.check({
      ...{ ...line, what: 'revoked keys that a standby which stands still lets in' },
      value: (await refused()) ? 0 : 1,
    });
    await installation.query('UPDATE api_keys SET revoked_at = NULL WHERE company_id = $1', [
      tenant.companyId,
    ]);
    await installation.stop(calm, agent);
    await standby.query('SELECT pg_wal_replay_resume()');

    const [last, lastAgent] = [await start('read-api'), await start('mcp-gateway')];
    await documentsOf(last, lastAgent, tenant);
    await within(patience, async () => (await used(last)) && (await used(lastAgent)));
    const gone = standby.life.kill('SIGQUIT');
    failed = 0;
    for (let n = 0; n < reads; n += 1) failed += (await documentsOf(last, lastAgent, tenant)) ? 0 : 1;
    await gone;
    report.check({
      ...{ ...line, what: `the standby dies: of ${2 * reads} answers, those that are no success` },
      value: failed,
    });
  } finally {
    await installation.stop();
    await standby.life.stop();
  }
}

/** How often documents were looked up on a server, as far as its processes have told. */
const SCANS = `SELECT (coalesce(seq_scan, 0) + coalesce(idx_scan, 0))::int AS n FROM pg_stat_user_tables WHERE relname = 'snapshots'`;

/** Statistics come a second after the fact: the last of some that are alike. */
async function settled(ask: () => Promise<number>) {
  let last = await ask();
  for (let alike = 0; alike < 4;) {
    await delay(500);
    const next = await ask();
    alike = next === last ? alike + 1 : 0;
    last = next;
  }
  return last;
}

/** A company with documents, and nobody at work. */
async function fill(installation: Installation, tenant: Tenant) {
  const ingest = await installation.start('ingest-api');
  const worker = await installation.start('analysis-worker', {
    environment: { SWEEP_INTERVAL_MS: '100' },
  });
  for (let from = 0; from < 2_000; from += 500) {
    const request = { headers: headersOf(tenant.apiKey), body: typicalBatch(500, from) };
    const { status } = await exchange(`${ingest.url}/ingest/events`, request);
    if (status !== 202) throw new Failure(`an ingestion was answered ${status}`);
  }
  const isSettled = async () => {
    const [row] = await installation.query(
      `SELECT (SELECT count(*) FROM ingest_batches WHERE processed_at IS NULL)
         + (SELECT count(*) FROM analysis_runs WHERE state = 'running') AS pending,
         (SELECT count(*) FROM snapshots WHERE document = 'patterns') AS documents`,
    );
    return Number(row.pending) === 0 && Number(row.documents) > 0;
  };
  if (!(await within(patience, isSettled))) throw new Failure('the history was not analysed');
  await installation.stop(ingest, worker);
}

async function used({ management }: Running) {
  const text = await (await fetch(`${management}/metrics`)).text();
  return /^outcomes_database_replica_used(\{.*\})? 1$/m.test(text);
}

async function getPatterns({ url }: Running, { apiKey }: Tenant) {
  const answer = await fetch(`${url}/v1/patterns`, { headers: { authorization: `Bearer ${apiKey}` } });
  await answer.arrayBuffer();
  return { status: answer.status, etag: answer.headers.get('etag') };
}

async function callTool({ url }: Running, { apiKey }: Tenant, name: string, parameters: object) {
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { ...headersOf(apiKey), Accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name, arguments: parameters },
    }),
  });
  const text = await answer.text();
  return { isGood: answer.status === 200 && !text.includes('"isError":true'), text };
}

/** Asks for documents over REST and over MCP. */
async function documentsOf(read: Running, gateway: Running, tenant: Tenant) {
  const [{ status }, { isGood }] = await Promise.all([
    getPatterns(read, tenant),
    callTool(gateway, tenant, 'get_bandit_state', {}),
  ]);
  return status === 200 && isGood;
}

/** How long a change on the primary takes to be told; as long as somebody waits where it is not. */
async function untilChanged(installation: Installation, tenant: Tenant, read: Running) {
  const { etag } = await getPatterns(read, tenant);
  await installation.query(
    `UPDATE snapshots SET etag = left(md5($2), 22) WHERE company_id = $1 AND document = 'patterns'`,
    [tenant.companyId, randomUUID()],
  );
  const began = performance.now();
  await within(enoughMs, async () => (await getPatterns(read, tenant)).etag !== etag);
  return performance.now() - began;
}

async function mayContact(gateway: Running, tenant: Tenant, contact: string): Promise<boolean | null> {
  const { text } = await callTool(gateway, tenant, 'get_recipient_intelligence', { contact_id: contact });
  const found = /"can_contact\\?":\s*(true|false|null)/.exec(text)?.[1];
  return found === undefined ? null : JSON.parse(found);
}

async function tell({ url }: Running, { apiKey }: Tenant, parts: Record<string, unknown>) {
  const body = bodyOf(smallEvents(1, () => parts));
  const { status, text } = await exchange(`${url}/ingest/events`, { headers: headersOf(apiKey), body });
  if (status !== 202) throw new Failure(`an event was answered ${status}: ${text.slice(0, 200)}`);
}
