import { setTimeout as delay } from 'node:timers/promises';
import type { OutcomeEvent } from '@outcomes/client';
import type { TenantScope } from '@outcomes/tenancy';
import type { GeneratedEvent } from '@outcomes/statistics/testing';
import { ROWS_PER_BATCH } from '../import/csv-batches';
import { sendUntilAccepted } from '../import/patient-client';
import type { OpenInstallation } from '../installation/open-installation';
import { pendingBatches } from '../installation/pending-batches.repository';
import { CliFailure } from '../output/cli-failure';
import { Patience } from '../output/patience';
import { startProgress } from '../output/progress';
import { remark } from '../output/terminal';

const PATIENCE_SECONDS = 120;
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
      const batch = events.slice(from, from + ROWS_PER_BATCH);
      const { rejected, errors } = await sendUntilAccepted(
        url,
        apiKey,
        (client) => client.postEvents(batch as readonly OutcomeEvent[]),
        (reason) => remark(`waiting: ${reason}`),
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

/** Waits until the worker has counted everything that was sent, as long as it does anything. */
export async function untilProcessed(installation: OpenInstallation, scope: TenantScope): Promise<void> {
  const patience = new Patience(PATIENCE_SECONDS);
  let first: number | undefined;
  let progress: ReturnType<typeof startProgress> | undefined;
  try {
    for (;;) {
      const { batches, events } = await pendingBatches(installation, scope);
      if (batches === 0) return;
      first ??= events;
      progress ??= startProgress('counting', first);
      progress.update(first - events, `${batches} batches to go`);
      if (!patience.lasts(batches)) {
        throw new CliFailure(
          `the events are stored, but none was counted for ${PATIENCE_SECONDS} s. Check that analysis-worker is running; "outcomes doctor" checks the installation.`,
        );
      }
      await delay(POLL_MS);
    }
  } finally {
    progress?.stop();
  }
}
