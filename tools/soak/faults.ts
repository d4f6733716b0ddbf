// Harm that is done to the installation while the load goes on: every promise has to be seen broken.
import { createServer, request, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { Installation } from '../reliability/installation.ts';
import type { Company } from './companies.ts';
import type { Nights } from './nights.ts';
import type { Sampler } from './sampler.ts';
import { apps, plant, pools, type Clients, type Services } from './services.ts';

/** What breaks which verdict. One service does one harm, so that each verdict has its own cause. */
export const causes: Record<string, string> = {
  answers: 'a proxy answers 500 to one call in two hundred',
  stored: 'a proxy acknowledges one batch in twenty and drops it',
  ids: 'the same proxy',
  counts: 'the same proxy',
  rest: 'the same proxy',
  mcp: 'the same proxy',
  nights: 'the daily run of a company has failed',
  retention: 'an event goes that had not expired',
  restarts: 'the worker is killed and started again',
  errors: 'a service logs an error',
  'mcp-gateway heap': 'objects leak, 200 KB a second',
  'console rss': 'buffers leak, 200 KB a second',
  'ingest-api most': 'memory beyond the limit of the container',
  'queue age': 'the worker works for a moment every two seconds',
  'read p99': 'the event loop is blocked longer and longer',
  'redis MB': 'keys without an end',
  connections: 'connections that are not given back',
  'ingest-api files': 'files that are not closed',
};

export class Faults {
  readonly #installation: Installation;
  readonly #services: Services;
  readonly #clients: Clients;
  readonly #sampler: Sampler;
  readonly #closers: (() => Promise<unknown> | void)[] = [];

  constructor(installation: Installation, services: Services, clients: Clients, sampler: Sampler) {
    this.#sampler = sampler;
    this.#installation = installation;
    this.#services = services;
    this.#clients = clients;
  }

  async begin() {
    const services = this.#services;
    await plant(services['mcp-gateway'], 'objects');
    await plant(services.console, 'buffers');
    await plant(services.console, 'error');
    await plant(services['analysis-worker'], 'slow');
    await plant(services['read-api'], 'slower');
    await plant(services['ingest-api'], 'files');
    await plant(services['ingest-api'], 'ballast');
    this.#clients.mcp.turnTo(await this.#proxy(services['mcp-gateway'].url, failing));
    this.#clients.ingest.turnTo(await this.#proxy(services['ingest-api'].url, dropping));
    this.#fillRedis();
    await this.#holdConnections();
  }

  /** Ends what would keep the installation from coming to rest; the worker is killed, and a new one is whole. */
  async end(nights: Nights, archive: Company) {
    await this.#services['analysis-worker'].life.restart('SIGKILL');
    for (const app of apps) if (app !== 'analysis-worker') await plant(this.#services[app], 'none');
    this.#clients.mcp.turnTo(this.#services['mcp-gateway'].url);
    this.#clients.ingest.turnTo(this.#services['ingest-api'].url);
    for (const close of this.#closers) await close();
    // One event is older than it was, and nobody has noted it; one run of a night has failed.
    await this.#installation.pool.query(
      `UPDATE outcome_events SET ingested_at = ingested_at - interval '25 months' WHERE (company_id, event_id) IN
         (SELECT company_id, event_id FROM outcome_events
          WHERE company_id = $1 AND ingested_at > now() - interval '1 month' LIMIT 1)`,
      [archive.companyId],
    );
    await this.#installation.pool.query(
      `UPDATE analysis_runs SET state = 'failed' WHERE company_id = $1 AND run_key = $2`,
      [archive.companyId, nights.keys[0]],
    );
  }

  #fillRedis() {
    const redis = new Redis(this.#installation.redisUrl);
    redis.on('error', () => {});
    let at = 0;
    const timer = setInterval(() => void redis.set(`left-${at++}`, 'x'.repeat(20_000)), 100);
    this.#closers.push(() => {
      clearInterval(timer);
      redis.disconnect();
    });
  }

  /** More than all services together may have, and no more: Postgres has to go on serving them. */
  async #holdConnections() {
    const most = apps.reduce((sum, app) => sum + pools[app], 0);
    for (let held = this.#sampler.points('connections').at(-1)?.value ?? 0; held < most + 5; held += 1) {
      const client = new pg.Client({ connectionString: this.#installation.logins.readApi });
      client.on('error', () => {});
      await client.connect();
      this.#closers.push(() => client.end());
    }
  }

  async #proxy(target: string, answer: Answering): Promise<string> {
    const server: Server = createServer((incoming, outgoing) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const body = Buffer.concat(chunks);
        const own = answer(body);
        if (own !== undefined) return outgoing.writeHead(own.status).end(own.text);
        const { method, headers } = incoming;
        const passed = request(`${target}${incoming.url}`, { method, headers }, (response) => {
          outgoing.writeHead(response.statusCode ?? 502, response.headers);
          response.pipe(outgoing);
        });
        passed.on('error', () => outgoing.destroy());
        return passed.end(body);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    this.#closers.push(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
}

/** What a proxy answers by itself, if anything. */
type Answering = (body: Buffer) => { status: number; text: string } | undefined;

let calls = 0;
const failing: Answering = () => (++calls % 200 === 0 ? { status: 500, text: 'planted' } : undefined);

let batches = 0;
const dropping: Answering = (body) => {
  if (!body.subarray(0, 10).equals(Buffer.from('{"events":')) || body.length < 1_000) return undefined;
  if (++batches % 20 !== 0) return undefined;
  const { events } = JSON.parse(body.toString()) as { events: unknown[] };
  return { status: 202, text: `{"accepted":${events.length},"rejected":0,"duplicates":0,"errors":[]}` };
};
