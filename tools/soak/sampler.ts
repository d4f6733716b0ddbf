// Looks at everything that might grow, every few seconds.
import { openSync, readdirSync, readSync, statSync, closeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Installation } from '../reliability/installation.ts';
import { now } from './load.ts';
import { apps, type App, type Service, type Services } from './services.ts';
import type { Point } from './trend.ts';

/** Most of a log that is read at once. */
const CHUNK = 4 * 1_024 * 1_024;
/** As pino writes them. */
const isError = (line: string) => /^\{"level":"(error|fatal)"/.test(line);

export class Sampler {
  readonly series = new Map<string, Point[]>();
  /** Lines of level error, and what standard error carries beside logs. */
  readonly errors: { at: number; app: App; line: string }[] = [];
  /** Times at which a service did not answer, or was another process than before. */
  readonly restarts: { at: number; app: App; what: string }[] = [];
  readonly #installation: Installation;
  readonly #services: Services;
  #seconds: number;
  readonly #redis: Redis;
  readonly #stop = new AbortController();
  readonly #logs = new Map<App, { offset: number; rest: string }>();
  readonly #starts = new Map<App, number>();
  readonly #processors = new Map<App, Point>();
  #running: Promise<void> | undefined;

  constructor(installation: Installation, services: Services, seconds: number) {
    this.#installation = installation;
    this.#services = services;
    this.#seconds = seconds;
    this.#redis = new Redis(installation.redisUrl);
    this.#redis.on('error', () => {});
  }

  start() {
    this.#running = this.#run();
  }

  /** Samples of a shorter stretch have to be closer together, or there are too few to tell a trend. */
  every(seconds: number) {
    this.#seconds = seconds;
  }

  async stop() {
    this.#stop.abort();
    await this.#running;
    this.#redis.disconnect();
  }

  points(name: string): readonly Point[] {
    return this.series.get(name) ?? [];
  }

  async #run() {
    for (let due = now(); !this.#stop.signal.aborted; due = Math.max(due + this.#seconds, now())) {
      await this.#look().catch((error: unknown) => this.#note('failed samples', 1, String(error)));
      await delay(Math.max(0, 1_000 * (due + this.#seconds - now())), undefined, {
        signal: this.#stop.signal,
      }).catch(() => {});
    }
  }

  #note(name: string, value: number, _why = '') {
    const known = this.series.get(name) ?? [];
    known.push({ at: now(), value });
    this.series.set(name, known);
  }

  async #look() {
    await Promise.all([
      ...apps.map((app) => this.#lookAt(this.#services[app])),
      this.#lookAtPostgres(),
      this.#lookAtRedis(),
    ]);
    for (const app of apps) this.#readLog(this.#services[app]);
    const logs = join(this.#installation.directory, 'logs');
    const files = readdirSync(logs);
    const bytes = files.reduce((sum, file) => sum + statSync(join(logs, file)).size, 0);
    this.#note('logs MB', bytes / 1e6);
    this.#note('log files', files.length);
  }

  async #lookAt({ app, management, probe }: Service) {
    const values = await metricsOf(management).catch(() => undefined);
    if (values === undefined) {
      this.restarts.push({ at: now(), app, what: 'does not answer' });
      return;
    }
    const value = (name: string) => values.get(name) ?? NaN;
    const started = value('process_start_time_seconds');
    if ((this.#starts.get(app) ?? started) !== started)
      this.restarts.push({ at: now(), app, what: 'another process' });
    this.#starts.set(app, started);
    this.#note(`${app} rss`, value('process_resident_memory_bytes') / 1e6);
    this.#note(`${app} loop lag`, 1_000 * value('nodejs_eventloop_lag_p99_seconds'));
    this.#note(`${app} files`, value('process_open_fds'));
    this.#note(`${app} handles`, value('nodejs_active_handles_total'));
    this.#noteProcessor(app, value('process_cpu_seconds_total'));
    const response = await fetch(probe, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
    const { heaps } = ((await response?.json()) ?? { heaps: [] }) as { heaps: number[] };
    for (const heap of heaps) this.#note(`${app} heap`, heap);
  }

  #noteProcessor(app: App, seconds: number) {
    const before = this.#processors.get(app);
    if (before && seconds >= before.value)
      this.#note(`${app} cpu`, (seconds - before.value) / (now() - before.at));
    this.#processors.set(app, { at: now(), value: seconds });
  }

  async #lookAtPostgres() {
    const { rows } = await this.#installation.pool.query<{ login: string; connections: number }>(
      `SELECT usename AS login, count(*)::int AS connections FROM pg_stat_activity
       WHERE backend_type = 'client backend' AND usename IS NOT NULL GROUP BY usename`,
    );
    // As the worker tells it, but asked of nobody who may be stuck.
    const { rows: waiting } = await this.#installation.pool.query<{ seconds: number; batches: number }>(
      `SELECT coalesce(extract(epoch FROM now() - min(received_at)), 0)::float8 AS seconds, count(*)::int AS batches
       FROM ingest_batches WHERE processed_at IS NULL`,
    );
    this.#note('queue age', waiting[0]?.seconds ?? NaN);
    this.#note('queue depth', waiting[0]?.batches ?? NaN);
    const owner = new URL(this.#installation.owner).username;
    const ofServices = rows.filter(({ login }) => login !== owner);
    this.#note(
      'connections',
      ofServices.reduce((sum, { connections }) => sum + connections, 0),
    );
    const { rows: sizes } = await this.#installation.pool.query<Record<string, number>>(
      `SELECT (pg_database_size(current_database()) / 1e6)::float8 AS "database MB", (wal_bytes / 1e6)::float8 AS "WAL MB",
         (wal_fpi / 1e3)::float8 AS "thousand whole pages in WAL", (num_timed + num_requested)::int AS checkpoints
       FROM pg_stat_wal CROSS JOIN pg_stat_checkpointer`,
    );
    for (const [series, value] of Object.entries(sizes[0] ?? {})) this.#note(series, value);
  }

  /** Without the streams of events of the queues, which BullMQ cuts at ten thousand entries, and the buffers of clients. */
  async #lookAtRedis() {
    const info = await this.#redis.info('memory');
    const field = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
    const queues = ['batches', 'analysis'].map((queue) => `{outcomes}:${queue}:events`);
    const streams = await Promise.all(
      queues.map(async (key) => Number((await this.#redis.memory('USAGE', key)) ?? 0)),
    );
    const streamBytes = streams.reduce((sum, bytes) => sum + bytes, 0);
    const others = field('used_memory') - field('mem_clients_normal') - streamBytes;
    this.#note('redis MB', others / 1e6);
    this.#note('redis streams MB', streamBytes / 1e6);
    this.#note('redis keys', await this.#redis.dbsize());
  }

  #readLog({ app, log }: Service) {
    const state = this.#logs.get(app) ?? { offset: 0, rest: '' };
    this.#logs.set(app, state);
    const file = openSync(log, 'r');
    const buffer = Buffer.allocUnsafe(CHUNK);
    for (let size = 1; size > 0;) {
      size = readSync(file, buffer, 0, CHUNK, state.offset);
      state.offset += size;
      const lines = (state.rest + buffer.toString('utf8', 0, size)).split('\n');
      state.rest = lines.pop() ?? '';
      for (const line of lines) {
        if (isError(line)) this.errors.push({ at: now(), app, line: line.slice(0, 500) });
      }
    }
    closeSync(file);
  }
}

/** By name, with those labels that are not about the service. */
async function metricsOf(management: string): Promise<Map<string, number>> {
  const response = await fetch(`${management}/metrics`, { signal: AbortSignal.timeout(5_000) });
  const text = await response.text();
  return new Map(
    [...text.matchAll(/^(\w+)(\{[^}]*\})? (\S+)$/gm)].map(([, name = '', labels = '', value]) => {
      const kept = labels.replace(/app="[^"]*",?|version="[^"]*",?/g, '').replace(/,}/, '}');
      return [kept === '{}' ? name : name + kept, Number(value)];
    }),
  );
}
