import { createServer, type Server } from 'node:http';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { appOf } from '../logging/logger';
import { VERSION } from './version';

/** A named readiness condition; true where the service can do its work. Must answer within two seconds. */
export type ReadinessCheck = () => Promise<boolean> | boolean;

/**
 * The port that operators see and callers never do: livez touches nothing, readyz asks the checks, metrics is
 * Prometheus text.
 */
export class Management {
  readonly registry = new Registry();
  private readonly checks = new Map<string, ReadinessCheck>();
  private draining = false;
  private asking?: Promise<string[]> | undefined;
  private answered?: { readonly failing: string[]; readonly atMs: number };
  private server?: Server;

  constructor(service: string) {
    // Not called service: Prometheus gives that name to the Kubernetes service that it asks.
    this.registry.setDefaultLabels({ app: appOf(service) });
    new Gauge({
      name: 'outcomes_build_info',
      help: 'Always 1; which version runs, on which Node.js.',
      labelNames: ['version', 'node'],
      registers: [this.registry],
    }).set({ version: VERSION, node: process.version }, 1);
    const isReady = () => this.isReady();
    new Gauge({
      name: 'outcomes_ready',
      help: 'Whether the process can do its work, as readyz says: 1, or 0.',
      registers: [this.registry],
      async collect() {
        this.set((await isReady()) ? 1 : 0);
      },
    });
  }

  addReadinessCheck(name: string, check: ReadinessCheck): void {
    this.checks.set(name, check);
  }

  /** From now on readyz says no, so that load balancers stop sending. */
  startDraining(): void {
    this.draining = true;
  }

  get isDraining(): boolean {
    return this.draining;
  }

  async listen(port: number, host: string): Promise<void> {
    // Not before anybody can ask: they look at the event loop and at every collection until the process ends.
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: LOOP_LOOK_MS });
    const server = createServer((request, response) => {
      void this.answer(request.url ?? '').then(({ status, type, body }) => {
        response.writeHead(status, { 'Content-Type': type }).end(body);
      });
    });
    this.server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
  }

  async close(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise<void>((resolve) => (this.server ? this.server.close(() => resolve()) : resolve()));
    this.registry.clear();
  }

  private async answer(url: string): Promise<{ status: number; type: string; body: string }> {
    const path = url.split('?')[0];
    if (path === '/metrics') {
      return { status: 200, type: this.registry.contentType, body: await this.registry.metrics() };
    }
    if (path === '/livez') return json(200, { status: 'ok' });
    if (path !== '/readyz')
      return json(404, { error: 'NOT_FOUND', paths: ['/livez', '/readyz', '/metrics'] });
    const failing = await this.ask();
    const ready = failing.length === 0 && !this.draining;
    return json(ready ? 200 : 503, {
      status: ready ? 'ready' : 'not ready',
      draining: this.draining,
      failing,
    });
  }

  /** For a scrape, which does not wait for checks that readyz has just asked: where they fail, each takes its two seconds. */
  private async isReady(): Promise<boolean> {
    const known = this.answered;
    const failing = known && performance.now() - known.atMs < FRESH_MS ? known.failing : await this.ask();
    return failing.length === 0 && !this.draining;
  }

  /** Once, however many ask at the same time. */
  private async ask(): Promise<string[]> {
    this.asking ??= this.failingChecks().finally(() => {
      this.asking = undefined;
    });
    const failing = await this.asking;
    this.answered = { failing, atMs: performance.now() };
    return failing;
  }

  private async failingChecks(): Promise<string[]> {
    const results = await Promise.all(
      [...this.checks].map(async ([name, check]) => ((await passes(check)) ? undefined : name)),
    );
    return results.filter((name) => name !== undefined);
  }
}

/**
 * Between two looks at the event loop, most of what an idle API does: at the library's 10 ms they take 0.21 s of CPU a
 * minute, at these 0.04. What blocks it for long is seen either way.
 */
const LOOP_LOOK_MS = 50;
const CHECK_TIMEOUT_MS = 2_000;
/** How long a scrape believes an answer of the checks; Kubernetes asks every two seconds. */
const FRESH_MS = 5_000;

async function passes(check: ReadinessCheck): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), CHECK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([Promise.resolve(check()), timeout]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

function json(status: number, value: unknown) {
  return { status, type: 'application/json', body: JSON.stringify(value) };
}
