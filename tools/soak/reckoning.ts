// At the end: is all that was accepted counted, once, whoever is asked?
import { Failure } from '../local/failure.mjs';
import { within } from '../local/processes.mjs';
import type { Installation } from '../reliability/installation.ts';
import { Tally, type Answer, type Request } from './client.ts';
import { noCounts, outcomes, type Company, type Counts } from './companies.ts';
import { now } from './load.ts';
import type { Nights } from './nights.ts';
import { called } from './requests.ts';
import type { Clients } from './services.ts';

const PATIENCE_MS = 180_000;

/** How far what is found is from what was accepted, in events or messages; each is 0 where all is well. */
export interface Reckoning {
  readonly events: number;
  readonly missing: number;
  readonly ids: number;
  readonly counted: number;
  readonly rest: number;
  readonly mcp: number;
  readonly kept: number;
  readonly runs: number;
}

export async function reckon(
  installation: Installation,
  clients: Clients,
  companies: readonly Company[],
  archive: Company,
  nights: Nights,
): Promise<Reckoning> {
  const { pool } = installation;
  const isCounted = async () =>
    (await pool.query('SELECT 1 FROM ingest_batches WHERE processed_at IS NULL LIMIT 1')).rowCount === 0;
  if (!(await within(PATIENCE_MS, isCounted))) throw new Failure('what was accepted is not counted yet');
  await nights.dailyRun();
  const last = nights.keys.slice(-1);
  await within(PATIENCE_MS, async () => (await nights.missing(last)) === 0);
  const found = { events: 0, missing: 0, ids: 0, counted: 0, rest: 0, mcp: 0 };
  for (const company of companies) {
    const { events, sum, counts } = company.stored;
    const stored = await storedOf(installation, company);
    found.events += events;
    found.missing += Math.abs(stored.events - events);
    found.ids += stored.sum === sum ? 0 : 1;
    found.counted += difference(await countsOf(installation, company), counts);
    const messages = outcomes.reduce((all, outcome) => all + counts[outcome], 0);
    found.rest += Math.abs((await overRest(clients, company)) - messages);
    found.mcp += Math.abs((await overMcp(clients, company)) - messages);
  }
  const left = await storedOf(installation, archive);
  const kept = Math.abs(left.events - (archive.stored.events - nights.expired));
  return { ...found, kept, runs: await nights.missing() };
}

async function storedOf({ pool }: Installation, { companyId }: Company) {
  const { rows } = await pool.query<{ events: number; sum: number }>(
    `SELECT count(*)::int AS events,
       coalesce(sum(('x' || right(event_id::text, 12))::bit(48)::bigint), 0)::float8 AS sum
     FROM outcome_events WHERE company_id = $1`,
    [companyId],
  );
  return rows[0] ?? { events: NaN, sum: NaN };
}

async function countsOf({ pool }: Installation, { companyId }: Company): Promise<Counts> {
  const { rows } = await pool.query<Counts>(
    `SELECT coalesce(sum(replies), 0)::int AS responded, coalesce(sum(bounces), 0)::int AS bounced,
       coalesce(sum(unsubscribes), 0)::int AS unsubscribed,
       coalesce(sum(touches - replies - bounces - unsubscribes), 0)::int AS no_response
     FROM cohort_counts WHERE company_id = $1`,
    [companyId],
  );
  return rows[0] ?? noCounts();
}

const year = { window_days: 365, limit: 100 };

async function overRest(clients: Clients, company: Company): Promise<number> {
  const request: Request = {
    ...{ name: 'health of campaigns', method: 'GET' },
    path: `/v1/intelligence/campaigns/health?window_days=${year.window_days}&limit=${year.limit}`,
    headers: { Authorization: `Bearer ${company.apiKey}` },
    judge: ({ status }) => (status === 200 ? undefined : `status ${status}`),
  };
  return messagesIn(await clients.read.send(request, new Tally(), now()));
}

async function overMcp(clients: Clients, company: Company): Promise<number> {
  const call = { name: 'get_campaign_health', arguments: year };
  return messagesIn(await clients.mcp.send(called(company, call, true), new Tally(), now()));
}

/** That the bounce rate of all campaigns rests on; reply rates leave out what was sent before a change of them. */
function messagesIn(answer: Answer | undefined): number {
  // Over MCP the document is there as text, too.
  const [, messages] = /\\?"bounce_rate\\?":\{[^}]*\\?"n\\?":(\d+)/.exec(answer?.text ?? '') ?? [];
  return Number(messages ?? 0);
}

function difference(one: Counts, other: Counts): number {
  return outcomes.reduce((sum, outcome) => sum + Math.abs(one[outcome] - other[outcome]), 0);
}
