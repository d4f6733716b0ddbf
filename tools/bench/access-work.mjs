// @ts-check
// Runs the access libraries as a service has them, and the floors beside them, in one process; prints JSON.
// DATABASE_URL: the read API's login. OWNER_URL: the owner's. API_KEY, COMPANY_ID: as made by servers.ts.
import { hash, randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import pg from 'pg';
import { bareKeyCheck, createCommitTable, oneCommit, plainRead } from '../floors/access.mjs';
import { PostgresTime } from './processor-time.mjs';

// Built packages, as a service loads them; their types are not looked at here.
const load = createRequire(import.meta.url);
const { AuditModule, AuditWriter, sha256OfJson } = load('@outcomes/audit');
const { Authenticator, AuthModule, KeyForm } = load('@outcomes/auth');
const { PersistenceModule } = load('@outcomes/persistence');
const { createLogger, Management, PlatformModule, serviceConfigSchema, systemClock } =
  load('@outcomes/platform');
const { ReadModelModule, SnapshotRepository } = load('@outcomes/read-model');
const { TenantDatabase } = load('@outcomes/tenancy');
const { NestFactory } = load('@nestjs/core');

const reads = 6_000;
const readers = 8;
const checks = 200_000;
const commits = 400;
const callers = 32;
const emptySha256 = sha256OfJson({});

/** @typedef {{ service: number, floor: number }} Pair */

const { OWNER_URL = '', API_KEY = '', COMPANY_ID = '', ROUNDS = '5' } = process.env;
const rounds = Number(ROUNDS);
const config = serviceConfigSchema({ port: 0, managementPort: 0 }).parse(process.env);
const parts = { clock: systemClock, config, logger: createLogger('bench-access', 'silent') };
const imports = [
  PlatformModule.register({ ...parts, management: new Management('bench-access') }),
  ...[PersistenceModule.register('bench-access'), AuthModule, AuditModule, ReadModelModule],
];
class Bench {}
const app = await NestFactory.createApplicationContext({ module: Bench, imports }, { logger: false });
const pool = new pg.Pool({ connectionString: OWNER_URL, max: 10, application_name: 'floor' });
const authenticator = app.get(Authenticator);
const presented = { authorization: `Bearer ${API_KEY}`, ip: '127.0.0.1' };
const { scope } = await authenticator.authenticate(presented);

const results = {
  reads: await measureReads(),
  checks: await measureChecks(),
  lookUps: await measureLookUps(),
  alone: await measureCommits(1),
  together: await measureCommits(callers),
};
process.stdout.write(JSON.stringify(results));
await pool.end();
await app.close();

/** Microseconds of CPU per read of a 30 kB document: in this process, and in Postgres. */
async function measureReads() {
  const repository = app.get(SnapshotRepository);
  const body = JSON.stringify(Array.from({ length: 200 }, (_, at) => ({ at, text: 'x'.repeat(130) })));
  await pool.query(
    `INSERT INTO snapshots (company_id, document, run_id, data_as_of, updated_at, etag, body)
     VALUES ($1, 'patterns', $2, now(), now(), 'e', $3)`,
    [COMPANY_ID, randomUUID(), body],
  );
  const service = () => repository.find(scope, 'patterns').then((/** @type {any} */ found) => found?.body);
  const floor = () => plainRead(pool, COMPANY_ID, 'patterns');
  for (const read of [service, floor]) {
    if ((await read()) !== body) throw new Error('the benchmark reads something else');
  }
  const cost = async (/** @type {() => Promise<unknown>} */ read, /** @type {string} */ application) => {
    const postgres = new PostgresTime(pool, application);
    const before = await postgres.read();
    if (before.size === 0) throw new Error(`Postgres serves no ${application}`);
    const node = process.cpuUsage();
    await inParallel(reads, readers, read);
    const { user, system } = process.cpuUsage(node);
    return (user + system + (await postgres.since(before))) / reads;
  };
  return interleaved({
    service: () => cost(service, 'bench-access'),
    floor: () => cost(floor, 'floor'),
  });
}

/** Microseconds of CPU per check of a key that is cached. */
async function measureChecks() {
  const secret = new KeyForm('svc').parse(API_KEY)?.secret ?? '';
  const stored = hash('sha256', secret, 'buffer');
  const cost = async (/** @type {() => unknown} */ check) => {
    const before = process.cpuUsage();
    for (let done = 0; done < checks; done += 1) await check();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / checks;
  };
  return interleaved({
    service: () => cost(() => authenticator.authenticate(presented)),
    floor: () => cost(() => bareKeyCheck(secret, stored)),
  });
}

/** Look-ups in Postgres per ten seconds, from the two that came closest, while one key is checked all the time. */
async function measureLookUps() {
  const database = app.get(TenantDatabase);
  const unscoped = database.unscoped.bind(database);
  /** @type {number[]} */
  const times = [];
  database.unscoped = (/** @type {unknown[]} */ ...given) => {
    times.push(performance.now());
    return unscoped(...given);
  };
  const deadline = performance.now() + 60_000;
  while (times.length < 3 && performance.now() < deadline) {
    await inParallel(2_000, 100, () => authenticator.authenticate(presented));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  database.unscoped = unscoped;
  return 10_000 / Math.min(...times.slice(1).map((time, at) => time - (times[at] ?? 0)));
}

/**
 * Milliseconds that a caller waits for its audit row, and that one commit of so many rows takes a bare program.
 * @param {number} concurrency
 */
async function measureCommits(concurrency) {
  const writer = app.get(AuditWriter);
  if (concurrency === 1) await createCommitTable(pool);
  const count = concurrency === 1 ? commits : commits * 8;
  const service = async () => {
    let waited = 0;
    await inParallel(count, concurrency, async () => {
      const began = performance.now();
      await writer.record(entryOf());
      waited += performance.now() - began;
    });
    return waited / count;
  };
  const floor = async () => {
    const began = performance.now();
    for (let done = 0; done < commits; done += 1) {
      await oneCommit(pool, Array.from({ length: concurrency }, entryOf));
    }
    return (performance.now() - began) / commits;
  };
  return interleaved({ service, floor });
}

/** @returns {import('../floors/access.mjs').Entry} */
function entryOf() {
  return {
    ...{ companyId: COMPANY_ID, keyId: 'abcdefghijklmnop', actor: { type: 'agent', id: 'sdr-7' } },
    ...{ tool: 'get_bandit_state', errorType: null, latencyMs: 1.5, requestId: randomUUID() },
    ...{ inputSha256: emptySha256, outputSha256: emptySha256, occurredAt: new Date() },
  };
}

/**
 * Rounds of both sides by turns, after one of each that does not count.
 * @param {{ service: () => Promise<number>, floor: () => Promise<number> }} sides
 * @returns {Promise<Pair[]>}
 */
async function interleaved({ service, floor }) {
  const pairs = [];
  for (let round = -1; round < rounds; round += 1) {
    // The order changes, so that neither side always has the other's traces to clear.
    const first = round % 2 === 0 ? await floor() : undefined;
    const pair = { service: await service(), floor: first ?? (await floor()) };
    if (round >= 0) pairs.push(pair);
  }
  return pairs;
}

/** @param {number} count @param {number} concurrency @param {() => Promise<unknown>} work */
async function inParallel(count, concurrency, work) {
  let left = count;
  const worker = async () => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}
