// `npm run verify:isolation`: a company with three keys as they come attacks the three APIs, and what another company
// sees of it meanwhile is held against what it sees in peace. Most attacks are repeated on a service without the bound.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { watch, type App, type Seen } from './isolation/bystander.ts';
import { fuzzings } from './isolation/fuzzing.ts';
import { memoryLimit } from './isolation/memory-limit.ts';
import { Failure } from './local/failure.mjs';
import { build } from './local/install.mjs';
import { program } from './local/program.mjs';
import {
  ensureLocalDirectory,
  localDirectory,
  nodeOptionsOf,
  requireFreeSpace,
  root,
  writeJson,
} from './local/settings.mjs';
import { withInstallation, type Installation, type Tenant } from './reliability/installation.ts';
import { Report } from './reliability/report.ts';

interface Attack {
  app: App;
  mutation: string;
  shows: 'p99' | 'failures' | 'memory' | 'reads';
}

/** Which service an attack is on, what it is repeated without (nothing: it is not repeated), and what has to show that. */
const attacks: Record<string, Attack> = {
  stalled: { app: 'ingest-api', mutation: 'reserve', shows: 'failures' },
  announced: { app: 'ingest-api', mutation: 'reserve', shows: 'failures' },
  unfinished: { app: 'ingest-api', mutation: 'bodies', shows: 'memory' },
  oversized: { app: 'ingest-api', mutation: '', shows: 'failures' },
  compressed: { app: 'ingest-api', mutation: 'turns', shows: 'p99' },
  'mcp-bodies': { app: 'mcp-gateway', mutation: 'bodies', shows: 'memory' },
  'mcp-free': { app: 'mcp-gateway', mutation: 'free', shows: 'p99' },
  lists: { app: 'read-api', mutation: 'turns', shows: 'p99' },
  unread: { app: 'read-api', mutation: '', shows: 'p99' },
  strangers: { app: 'read-api', mutation: 'strangers', shows: 'reads' },
  silent: { app: 'read-api', mutation: '', shows: 'p99' },
};
/** Of the chart, in megabytes. */
const memoryLimits: Record<App, number> = { 'ingest-api': 512, 'read-api': 384, 'mcp-gateway': 384 };
const RESPONDERS = 20_000;
/** Reads of Postgres per second that made-up keys may cost, once the window of their address is used up. */
const MAX_READS = 10;
const ADDRESS_WINDOW = 200;

const help = `Usage: npm run verify:isolation [-- --seconds N] [-- --cases N] [-- ATTACK ...]

Starts Postgres, Redis and the built services, attacks the three APIs with three keys as they come, and prints what another
company sees meanwhile: at most twice its p99 in peace and at most 50 ms more, and no failure. Where this user may make
control groups, as root may, the kernel holds each service to the memory limit of its pod and kills it above; of
processors the chart limits none. Most attacks are repeated on a service without the bound, which has to be seen;
oversized, unread and silent are not. Run it on a machine that does nothing else. Then requests are made up from the
description of each surface: no answer may be a 5xx, or differ from the description. For the two REST surfaces
Schemathesis makes them up, which is installed from the Python Package Index into .local/ the first time.

  --seconds N   length of each measurement, 60 unless told
  --cases N     requests that are made up for each surface, 10000 unless told
  ATTACK        some of: ${[...Object.keys(attacks), ...Object.keys(fuzzings)].join(' ')}`;

async function verify(names: readonly string[], seconds: number, cases: number) {
  ensureLocalDirectory();
  await requireFreeSpace(2_000);
  await build(new AbortController().signal);
  const report = new Report((line) => console.log(line));
  await withInstallation(async (installation) => {
    const victim = await installation.newTenant('Victim');
    const attacker = await newAttacker(installation);
    for (const name of names) {
      try {
        const fuzz = fuzzings[name];
        if (fuzz) await fuzz({ installation, report, cases, tenant: victim });
        else await measure(name, { installation, report, seconds, victim, attacker });
      } catch (error) {
        report.notRun(name, error instanceof Error ? error.message : String(error));
      } finally {
        await installation.stop();
      }
    }
  });
  const closing = `${report.lines.length - report.failures} of ${report.lines.length} lines hold`;
  console.log(`\n${closing}`);
  writeJson(join(localDirectory, 'isolation.json'), {
    measuredAt: new Date().toISOString(),
    ...{ seconds, cases },
    lines: report.lines,
  });
  if (report.failures > 0) process.exitCode = 1;
}

interface Scene {
  installation: Installation;
  report: Report;
  seconds: number;
  victim: Tenant;
  attacker: readonly string[];
}

async function measure(name: string, scene: Scene) {
  const attack = attacks[name];
  if (!attack) return;
  const { report } = scene;
  const { idle, seen, reads, kills } = await attacked(name, attack, '', scene);
  const limit = Math.min(2 * idle.p99, idle.p99 + 50);
  const [inPeace, attackedBy] = [described(idle), described(seen)];
  report.note(`${name}: in peace ${inPeace}`);
  report.note(`${' '.repeat(name.length)}  attacked ${attackedBy}`);
  report.check({
    promise: name,
    what: 'p99 of another company',
    value: seen.p99,
    limit: { most: limit },
    unit: 'ms',
  });
  report.check({
    promise: name,
    what: 'requests of another company that failed',
    value: seen.failures,
    limit: { exactly: 0 },
  });
  report.check({
    promise: name,
    what: `memory of ${attack.app}`,
    value: seen.memory,
    limit: { most: memoryLimits[attack.app] },
    unit: 'MB',
  });
  if (kills === undefined)
    report.note('This user may make no control group: memory was read, and held by nobody.');
  else
    report.check({
      promise: name,
      what: `times that ${attack.app} was killed for its memory`,
      value: kills,
      limit: { exactly: 0 },
    });
  if (attack.shows === 'reads')
    report.check({
      promise: name,
      what: 'further look-ups of keys in Postgres per second',
      value: reads,
      limit: { most: MAX_READS },
    });
  if (attack.mutation === '') return;
  const broken = await attacked(name, attack, attack.mutation, scene);
  const what = `without its bound (${attack.mutation})`;
  const brokenLimit = Math.min(2 * broken.idle.p99, broken.idle.p99 + 50);
  const judged = {
    p99: { value: broken.seen.p99, limit: { most: brokenLimit }, unit: 'ms' },
    failures: { value: broken.seen.failures, limit: { exactly: 0 } },
    memory: broken.kills
      ? { value: broken.kills, limit: { exactly: 0 }, unit: 'kills' }
      : { value: broken.seen.memory, limit: { most: memoryLimits[attack.app] }, unit: 'MB' },
    reads: { value: broken.reads, limit: { most: MAX_READS } },
  }[attack.shows];
  report.mutation({ promise: name, what, ...judged });
}

