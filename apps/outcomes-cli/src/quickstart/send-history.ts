import { setTimeout as delay } from 'node:timers/promises';
import type { TenantDatabase, TenantScope } from '@outcomes/tenancy';
import type { GeneratedEvent } from '@outcomes/statistics/testing';
import { ROWS_PER_BATCH } from '../import/csv-batches';
import { postUntilAccepted } from '../import/ingest-client';
import { CliFailure } from '../output/cli-failure';
import { startProgress } from '../output/progress';
import { remark } from '../output/terminal';

const PROCESSING_TIMEOUT_MS = 10 * 60_000;
const POLL_MS = 100;

/** Posts events in batches, in order, with a bar. Sending them again changes nothing. */
export async function sendHistory(
  url: string,
  apiKey: string,
  events: readonly GeneratedEvent[],
): Promise<void> {
  const progress = startProgress('sending the history', events.length);
  try {
    for (let from = 0; from < events.length; from += ROWS_PER_BATCH) {
      const body = JSON.stringify({ events: events.slice(from, from + ROWS_PER_BATCH) });
      const request = { path: '/ingest/events', contentType: 'application/json', body } as const;
      const { rejected, errors } = await postUntilAccepted(url, apiKey, request, (reason) =>
        remark(`waiting: ${reason}`),
      );
      if (rejected > 0)
        throw new CliFailure(`the service rejects the demonstration: ${JSON.stringify(errors[0])}`);
      const sent = Math.min(from + ROWS_PER_BATCH, events.length);
      progress.update(sent, `${sent.toLocaleString('en')} of ${events.length.toLocaleString('en')} events`);
    }
  } finally {
    progress.stop();
  }
}

/** Waits until the worker has counted everything that was sent. */
export async function untilProcessed(database: TenantDatabase, scope: TenantScope): Promise<void> {
  const deadline = performance.now() + PROCESSING_TIMEOUT_MS;
  let first: number | undefined;
  let progress: ReturnType<typeof startProgress> | undefined;
  try {
    for (;;) {
      const pending = await pendingBatches(database, scope);
      if (pending === 0) return;
      first ??= pending;
      progress ??= startProgress('counting', first);
      progress.update(first - pending, `${pending} batches to go`);
      if (performance.now() > deadline) {
        throw new CliFailure(
          'the events are stored, but not counted within 10 minutes. Does analysis-worker run?',
        );
      }
      await delay(POLL_MS);
    }
  } finally {
    progress?.stop();
  }
}

async function pendingBatches(database: TenantDatabase, scope: TenantScope): Promise<number> {
  return database.transaction(scope, async ({ client, companyId }) => {
    const { rows } = await client.query<{ pending: number }>(
      'SELECT count(*)::int AS pending FROM ingest_batches WHERE company_id = $1 AND processed_at IS NULL',
      [companyId],
    );
    return rows[0]?.pending ?? 0;
  });
}
