import { LimitError, OutcomesClient, OutcomesError, type Retry } from '@outcomes/client';
import { CliFailure } from '../output/cli-failure';

/** How long the service may stay away before an import gives up. It resumes where it stopped. */
const PATIENCE_MS = 5 * 60_000;

/**
 * Sends to ingest-api until it says 202. Waiting is safe: the service knows an event that it has seen.
 * @param send - what to send, by a client that waits
 * @param onWait - told in plain words why the import pauses
 */
export async function sendUntilAccepted<Answer>(
  ingestUrl: string,
  apiKey: string,
  send: (client: OutcomesClient) => Promise<Answer>,
  onWait: (reason: string) => void,
): Promise<Answer> {
  const started = performance.now();
  const onRetry = ({ fault, waitMs }: Retry) => {
    const reason = reasonOf(fault);
    // A refusal that names its time may be waited out in full; silence may not last for ever.
    if (!(fault instanceof LimitError) && performance.now() - started > PATIENCE_MS) {
      throw new CliFailure(
        `${ingestUrl} did not answer for 5 minutes (${reason}). Run the same command again to resume.`,
      );
    }
    onWait(`${reason}; next try in ${Math.ceil(waitMs / 1_000)} s`);
  };
  const patience = { attempts: Infinity, longestWaitMs: Infinity, onRetry };
  try {
    return await send(new OutcomesClient({ ingestUrl, apiKey, ...patience }));
  } catch (error) {
    if (!(error instanceof OutcomesError)) throw error;
    throw new CliFailure(`the service refused the request: ${error.status} ${refusal(error)}`);
  }
}

function reasonOf(fault: unknown): string {
  if (fault instanceof LimitError) return 'the key has used up the requests of its window';
  return fault instanceof OutcomesError
    ? `the service answers ${fault.status}`
    : 'the service is not reachable';
}

function refusal({ code, message, body }: OutcomesError): string {
  if (code === 'UNKNOWN') return 'without an explanation. Is this the address of ingest-api?';
  return [code, 'reason' in body ? body.reason : undefined, message].filter(Boolean).join(': ');
}
