// What companies ask for, mixed: all questions over REST and MCP, batches and single events, repeats, and now and then
// something that is to be refused.
import { Buffer } from 'node:buffer';
import type { Answer, Request } from './client.ts';
import { campaignOf, recipientOf, type Company, type Batch } from './companies.ts';

export type Chance = () => number;

const is =
  (...statuses: readonly number[]) =>
  ({ status }: Answer) =>
    statuses.includes(status) ? undefined : `status ${status}`;

const bearer = (company: Company) => ({ Authorization: `Bearer ${company.apiKey}` });
const json = (company: Company) => ({ ...bearer(company), 'Content-Type': 'application/json' });

/** Sizes of requests as senders make them, and how often. */
const sizes = [
  { size: 1, share: 0.6 },
  { size: 100, share: 0.33 },
  { size: 500, share: 0.04 },
];

/** A request of ingestion; an accepted one is entered in the ledger of its company. */
export function ingestion(company: Company, chance: Chance): Request {
  const drawn = chance();
  if (drawn < 0.01) return status(company);
  if (drawn < 0.02) return refusedIngestion(company, chance);
  if (drawn < 0.03 && company.repeatable) return repeat(company, company.repeatable);
  let left = chance() * sizes.reduce((sum, { share }) => sum + share, 0);
  const { size } = sizes.find(({ share }) => (left -= share) < 0) ?? { size: 1 };
  return fresh(company, company.take(size));
}

export function fresh(company: Company, batch: Batch): Request {
  return {
    ...{ name: `${batch.events} events`, method: 'POST', path: '/ingest/events' },
    ...{ headers: json(company), body: batch.body },
    judge({ status, text }) {
      if (status !== 202 || !text.startsWith(`{"accepted":${batch.events},"rejected":0,"duplicates":0`))
        return `status ${status}`;
      company.accepted(batch);
      if (batch.events <= 100) company.repeatable = batch;
      return undefined;
    },
  };
}

/** What was accepted before is accepted again, and changes nothing. */
function repeat(company: Company, { body, events }: Batch): Request {
  return {
    ...{ name: 'repeated events', method: 'POST', path: '/ingest/events', headers: json(company), body },
    judge: ({ status, text }) =>
      status === 202 && text.startsWith(`{"accepted":${events},"rejected":0,"duplicates":${events}`)
        ? undefined
        : `status ${status}`,
  };
}

function status(company: Company): Request {
  return {
    ...{ name: 'status', method: 'GET', path: '/ingest/status', headers: bearer(company) },
    judge: is(200),
  };
}

function refusedIngestion(company: Company, chance: Chance): Request {
  const refused = [
    { name: 'broken JSON', body: '{"events":[{', status: 400 },
    { name: 'neither an event nor events', body: '[]', status: 400 },
    { name: 'an event without an outcome', body: '{"channel":"email"}', status: 202 },
  ];
  const { name, body, status } = pick(refused, chance);
  return {
    ...{ name, method: 'POST', path: '/ingest/events', headers: json(company), body },
    ...{ isProvoked: true },
    judge: (answer) =>
      status === 202 && !answer.text.includes('"rejected":1') ? 'not rejected' : is(status)(answer),
  };
}

const reads = (number: number) => [
  ...['/health', '/patterns', '/patterns/descriptions', '/patterns/analysis', '/patterns/contact-insights'],
  ...['/patterns/chunks', '/patterns/chunks/timing_matrix', '/patterns/recommendation-profiles?limit=50'],
  ...[
    '/intelligence/campaigns',
    '/intelligence/campaigns/health?window_days=90',
    '/intelligence/calibration',
  ],
  ...[`/intelligence/campaigns/${campaignOf(number)}/health`, '/intelligence/recommendations?channel=email'],
  ...['/intelligence/bandit?top_n=5', '/intelligence/drift', '/intelligence/decisions?limit=20'],
  ...[`/intelligence/contacts/${recipientOf(number)}`, '/intelligence/decisions?action=due'],
  ...[`/intelligence/contacts/${recipientOf(number)}/decisions`, '/intelligence/audit?limit=15'],
  ...['/suppressions?limit=100'],
];
/** All recipients who have answered: megabytes, so not as often as the rest. */
const LARGE = '/patterns/recipients';

const refusedReads = [
  { name: 'a misspelt parameter', path: '/v1/patterns?colour=blue', status: 400 },
  { name: 'a limit that is none', path: '/v1/intelligence/decisions?limit=none', status: 400 },
  { name: 'no such address', path: '/v1/nowhere', status: 404 },
];

/** By path and company, as callers keep them. */
const etags = new Map<string, string>();

export function reading(company: Company, chance: Chance): Request {
  if (chance() < 0.01) {
    const { name, path, status } = pick(refusedReads, chance);
    return { name, method: 'GET', path, headers: bearer(company), isProvoked: true, judge: is(status) };
  }
  const number = Math.floor(chance() * 20_000);
  const path = `/v1${chance() < 0.01 ? LARGE : pick(reads(number), chance)}`;
  const known = chance() < 0.3 ? etags.get(path + company.name) : undefined;
  const headers = {
    ...bearer(company),
    ...(chance() < 0.5 && { 'Accept-Encoding': 'gzip' }),
    ...(known !== undefined && { 'If-None-Match': known }),
  };
  return {
    ...{ name: path, method: 'GET', path, headers },
    judge(answer) {
      if (answer.etag !== undefined && !path.includes('recipient-'))
        etags.set(path + company.name, answer.etag);
      return is(200, 304)(answer);
    },
  };
}

const tools = (number: number): readonly { name: string; arguments: Record<string, unknown> }[] => [
  { name: 'get_campaign_health', arguments: { campaign_id: campaignOf(number) } },
  { name: 'get_campaign_recommendations', arguments: { channel: 'email' } },
  { name: 'get_bandit_state', arguments: { top_n: 5 } },
  { name: 'get_drift_state', arguments: {} },
  { name: 'get_workflow_decisions', arguments: { action: 'due' } },
  { name: 'get_recipient_intelligence', arguments: { contact_id: recipientOf(number) } },
  { name: 'get_action_audit_log', arguments: { limit: 10 } },
];

/** A call of a tool, in one of the two eras of the protocol. */
export function toolCall(company: Company, chance: Chance): Request {
  const isRefused = chance() < 0.01;
  const number = Math.floor(chance() * 20_000);
  const call = isRefused
    ? { name: 'get_bandit_state', arguments: { top_n: 0 } }
    : pick(tools(number), chance);
  return {
    ...called(company, call, chance() < 0.5),
    ...(isRefused && { isProvoked: true, judge: ({ text }) => (isError(text) ? undefined : 'no error') }),
  };
}

const isError = (text: string) => /"isError":true|"error":\{/.test(text);

export function called(
  company: Company,
  call: { readonly name: string; readonly arguments: Record<string, unknown> },
  isStateless: boolean,
): Request {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'soak', version: '1.0.0' },
  };
  const params = isStateless ? { ...call, _meta } : call;
  const headers = {
    ...json(company),
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': isStateless ? '2026-07-28' : '2025-11-25',
    ...(isStateless && { 'Mcp-Method': 'tools/call', 'Mcp-Name': call.name }),
  };
  return {
    ...{ name: call.name, method: 'POST', path: '/mcp', headers },
    body: Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })),
    judge: ({ status, text }) => (status === 200 && !isError(text) ? undefined : `status ${status}`),
  };
}

function pick<T>(list: readonly T[], chance: Chance): T {
  return list[Math.floor(chance() * list.length)] as T;
}
