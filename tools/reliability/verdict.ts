import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../local/settings.mjs';
import { exchange, headersOf } from './requests.ts';
import type { Section } from './section.ts';

/** @returns A compiled part of libs/ingestion. */
const part = (name: string): Promise<any> =>
  import(pathToFileURL(join(root, 'libs/ingestion/dist', name)).href);

/** The validation and Postgres have the same opinion of generated events. */
export async function verifyVerdicts({ installation, report, progress, isShort }: Section) {
  const count = isShort ? 5_000 : 100_000;
  const { fuzzEvents, refusedByPostgres, disagreements } = await part('testing/index.js');
  const { checkEvent } = await part('validation/event-rules.js');
  const events: { json: string; parts: Record<string, string> }[] = fuzzEvents(count, 100);
  const now = new Date();
  const parsed = events.map(({ json }) => JSON.parse(json));
  const faultsOf = (event: any): Set<string> =>
    new Set((checkEvent(event, now.getTime()).faults ?? []).map(({ field }: { field: string }) => field));
  const faulty = parsed.map(faultsOf);
  const run = (text: string, values: unknown[]) =>
    installation.pool.query(text, values).then(({ rows }) => rows);
  const refused: Set<string>[] = await refusedByPostgres(run, events, now);
  const differing = disagreements(events, refused, faulty);
  for (const text of differing.slice(0, 10)) report.note(text);
  const line = { promise: 'verdict' };
  report.check({ ...line, what: 'generated events', value: count, limit: { least: count } });
  report.check({
    ...line,
    what: 'of these with a part that Postgres refuses',
    value: refused.filter(({ size }) => size > 0).length,
    limit: { least: count / 5 },
  });
  report.check({
    ...line,
    what: 'parts on which validation and Postgres differ',
    value: differing.length,
    limit: { exactly: 0 },
  });
  const sent = await sendAll({ installation, progress }, events, faulty);
  report.check({
    ...line,
    what: 'batches over HTTP not answered 202, or with other numbers than the verdicts',
    value: sent.wrong,
    limit: { exactly: 0 },
  });
  report.check({
    ...line,
    what: 'accepted events less those stored (same id counted once)',
    value: sent.missing,
    limit: { exactly: 0 },
  });
  const early = (time: unknown) =>
    typeof time === 'string' ? time.replace(/^(\d{4}-\d\d)-(29|3[01])/, '$1-28') : time;
  const calendarless = parsed.map((event) =>
    faultsOf({ ...event, sent_at: early(event.sent_at), outcome_at: early(event.outcome_at) }),
  );
  report.mutation({
    ...line,
    what: 'a month has as many days as it says: parts that differ',
    value: disagreements(events, refused, calendarless).length,
    limit: { exactly: 0 },
  });
}

async function sendAll(
  { installation, progress }: Pick<Section, 'installation' | 'progress'>,
  events: readonly { json: string }[],
  faulty: readonly ReadonlySet<string>[],
) {
  const tenant = await installation.newTenant('Verdicts');
  const service = await installation.start('ingest-api');
  const bar = progress('verdicts over HTTP', events.length);
  let [wrong, fresh] = [0, 0];
  for (let from = 0; from < events.length; from += 500) {
    const some = events.slice(from, from + 500);
    const body = Buffer.from(`{"events":[${some.map(({ json }) => json).join(',')}]}`);
    const answer = await exchange(`${service.url}/ingest/events`, {
      headers: headersOf(tenant.apiKey),
      body,
    });
    const { accepted, duplicates } = JSON.parse(answer.text);
    const expected = faulty.slice(from, from + 500).filter(({ size }) => size === 0).length;
    if (answer.status !== 202 || accepted !== expected) wrong += 1;
    fresh += (accepted ?? 0) - (duplicates ?? 0);
    bar(from, `${from} of ${events.length}`);
  }
  bar(events.length, '');
  const [{ n }] = await installation.query(
    'SELECT count(*)::int AS n FROM outcome_events WHERE company_id = $1',
    [tenant.companyId],
  );
  await installation.stop(service);
  return { wrong, missing: fresh - n };
}
