import { createHash, randomUUID } from 'node:crypto';
import type { Agent } from 'node:http';
import { Failure } from '../local/failure.mjs';
import { within } from '../local/processes.mjs';
import type { Installation, Tenant } from './installation.ts';
import { bodyOf, exchange, headersOf, keptConnections } from './requests.ts';
import type { Section } from './section.ts';

type Told = Record<string, unknown>;
interface Standing {
  may: boolean | null;
  reasons: string[];
  action: string;
}

const connections = 8;
const patience = 600_000;
const day = 86_400_000;

// Every way in which an opt-out may be told: before or after a reply, under which id, with the address or without,
// about which message.
const replies = ['none', 'before', 'after', 'same time'] as const;
const ids = ['own', 'alias', 'stranger'] as const;
const addresses = [true, false] as const;
const messages = ['same', 'step', 'campaign'] as const;
const combinations = replies.flatMap((reply) =>
  ids.flatMap((id) =>
    addresses.flatMap((named) =>
      // Without the address, somebody who was never heard of is nobody's alias.
      id === 'stranger' && !named ? [] : messages.map((message) => ({ reply, id, named, message })),
    ),
  ),
);

/** Of 100,000 events with 2,000 opt-outs none is lost, on no surface, processed or not. */
export async function verifyOptOuts({ installation, report, progress, isShort }: Section) {
  const [people, optOuts] = isShort ? [5_000, 200] : [47_300, 2_000];
  const tenant = await installation.newTenant('Opt-outs');
  const api = await installation.start('ingest-api');
  const worker = await installation.start('analysis-worker', { environment: { SWEEP_INTERVAL_MS: '100' } });
  const agent = keptConnections(connections);
  const sentAt = Date.now() - 12 * day;
  let told = 0;
  const tell = async (events: Told[]) => {
    told += events.length;
    await inParallel(chunksOf(events, 500), async (batch) => {
      const headers = headersOf(tenant.apiKey);
      const { status, text } = await exchange(`${api.url}/ingest/events`, {
        headers,
        body: bodyOf(batch),
        agent,
      });
      if (status !== 202 || JSON.parse(text).accepted !== batch.length)
        throw new Failure(`not taken: ${text}`);
    });
  };

  await tell(Array.from({ length: people }, (_, at) => sendTo(at, 0, sentAt)));
  await tell(Array.from({ length: people }, (_, at) => sendTo(at, 1, sentAt + 3 * day)));
  const asked = Array.from({ length: optOuts }, (_, nth) => planOf(nth, sentAt));
  // An alias is a recipient_id of its own with a message to the same address.
  await tell(asked.flatMap(({ alias }) => alias));
  const early = asked.slice(0, optOuts / 2);
  await tell(early.flatMap(({ events }) => events));
  const isProcessed = async () =>
    (await installation.query('SELECT 1 FROM ingest_batches WHERE processed_at IS NULL LIMIT 1')).length ===
    0;
  if (!(await within(patience, isProcessed))) throw new Failure('batches were not processed');
  await analyse(installation, tenant);
  await installation.stop(worker);
  // The others are asked for with their events still waiting for the worker.
  await tell(asked.slice(optOuts / 2).flatMap(({ events }) => events));

  const promise = 'opt-outs';
  const none = { limit: { exactly: 0 } };
  report.check({ promise, what: 'events told', value: told, limit: { least: isShort ? 10_000 : 100_000 } });
  const read = await installation.start('read-api');
  const mcp = await installation.start('mcp-gateway');
  const rest = (id: string) => overRest(read.url, tenant, agent, id);
  const tool = (id: string) => overMcp(mcp.url, tenant, agent, id);
  const refused = asked.flatMap(({ recipient, aliasId, email }) => [recipient, aliasId, email]);
  for (const [surface, ask] of [
    ['REST', rest],
    ['MCP', tool],
  ] as const) {
    const bar = progress(`contacts over ${surface}`, refused.length);
    let [lost, advised, done] = [0, 0, 0];
    await inParallel(refused, async (id) => {
      const { may, reasons, action } = await ask(id);
      if (may !== false || !reasons.includes('unsubscribed')) lost += 1;
      if (action !== 'stop') advised += 1;
      bar((done += 1), `${done} of ${refused.length}`);
    });
    report.check({
      promise,
      what: `${surface}: of ${refused.length} questions by id, alias and address, opt-outs lost`,
      value: lost,
      ...none,
    });
    report.check({
      promise,
      what: `${surface}: of these, advised anything but to stop`,
      value: advised,
      ...none,
    });
    const free = Array.from({ length: 500 }, (_, at) => recipientOf(people - 1 - at));
    const wrong = await countOf(free, async (id) => (await ask(id)).may !== true);
    report.check({
      promise,
      what: `${surface}: of 500 who never opted out, not let through`,
      value: wrong,
      ...none,
    });
    const unknown = Array.from({ length: 200 }, (_, at) =>
      at % 2 ? `nobody-${at}` : `nobody-${at}@example.org`,
    );
    const known = await countOf(unknown, async (id) => (await ask(id)).may !== null);
    report.check({
      promise,
      what: `${surface}: of 200 unknown contacts, answered other than with null`,
      value: known,
      ...none,
    });
  }

  const ofContact = new Map(
    asked.flatMap(({ recipient, aliasId }, nth) => [
      [recipient, nth],
      [aliasId, nth],
      [`stranger-${nth}`, nth],
    ]),
  );
  // What was decided before an opt-out stays as it was, and an address is decided about after its newest message only,
  // whoever got that: what counts is the newest decision about the address.
  const seen = new Set();
  let [about, live, frozen, cursor] = [0, 0, 0, ''];
  do {
    const page = await dataOf(`${read.url}/v1/intelligence/decisions?limit=50${cursor}`, tenant, agent);
    for (const decision of page.decisions) {
      const nth = ofContact.get(decision.contact_id);
      if (nth === undefined) continue;
      about += 1;
      if (decision.can_contact !== false || !decision.block_reasons.includes('unsubscribed')) live += 1;
      const isNewest = !seen.has(nth);
      seen.add(nth);
      if (
        isNewest &&
        nth < optOuts / 2 &&
        (decision.action !== 'stop' || !decision.rationale.includes('unsubscribed'))
      )
        frozen += 1;
    }
    cursor = page.next_cursor === null ? '' : `&cursor=${encodeURIComponent(page.next_cursor)}`;
  } while (cursor !== '');
  report.check({
    promise,
    what: 'decisions about those who opted out',
    value: about,
    limit: { least: optOuts },
  });
  report.check({
    promise,
    what: 'of these, served as if the contact could be written to',
    value: live,
    ...none,
  });
  report.check({
    promise,
    what: 'opted out before the last run and not stopped by it because of that',
    value: frozen,
    ...none,
  });

  const folded = await countOf(
    asked,
    async ({ recipient }) => !(await foldedBlocks(installation, tenant, recipient)),
  );
  report.mutation({
    ...{ promise, value: folded, ...none },
    what: `a gate that reads the outcome of folded touches: of ${optOuts} opt-outs lost`,
  });
  agent.destroy();
}

