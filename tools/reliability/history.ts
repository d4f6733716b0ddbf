import { randomBytes } from 'node:crypto';
import { typicalBatch } from '../bench/events.mjs';
import { Failure } from '../local/failure.mjs';
import { within } from '../local/processes.mjs';
import type { App, Installation, Running, Tenant } from './installation.ts';
import { bodyOf, exchange, headersOf, smallEvents } from './requests.ts';

/** Where a history is made: the database of each service, and a query of its owner. */
interface Place {
  urlOf: (app: App) => string;
  query: (text: string, values?: unknown[]) => Promise<any[]>;
}

/** `needles` tell whoever is to be erased. */
export interface Scene {
  tenant: Tenant;
  erased: string;
  needles: string[];
}

const patience = 180_000;

/**
 * Two companies with history, calls of tools and their seals, and somebody who will ask to be forgotten.
 * @returns The service goes on running.
 */
export async function makeHistory(
  installation: Installation,
  place: Place,
  {
    tenant,
    other,
    batches,
    environment = {},
  }: { tenant: Tenant; other: Tenant; batches: number; environment?: Record<string, string> },
): Promise<{ scene: Scene; ingest: Running }> {
  const start = (app: App, more: Record<string, string> = {}) =>
    installation.start(app, { database: place.urlOf(app), environment: { ...environment, ...more } });
  const ingest = await start('ingest-api');
  const worker = await start('analysis-worker', {
    SWEEP_INTERVAL_MS: '100',
    AUDIT_SEAL_INTERVAL_MS: '100',
  });
  const gateway = await start('mcp-gateway');
  const post = async (key: string, body: Buffer) => {
    const answer = await exchange(`${ingest.url}/ingest/events`, { headers: headersOf(key), body });
    if (answer.status !== 202) throw new Failure(`an ingestion was answered ${answer.status}`);
  };
  const token = `canary${randomBytes(8).toString('hex')}`;
  await post(
    tenant.apiKey,
    bodyOf(
      smallEvents(4, (step) => ({
        ...{ recipient_id: `${token}-id`, recipient_email: `${token}@example.com`, sequence_step: step },
        ...{ outcome: step === 0 ? 'responded' : 'no_response', subject: `Hello ${token}` },
      })),
    ),
  );
  for (let batch = 0; batch < batches; batch += 1) {
    await post((batch % 4 === 3 ? other : tenant).apiKey, typicalBatch(500, batch * 500));
  }
  for (let call = 0; call < 20; call += 1) await callTool(gateway.url, tenant.apiKey);
  const isSettled = async () => {
    const [row] = await place.query(
      `SELECT (SELECT count(*) FROM ingest_batches WHERE processed_at IS NULL)
         + (SELECT count(*) FROM analysis_runs WHERE state = 'running') AS pending,
         (SELECT count(*) FROM audit_seals WHERE company_id = $1) AS seals,
         (SELECT count(*) FROM workflow_decisions WHERE company_id = $1) AS decisions`,
      // The company beside it may be analysed first.
      [tenant.companyId],
    );
    return Number(row.pending) === 0 && Number(row.seals) > 0 && Number(row.decisions) > 0;
  };
  if (!(await within(patience, isSettled))) throw new Failure('the history was not processed and sealed');
  await installation.stop(worker, gateway);
  const stored = await place.query(
    `SELECT event_id, touch_id, recipient_hash FROM outcome_events WHERE recipient_id = $1`,
    [`${token}-id`],
  );
  const derived = stored.flatMap((row) => [row.event_id, row.touch_id, row.recipient_hash]);
  const needles = [token, ...new Set(derived.filter(Boolean).map(String))];
  return { scene: { tenant, erased: `${token}-id`, needles }, ingest };
}

export async function callTool(url: string, apiKey: string) {
  const body = JSON.stringify({
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: { name: 'get_bandit_state', arguments: {} },
  });
  const headers = { ...headersOf(apiKey), Accept: 'application/json, text/event-stream' };
  const { status } = await exchange(`${url}/mcp`, { headers, body });
  if (status !== 200) throw new Failure(`a call was answered ${status}`);
}

/** @param url Of the ingest API. */
export async function erase(url: string, { tenant, erased }: Scene) {
  const { status } = await exchange(`${url}/ingest/events?recipient_id=${erased}`, {
    ...{ method: 'DELETE', headers: headersOf(tenant.apiKey) },
  });
  if (status !== 200) throw new Failure(`the deletion was answered ${status}`);
}
