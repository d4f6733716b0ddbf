import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { Failure } from '../local/failure.mjs';
import { newPassword } from '../local/installation.mjs';
import { freePort } from '../local/ports.mjs';
import { within } from '../local/processes.mjs';
import { findRedis, redisVersion } from '../local/redis.mjs';
import type { Installation, Tenant } from '../reliability/installation.ts';
import { Life } from '../reliability/life.ts';
import { bodyOf, exchange, headersOf, smallEvents } from '../reliability/requests.ts';
import type { Section } from '../reliability/section.ts';
import { doctor, keepSending, startAll, useEverything } from './traffic.ts';

const patience = 60_000;
const watchers = 3;
/** By which the sentinels know the primary. */
const name = 'main-redis';
/** After such a silence they take it for dead. */
const silenceMs = 1_000;
/** Silence, election, promotion, and a connection made anew. */
const mostMs = 15_000;
/** No sweep comes within a run: what is counted was told by a queue. */
const never = '3600000';

/** A Redis, its replica and three sentinels; the primary dies under load. */
export async function verifySentinel({ installation, report }: Section) {
  const line = { promise: 'sentinel', limit: { exactly: 0 } };
  const servers = await startServers(installation);
  try {
    const environment = { REDIS_URL: servers.byName, REDIS_SENTINELS: servers.sentinels };
    const tenant = await installation.newTenant('Watched over');
    const services = await startAll(installation, { environment });
    const used = await useEverything(installation, services, tenant, 200);
    report.check({ ...line, what: `answers of ${used.answers} that are no success`, value: used.failed });
    report.check({ ...line, what: 'batches that are not counted', value: used.uncounted });
    const examined = await doctor(installation, { environment, redisUrl: servers.byName });
    if (examined.code !== 0) report.note(examined.output.trim());
    report.check({ ...line, what: 'faults that the doctor finds', value: examined.code });
    await installation.stop(services.worker);
    const counts = await installation.start('analysis-worker', {
      environment: { ...environment, SWEEP_INTERVAL_MS: never },
    });

    const sending = keepSending(`${services.ingest.url}/ingest/events`, tenant.apiKey);
    await within(patience, async () => sending.told.acknowledged.length > 50);
    const diedMs = performance.now();
    await servers.primary.kill('SIGKILL');
    await delay(2 * silenceMs);
    await sending.stop();
    const isWhole = await within(patience, () => counted(installation, services.ingest.url, tenant));
    const tookMs = isWhole ? performance.now() - diedMs : Number.NaN;
    const { statuses, acknowledged } = sending.told;
    report.note(
      `answers by status: ${JSON.stringify([...statuses])}; ${acknowledged.length} events acknowledged`,
    );
    const odd = [...statuses].filter(([status]) => status !== 202).reduce((sum, [, count]) => sum + count, 0);
    report.check({ ...line, what: 'the primary dies: answers to events other than 202', value: odd });
    report.check({
      ...{
        promise: 'sentinel',
        what: 'from its death until all is counted by way of the queue',
        unit: 'ms',
      },
      ...{ value: Math.round(tookMs), limit: { most: mostMs } },
    });
    const after = await useEverything(installation, { ...services, worker: counts }, tenant, 100, false);
    report.check({
      ...line,
      what: `answers of ${after.answers} after it that are no success`,
      value: after.failed,
    });

    await installation.stop(services.ingest, counts);
    const fixed = { REDIS_URL: servers.byAddress, SWEEP_INTERVAL_MS: never };
    const ingest = await installation.start('ingest-api', { environment: fixed });
    await installation.start('analysis-worker', { environment: fixed, awaitsReady: false });
    report.mutation({
      ...{ ...line, what: 'told of the first primary alone: batches that no queue tells of' },
      value: (await within(mostMs, () => counted(installation, ingest.url, tenant))) ? 0 : 1,
    });
  } finally {
    await installation.stop();
    await servers.stop();
  }
}