function described({ requests, p50, p99, memory, processor }: Seen) {
  const times = `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
  return `${requests} requests, ${times}, ${memory.toFixed(0)} MB, ${processor.toFixed(2)} processors`;
}

/** In peace and under attack, on a service of its own. */
async function attacked(
  name: string,
  { app }: Attack,
  mutation: string,
  { installation, seconds, victim, attacker }: Scene,
) {
  await installation.query('TRUNCATE outcome_events, ingest_batches CASCADE').catch(() => {});
  await forgetLimits(installation);
  // Not into a service that keeps its bounds: it would load its classes a second time, beside the bundle's.
  const preload = mutation && ` --import ${join(root, 'tools/isolation/without-admission.mjs')}`;
  const limit = memoryLimit(memoryLimits[app]);
  try {
    const running = await installation.start(app, {
      environment: { NODE_OPTIONS: `${nodeOptionsOf(app)}${preload}`, ISOLATION_MUTATION: mutation },
      isChanged: mutation !== '',
      ...(limit && { within: limit.within }),
    });
    const scene = { url: running.url, apiKey: victim.apiKey, pid: running.life.pid ?? 0 };
    await watch(app, { ...scene, seconds: 2 });
    const idle = await watch(app, { ...scene, seconds });
    // An attacker has machines of his own: this one works for him when it has nothing else to do. The lowest
    // priority is not that little: a process of it keeps its processor for the length of a turn.
    const program = [
      process.execPath,
      join(root, 'tools/isolation/attacker.ts'),
      name,
      running.url,
      ...attacker,
    ];
    const child = spawn('chrt', ['--idle', '0', ...program], { stdio: ['ignore', 'inherit', 'inherit'] });
    const before = await keyReads(installation);
    const seen = await watch(app, { ...scene, seconds });
    const reads = Math.max(0, (await keyReads(installation)) - before - ADDRESS_WINDOW) / seconds;
    child.kill('SIGTERM');
    const killed = setTimeout(() => child.kill('SIGKILL'), 5_000);
    await once(child, 'exit');
    clearTimeout(killed);
    return { idle, seen, reads, kills: limit?.kills() };
  } finally {
    await installation.stop();
    await limit?.remove();
  }
}

/** Index look-ups in the table of keys. */
async function keyReads(installation: Installation) {
  const [row] = await installation.query(
    `SELECT pg_stat_force_next_flush(), coalesce(idx_scan, 0) + seq_scan AS reads FROM pg_stat_user_tables WHERE relname = 'api_keys'`,
  );
  return Number(row?.reads ?? 0);
}

/** Windows that an attack before has used up. */
async function forgetLimits(installation: Installation) {
  const { Redis } = await import('ioredis');
  const redis = new Redis(installation.redisUrl);
  await redis.flushall();
  redis.disconnect();
}

/** Three keys as they come, of two companies, one of them with many responders. */
async function newAttacker(installation: Installation) {
  const create = (name: string) => installation.outcomes(['company', 'create', name, '--json']);
  const [{ companyId, apiKey: first }, { apiKey: third }] = [await create('One'), await create('Two')];
  const another = ['keys', 'create', '--company', companyId, '--name', 'second', '--json'];
  const { apiKey: second } = await installation.outcomes(another);
  await installation.query(
    `INSERT INTO touches (company_id, touch_id, channel, sequence_step, position, position_confidence, outcome,
       streamed, sent_day, sent_at, outcome_at, levels, recipient_id, thread_id, campaign_id)
     SELECT $1, gen_random_uuid(), 0, 0, 4, 0.9, 0, true, at::date, at, at, '{}', 'r-' || n, 't-' || n, 'c'
     FROM generate_series(1, $2::integer) AS n, (SELECT now() - interval '20 days' AS at) AS sent`,
    [companyId, RESPONDERS],
  );
  return [first, second, third];
}

await program(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seconds: { type: 'string', default: '60' },
      cases: { type: 'string', default: '10000' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(help);
  const known = [...Object.keys(attacks), ...Object.keys(fuzzings)];
  const unknown = positionals.find((name) => !known.includes(name));
  const [seconds, cases] = [Number(values.seconds), Number(values.cases)];
  if (unknown !== undefined) throw new Failure(`There is no attack ${unknown}.\n${help}`);
  if (!Number.isFinite(seconds) || seconds < 1) throw new Failure('--seconds takes a number from 1 on.');
  if (!Number.isInteger(cases) || cases < 1) throw new Failure('--cases takes a whole number from 1 on.');
  const names = known.filter((name) => positionals.length === 0 || positionals.includes(name));
  await verify(names, seconds, cases);
});
