import type { Request } from './exchange';
import type { Probe } from './probes';
import { HEADERS } from './surface-requests';

/** Everything that ingest-api takes, with one identifier in every place. */
export function ingestProbes(port: number, apiKey: string, kind: string, id: string): Probe[] {
  const coded = encodeURIComponent(id);
  const send = (
    method: string,
    path: string,
    body?: string,
    headers: Record<string, string> = {},
  ): Request => ({
    ...{ port, method, path },
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body }),
  });
  const event = (parts: Readonly<Record<string, unknown>>) =>
    JSON.stringify({
      ...{ channel: 'email', sequence_step: 0, recipient_id: 'own-recipient', outcome: 'no_response' },
      ...{ sent_at: '2026-01-05T09:30:00Z', outcome_at: '2026-01-08T09:30:00Z' },
      ...parts,
    });
  const bodies = [
    'event_id',
    'recipient_id',
    'thread_id',
    'company_id',
    'tenant_id',
    'channel',
    'outcome',
  ].map((field) => event({ [field]: id }));
  const csv = `channel,sequence_step,recipient_id,sent_at,outcome_at,outcome,thread_id\nemail,0,${id},2026-01-05T09:30:00Z,2026-01-08T09:30:00Z,no_response,${id}`;
  const requests = [
    ...bodies.map((body) => send('POST', '/ingest/events', body, { Prefer: 'return=representation' })),
    send('POST', '/ingest/events', event({ metadata: { campaign_id: id } })),
    send('POST', '/ingest/csv', csv, { 'Content-Type': 'text/csv' }),
    ...[
      `/ingest/events/${coded}`,
      `/ingest/events?recipient_id=${coded}`,
      `/ingest/events?event_id=${coded}`,
    ].map((path) => send('DELETE', path)),
    send('GET', `/ingest/status?tenant_id=${coded}`),
    send('POST', `/ingest/analysis?tenant_id=${coded}`),
    send('GET', `/ingest/sources?source=${coded}`),
    send('POST', `/ingest/replays?source=${coded}`),
    send('POST', `/ingest/sources/${coded}`, '{}'),
    send('POST', `/ingest/sources/${coded}/${coded}`, '{}'),
    ...HEADERS.flatMap((name) => [
      send('POST', '/ingest/events', event({}), { [name]: id }),
      send('DELETE', '/ingest/events?recipient_id=nobody', undefined, { [name]: id }),
      send('GET', '/ingest/status', undefined, { [name]: id }),
      send('GET', '/ingest/sources', undefined, { [name]: id }),
    ]),
  ];
  return requests.map((request, place) => ({
    name: `ingest ${request.method} ${request.path} ${place} ${kind}`,
    request,
    named: id,
  }));
}
