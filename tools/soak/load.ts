// Two kinds of load: closed, in which each sender waits for its answer, to find what a surface can do, and open, in which
// requests come when they come.
import { setTimeout as delay } from 'node:timers/promises';
import type { Request } from './client.ts';
import { Tally, type Kind } from './client.ts';
import type { Company } from './companies.ts';
import { ingestion, reading, toolCall, type Chance } from './requests.ts';
import { drawCompany, type Clients } from './services.ts';

/** Kinds whose capacity is measured; people in the console ask once a second whatever happens. */
export const measured = ['ingest', 'read', 'mcp'] as const;
export type Measured = (typeof measured)[number];
/** Requests a second. */
export type Rates = Record<Measured, number>;

/** Senders of each kind: enough to keep each service at work, so few that none of them waits for the others' answers. */
const SENDERS = 8;
/** Events that may wait to be counted while capacity is measured: what is accepted beyond is not sustained. */
const MOST_WAITING = 5_000;
/** A service that answers nothing would have the load fill its own memory. */
const MOST_UNDER_WAY = 2_000;

const requestOf: Record<Measured, (company: Company, chance: Chance) => Request> = {
  ...{ ingest: ingestion, read: reading, mcp: toolCall },
};

export interface Scene {
  readonly companies: readonly Company[];
  readonly clients: Clients;
  readonly chance: Chance;
  /** Events that are stored and not counted. */
  readonly waiting: () => Promise<number>;
}

export const now = () => performance.now() / 1_000;

const stored = (companies: readonly Company[]) =>
  companies.reduce((sum, company) => sum + company.stored.events, 0);

/** What is sustained of some kinds at once: requests a second of each, and events a second that were counted. */
export async function capacityOf(
  kinds: readonly Measured[],
  seconds: number,
  { companies, clients, chance, waiting }: Scene,
): Promise<{ rates: Rates; events: number; tally: Tally }> {
  const tally = new Tally();
  const answered: Rates = { ingest: 0, read: 0, mcp: 0 };
  const before = { stored: stored(companies), waiting: await waiting() };
  const began = now();
  const end = began + seconds;
  let isBehind = false;
  const watch = async () => {
    while (now() < end) {
      isBehind = (await waiting()) > MOST_WAITING;
      await delay(250);
    }
  };
  const sender = async (kind: Measured) => {
    while (now() < end) {
      if (kind === 'ingest' && isBehind) await delay(20);
      else {
        const request = requestOf[kind](drawCompany(companies, chance), chance);
        if (await clients[kind].send(request, tally, now())) answered[kind] += 1;
      }
    }
  };
  await Promise.all([
    watch(),
    ...kinds.flatMap((kind) => Array.from({ length: SENDERS }, () => sender(kind))),
  ]);
  const took = now() - began;
  const accepted = stored(companies) - before.stored;
  const counted = Math.max(0, accepted - ((await waiting()) - before.waiting));
  // What is accepted faster than it is counted is not sustained.
  const sustained = accepted === 0 ? 1 : Math.min(1, counted / accepted);
  const rates = {
    ingest: (answered.ingest / took) * sustained,
    read: answered.read / took,
    mcp: answered.mcp / took,
  };
  return { rates, events: counted / took, tally };
}

/** An open load that goes on until it is stopped. Requests of a kind come independently of one another (Poisson). */
export class OpenLoad {
  tally = new Tally();
  /** Most seconds that a request was sent after its time: more than some hundredths, and the load is what is slow. */
  late = 0;
  readonly #stop = new AbortController();
  readonly #running: Promise<unknown>;

  constructor(rates: Rates, scene: Scene, consoleRequest: () => Request) {
    const { companies, clients, chance } = scene;
    const arrivals = [
      ...measured.map((kind) => ({
        kind,
        rate: rates[kind],
        make: () => requestOf[kind](drawCompany(companies, chance), chance),
      })),
      { kind: 'console' as const, rate: 1, make: consoleRequest },
    ].map((arrival) => ({ ...arrival, at: now() }));
    this.#running = this.#run(arrivals, clients, chance);
  }

  /** Ends it, and waits for what is under way. */
  async stop(clients: Clients) {
    this.#stop.abort();
    await this.#running;
    while (Object.values(clients).some(({ underWay }) => underWay > 0)) await delay(20);
  }

  async #run(
    arrivals: { kind: Kind; rate: number; make: () => Request; at: number }[],
    clients: Clients,
    chance: Chance,
  ) {
    while (!this.#stop.signal.aborted) {
      for (const arrival of arrivals) {
        while (arrival.at <= now()) {
          this.late = Math.max(this.late, now() - arrival.at);
          this.#send(arrival, clients);
          arrival.at += -Math.log(1 - chance()) / arrival.rate;
        }
      }
      await delay(2);
    }
  }

  #send({ kind, make, at }: { kind: Kind; make: () => Request; at: number }, clients: Clients) {
    if (clients[kind].underWay > MOST_UNDER_WAY)
      this.tally.fail({ at, name: kind, what: 'not sent: two thousand are unanswered' });
    else void clients[kind].send(make(), this.tally, at);
  }
}