/** Whether everything is counted within a second after one more batch. */
async function counted(installation: Installation, url: string, { apiKey, companyId }: Tenant) {
  const body = bodyOf(smallEvents(1));
  const { status, text } = await exchange(`${url}/ingest/events`, { headers: headersOf(apiKey), body });
  if (status !== 202) throw new Failure(`an event was answered ${status}: ${text.slice(0, 200)}`);
  return within(1_000, async () => {
    const pending = 'SELECT FROM ingest_batches WHERE company_id = $1 AND processed_at IS NULL LIMIT 1';
    return (await installation.query(pending, [companyId])).length === 0;
  });
}

async function startServers(installation: Installation) {
  const { file } = await findRedis();
  const folder = join(installation.directory, 'sentinel');
  mkdirSync(folder, { mode: 0o700 });
  const [password, watchword] = [newPassword(), newPassword()];
  const [first, second] = [await freePort(), await freePort()];
  const lives: Life[] = [];
  const start = async (life: string, lines: string[], url: string, flags: string[] = []) => {
    const configuration = join(folder, `${life}.conf`);
    const all = ['bind 127.0.0.1', `dir ${folder}`, 'daemonize no', ...lines];
    writeFileSync(configuration, `${all.join('\n')}\n`, { mode: 0o600 });
    const service = {
      ...{ name: life, command: [file, configuration, ...flags] },
      ready: () => redisVersion(url).then(Boolean, () => false),
    };
    lives.push(await new Life(service, installation.directory).start());
    return lives.at(-1) as Life;
  };
  const at = (port: number) => `redis://:${password}@127.0.0.1:${port}`;
  const server = (port: number) => [
    ...[`port ${port}`, `requirepass ${password}`, `masterauth ${password}`, 'repl-diskless-sync-delay 0'],
    ...['maxmemory-policy noeviction', 'save ""', `dbfilename ${port}.rdb`],
  ];
  const stop = async () => {
    for (const life of lives.toReversed()) await life.stop();
  };
  try {
    const primary = await start('redis-first', server(first), at(first));
    await start('redis-second', [...server(second), `replicaof 127.0.0.1 ${first}`], at(second));
    const ports = [];
    for (let n = 1; n <= watchers; n += 1) {
      const port = await freePort();
      const lines = [
        ...[`port ${port}`, `requirepass ${watchword}`, `sentinel sentinel-pass ${watchword}`],
        ...[`sentinel monitor ${name} 127.0.0.1 ${first} 2`, `sentinel auth-pass ${name} ${password}`],
        ...[
          `sentinel down-after-milliseconds ${name} ${silenceMs}`,
          `sentinel failover-timeout ${name} 5000`,
        ],
      ];
      await start(`sentinel-${n}`, lines, `redis://:${watchword}@127.0.0.1:${port}`, ['--sentinel']);
      ports.push(port);
    }
    await untilWatched(ports, watchword);
    return {
      ...{ primary, stop, byName: `redis://:${password}@${name}`, byAddress: at(first) },
      sentinels: ports.map((port) => `redis://:${watchword}@127.0.0.1:${port}`).join(','),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Each sentinel knows the others and the replica. */
async function untilWatched(ports: number[], password: string) {
  for (const port of ports) {
    const sentinel = new Redis({ port, password, host: '127.0.0.1', commandTimeout: 3_000 });
    sentinel.on('error', () => {});
    try {
      const knows = async () => {
        const facts = (await sentinel.call('SENTINEL', 'MASTER', name)) as string[];
        const fact = (key: string) => Number(facts[facts.indexOf(key) + 1]);
        return fact('num-slaves') === 1 && fact('num-other-sentinels') === watchers - 1;
      };
      if (!(await within(patience, knows))) throw new Failure('the sentinels do not know one another');
    } finally {
      sentinel.disconnect();
    }
  }
  // A replica that has just come is promoted by nobody before it has told of itself.
  await delay(silenceMs);
}
