import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Tenant } from './installation.ts';
import { bodyOf, exchange, headersOf, keptConnections, smallEvents } from './requests.ts';

const batchSize = 500;
/** From here on clients send little: what was promised is shown, and the faults go on. */
const enough = 500_000;
const littleSize = 20;
const answerWithin = 10_000;
const retryAfter = 100;

/** Clients that send until they are told 202, and the book of what they were told. */
export class Ledger {
  /** Id of each acknowledged event, with the company that it was sent for. */
  acknowledged: Map<string, string> = new Map();
  retries = 0;
  #over = false;
  #abandoned = false;
  #url;
  #tenants;
  #agent = keptConnections(16);

  constructor(url: string, tenants: readonly Tenant[]) {
    this.#url = `${url}/ingest/events`;
    this.#tenants = tenants;
  }

  /** Sends batches until `finish` is called and the last of them has been acknowledged. */
  async send(clients: number) {
    await Promise.all(Array.from({ length: clients }, (_, at) => this.#client(at)));
    this.#agent.destroy();
  }

  finish() {
    this.#over = true;
  }

  /** Ends at once, with whatever nobody acknowledges any more. */
  abandon() {
    this.#over = true;
    this.#abandoned = true;
  }

  async #client(at: number) {
    for (let batch = 0; !this.#over; batch += 1) {
      const tenant = this.#tenants[(at + batch) % this.#tenants.length];
      if (!tenant) throw new RangeError('a ledger needs a tenant');
      const isLittle = this.acknowledged.size > enough;
      const events = smallEvents(isLittle ? littleSize : batchSize);
      if (!(await this.#untilAcknowledged(tenant, bodyOf(events)))) return;
      for (const { event_id } of events) this.acknowledged.set(event_id, tenant.companyId);
      if (isLittle) await delay(retryAfter);
    }
  }

  async #untilAcknowledged({ apiKey }: Tenant, body: Buffer) {
    const request = { headers: headersOf(apiKey), body, agent: this.#agent, timeout: answerWithin };
    while (!this.#abandoned) {
      const answer = await exchange(this.#url, request).catch(() => undefined);
      if (answer?.status === 202) return true;
      // An answer that sends the same batch away for good would have the client try for ever.
      if (answer && answer.status < 500 && answer.status !== 429 && answer.status !== 408)
        throw new RangeError(`a legal batch was answered ${answer.status}: ${answer.text.slice(0, 200)}`);
      this.retries += 1;
      await delay(retryAfter);
    }
    return false;
  }
}

/** Holds the book against what is stored. */
export async function settle(
  pool: Pool,
  table: string,
  tenants: readonly Tenant[],
  acknowledged: ReadonlyMap<string, string>,
): Promise<{ lost: number; duplicated: number; elsewhere: number; stored: number }> {
  /** How often each acknowledged event is stored for its own company. */
  const found: Map<string, number> = new Map();
  let elsewhere = 0;
  let stored = 0;
  for (const { companyId } of tenants) {
    const { rows } = await pool.query({
      text: `SELECT event_id FROM ${table} WHERE company_id = $1`,
      ...{ values: [companyId], rowMode: 'array' },
    });
    stored += rows.length;
    for (const [id] of rows) {
      const owner = acknowledged.get(id);
      if (owner === companyId) found.set(id, (found.get(id) ?? 0) + 1);
      else if (owner !== undefined) elsewhere += 1;
    }
  }
  const duplicated = [...found.values()].filter((times) => times > 1).length;
  return { lost: acknowledged.size - found.size, duplicated, elsewhere, stored };
}