const recipientOf = (at: number) => `contact-${at}`;
const emailOf = (at: number) => `contact-${at}@example.com`;

function sendTo(at: number, step: number, sent: number): Told {
  return eventOf(
    recipientOf(at),
    emailOf(at),
    { sequence_step: step, sent_at: timeOf(sent) },
    'no_response',
    sent + day,
  );
}

/** One opt-out, in one of all combinations, and who must not be written to after it. */
function planOf(nth: number, sent: number) {
  const { reply, id, named, message } = combinations[
    nth % combinations.length
  ] as (typeof combinations)[number];
  const [recipient, email, aliasId] = [recipientOf(nth), emailOf(nth), `alias-${nth}`];
  const about = {
    same: { sequence_step: 1, sent_at: timeOf(sent + 3 * day) },
    step: { sequence_step: 2, sent_at: timeOf(sent + 6 * day) },
    campaign: { sequence_step: 0, sent_at: timeOf(sent + day), metadata: { campaign_id: 'another' } },
  }[message];
  const who = { own: recipient, alias: aliasId, stranger: `stranger-${nth}` }[id];
  const at = sent + 8 * day;
  const offset = { none: 0, before: -day, after: day, 'same time': 0 }[reply];
  const optOut = eventOf(who, named ? email : null, about, 'unsubscribed', at);
  const answer = eventOf(who, named ? email : null, about, 'responded', at + offset);
  // Told in either order, whatever happened first.
  const both = nth % 2 ? [optOut, answer] : [answer, optOut];
  return {
    ...{ recipient, email, aliasId },
    alias: [
      eventOf(
        aliasId,
        email,
        { sequence_step: 0, sent_at: timeOf(sent + 2 * day) },
        'no_response',
        sent + 3 * day,
      ),
    ],
    events: reply === 'none' ? [optOut] : both,
  };
}

