// What happens once a day or less, several times during the load: daily runs with retention, an erasure, a key that is
// replaced, exports.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { Failure } from '../local/failure.mjs';
import type { Installation } from '../reliability/installation.ts';
import type { Client, Request, Tally } from './client.ts';
import type { Company } from './companies.ts';
import { now } from './load.ts';
import type { Clients } from './services.ts';

const DAY_MS = 86_400_000;
/** Events that each night finds to be older than 24 months. */
const EXPIRING = 150;
const ERASED = 6;
const PAGE = 100;

export class Nights {
  /** Keys of the daily runs that were asked for: each night is another date. */
  readonly keys: string[] = [];
  expired = 0;
  erased = 0;
  rotated = 0;
  exported = 0;
  readonly #installation: Installation;
  readonly #clients: Clients;
  readonly #companies: readonly Company[];
  readonly #archive: Company;

  /** @param archive - a company that sends nothing more, and whose events expire */
  constructor(installation: Installation, clients: Clients, companies: readonly Company[], archive: Company) {
    this.#installation = installation;
    this.#clients = clients;
    this.#companies = companies;
    this.#archive = archive;
  }

  /** One night. What goes wrong in it is an unexpected answer. */
  async run(tally: Tally) {
    const night = this.keys.length;
    const company = this.#companies[night % this.#companies.length] as Company;
    for (const [name, work] of Object.entries({
      'daily run': () => this.dailyRun(),
      erasure: () => this.#erase(company, tally),
      'new key': () => this.#replaceKey(company),
      export: () => this.#export(company, tally),
    })) {
      await work().catch((error: unknown) => {
        tally.fail({ at: now(), name, what: error instanceof Error ? error.message : String(error) });
      });
    }
  }

  async dailyRun() {
    const runKey = new Date(Date.now() - (this.keys.length + 1) * DAY_MS).toISOString().slice(0, 10);
    const { rowCount } = await this.#installation.pool.query(
      `UPDATE outcome_events SET ingested_at = ingested_at - interval '25 months'
       WHERE company_id = $1 AND event_id IN (SELECT event_id FROM outcome_events
         WHERE company_id = $1 AND ingested_at > now() - interval '1 month' ORDER BY event_id LIMIT ${EXPIRING})`,
      [this.#archive.companyId],
    );
    this.expired += rowCount ?? 0;
    const queue = new Queue('analysis', {
      connection: { url: this.#installation.redisUrl },
      prefix: '{outcomes}',
    });
    queue.on('error', () => {});
    await queue.add('analyse-all', { runKey }, { removeOnComplete: true });
    await queue.close();
    this.keys.push(runKey);
  }

  /** Runs of a night, of a company, that have not succeeded. */
  async missing(keys: readonly string[] = this.keys): Promise<number> {
    const { rows } = await this.#installation.pool.query<{ runs: number }>(
      `SELECT count(DISTINCT (company_id, run_key))::int AS runs FROM analysis_runs
       WHERE state = 'succeeded' AND run_key = ANY ($1)`,
      [keys],
    );
    return keys.length * (this.#companies.length + 1) - (rows[0]?.runs ?? 0);
  }

  async #erase(company: Company, tally: Tally) {
    const recipient = `erased-${this.erased}`;
    const sent = Date.now() - 30 * DAY_MS;
    const events = Array.from({ length: ERASED }, (_, step) => ({
      ...{ channel: 'email', sequence_step: step, recipient_id: recipient, thread_id: recipient },
      ...{ sent_at: new Date(sent).toISOString(), outcome: 'responded', subject: `Hello ${recipient}` },
      outcome_at: new Date(sent + DAY_MS).toISOString(),
    }));
    const headers = { Authorization: `Bearer ${company.apiKey}`, 'Content-Type': 'application/json' };
    await this.#ask(this.#clients.ingest, tally, {
      ...{ name: 'events to be erased', method: 'POST', path: '/ingest/events', headers },
      body: JSON.stringify({ events }),
      judge: ({ status }) => (status === 202 ? undefined : `status ${status}`),
    });
    // So that some of them are counted by then, and some are not.
    await delay(this.erased % 2 === 0 ? 3_000 : 0);
    await this.#ask(this.#clients.ingest, tally, {
      ...{ name: 'erasure', method: 'DELETE', path: `/ingest/events?recipient_id=${recipient}` },
      headers: { Authorization: headers.Authorization },
      judge: ({ status, text }) =>
        status === 200 && text.includes(`"deleted":${ERASED}`) ? undefined : `status ${status}`,
    });
    this.erased += 1;
  }

  /** A new key, then the old one is refused. Requests that are under way with the old one are let through first. */
  async #replaceKey(company: Company) {
    const before = company.apiKey;
    const run = async <T>(...args: string[]) =>
      (await this.#installation.outcomes(['keys', ...args, '--json'])) as T;
    const of = ['--company', company.companyId];
    const limits = ['--burst', '100000000', '--monthly', '100000000'];
    const next = await run<{ apiKey: string }>('create', ...of, '--name', 'next', ...limits);
    company.apiKey = next.apiKey;
    await delay(5_000);
    const { keys } = await run<{ keys: { keyId: string }[] }>('list', ...of);
    const old = keys.find(({ keyId }) => before.includes(keyId));
    if (old === undefined) throw new Failure('the key that is in use is not on the list');
    await run('revoke', old.keyId);
    this.rotated += 1;
  }

  /** The list of opt-outs over REST, page by page, and all that is stored of the smallest company, as its owner would. */
  async #export(company: Company, tally: Tally) {
    for (let cursor = '', isLast = false; !isLast;) {
      const answer = await this.#ask(this.#clients.read, tally, {
        ...{ name: 'opt-outs', method: 'GET', path: `/v1/suppressions?limit=${PAGE}${cursor}` },
        headers: { Authorization: `Bearer ${company.apiKey}` },
        judge: ({ status }) => (status === 200 ? undefined : `status ${status}`),
      });
      // The last page has a cursor as well, for what comes later.
      isLast = (answer?.text.split('"suppression_id"').length ?? 0) <= PAGE;
      const [, next = ''] = /"next_cursor":"([^"]+)"/.exec(answer?.text ?? '') ?? [];
      cursor = `&cursor=${encodeURIComponent(next)}`;
    }
    const file = join(this.#installation.directory, 'export.jsonl');
    const { companyId } = this.#companies.at(-1) as Company;
    await this.#installation.outcomes(
      ['company', 'export', companyId, file, '--json'],
      this.#installation.owner,
    );
    await rm(file);
    this.exported += 1;
  }

  #ask(client: Client, tally: Tally, request: Request) {
    return client.send(request, tally, now());
  }
}