function eventOf(recipient: string, email: string | null, message: Told, outcome: string, at: number): Told {
  return {
    ...{ event_id: randomUUID(), channel: 'email', recipient_id: recipient, recipient_position: 'VP Sales' },
    ...(email !== null && { recipient_email: email }),
    ...message,
    ...{ outcome, outcome_at: timeOf(at) },
  };
}

const timeOf = (ms: number) => new Date(ms).toISOString();

async function analyse(installation: Installation, { companyId }: Tenant) {
  const { state } = await installation.outcomes(['analyze', '--company', companyId, '--wait', '--json']);
  if (state !== 'succeeded') throw new Failure(`the analysis ended ${state}`);
}

/** What the gate was before: the outcomes that messages of the contact and its address were folded to. */
async function foldedBlocks({ pool }: Installation, { companyId }: Tenant, recipient: string) {
  const hash = createHash('sha256').update(`${recipient}@example.com`).digest('hex').slice(0, 16);
  const { rowCount } = await pool.query(
    'SELECT FROM touches WHERE company_id = $1 AND (recipient_id = $2 OR recipient_hash = $3) AND outcome = 3 LIMIT 1',
    [companyId, recipient, hash],
  );
  return rowCount === 1;
}

async function dataOf(url: string, { apiKey }: Tenant, agent: Agent): Promise<any> {
  const { status, text } = await exchange(url, { method: 'GET', headers: headersOf(apiKey), agent });
  if (status !== 200) throw new Failure(`${url} was answered ${status}: ${text.slice(0, 200)}`);
  return JSON.parse(text).data;
}

async function overRest(url: string, tenant: Tenant, agent: Agent, id: string): Promise<Standing> {
  return standingIn(await dataOf(`${url}/v1/intelligence/contacts/${encodeURIComponent(id)}`, tenant, agent));
}

async function overMcp(url: string, { apiKey }: Tenant, agent: Agent, id: string): Promise<Standing> {
  const params = { name: 'get_recipient_intelligence', arguments: { contact_id: id } };
  const headers = { ...headersOf(apiKey), Accept: 'application/json, text/event-stream' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const { status, text } = await exchange(`${url}/mcp`, { headers, body, agent });
  const message = /^data: (\{.*)$/m.exec(text)?.[1] ?? text;
  const result = status === 200 ? JSON.parse(message).result?.structuredContent : undefined;
  if (result === undefined) throw new Failure(`the tool was answered ${status}: ${text.slice(0, 200)}`);
  return standingIn(result);
}

function standingIn({ can_contact, block_reasons, next_best_action }: any): Standing {
  return { may: can_contact, reasons: block_reasons, action: next_best_action.action };
}

async function countOf<T>(items: readonly T[], holds: (item: T) => Promise<boolean>) {
  let count = 0;
  await inParallel(items, async (item) => {
    if (await holds(item)) count += 1;
  });
  return count;
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>) {
  let next = 0;
  const lane = async () => {
    for (let at = next++; at < items.length; at = next++) await work(items[at] as T);
  };
  await Promise.all(Array.from({ length: connections }, lane));
}

function chunksOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  );
}
