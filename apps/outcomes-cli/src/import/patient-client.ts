import {
  LimitError,
  OutcomesClient,
  OutcomesError,
  type OutcomesClientOptions,
  type Retry,
} from '@outcomes/client';
import { CliFailure } from '../output/cli-failure';

/** How long a service may stay away before a command gives up. */
const PATIENCE_MS = 5 * 60_000;

/**
 * Sends to ingest-api until it says 202. Waiting is safe: the service knows an event that it has seen.
 * @param send - what to send, by a client that waits
 * @param onWait - told in plain words why the import pauses
 */
export function sendUntilAccepted<Answer>(
  ingestUrl: string,
  apiKey: string,
  send: (client: OutcomesClient) => Promise<Answer>,
  onWait: (reason: string) => void,
): Promise<Answer> {
  const service = { name: 'ingest-api', url: ingestUrl, next: 'Run the same command again to resume.' };
  return untilAnswered(service, { ingestUrl, apiKey }, send, onWait);
}

/**
 * Asks read-api until it answers.
 * @param read - what to ask, by a client that waits
 * @param onWait - told in plain words why the command pauses
 */
export function readUntilAnswered<Answer>(
  readUrl: string,
  apiKey: string,
  read: (client: OutcomesClient) => Promise<Answer>,
  onWait: (reason: string) => void,
): Promise<Answer> {
  const service = { name: 'read-api', url: readUrl, next: 'Run the same command again once it does.' };
  return untilAnswered(service, { readUrl, apiKey }, read, onWait);
}

interface Service {
  readonly name: string;
  readonly url: string;
  /** What to do once it has been away for too long. */
  readonly next: string;
}

async function untilAnswered<Answer>(
  { name, url, next }: Service,
  access: OutcomesClientOptions,
  ask: (client: OutcomesClient) => Promise<Answer>,
  onWait: (reason: string) => void,
): Promise<Answer> {
  let silentSince = performance.now();
  const onRetry = ({ fault, waitMs }: Retry) => {
    const reason = reasonOf(fault, `${name} at ${url}`);
    // A refusal that names its time may be waited out in full; the silence that follows may not last for ever.
    if (fault instanceof LimitError) silentSince = performance.now() + waitMs;
    else if (performance.now() - silentSince > PATIENCE_MS)
      throw new CliFailure(`${url} did not answer for 5 minutes (${reason}). ${next}`);
    onWait(`${reason}; next try in ${Math.ceil(waitMs / 1_000)} s`);
  };
  const patience = { attempts: Infinity, longestWaitMs: Infinity, onRetry };
  const client = clientOf({ ...access, ...patience });
  try {
    return await ask(client);
  } catch (error) {
    if (!(error instanceof OutcomesError)) throw error;
    // Nothing but the key can be wrong.
    const next = error.status === 401 ? ' Check --key or OUTCOMES_API_KEY.' : '';
    throw new CliFailure(`the service refused the request: ${error.status} ${refusal(error, name)}${next}`);
  }
}

/** Nothing is sent to what is no address, nor with what is no key: no wait would help. */
function clientOf(options: OutcomesClientOptions): OutcomesClient {
  try {
    return new OutcomesClient(options);
  } catch (error) {
    throw new CliFailure(`${(error as Error).message} Check --url and --key, or what stands for them.`, {
      cause: error,
    });
  }
}

function reasonOf(fault: unknown, service: string): string {
  if (fault instanceof LimitError) return 'the key has used up the requests of its window';
  return fault instanceof OutcomesError
    ? `the service answers ${fault.status}`
    : `${service} is not reachable`;
}

function refusal({ code, message, body }: OutcomesError, service: string): string {
  if (code === 'UNKNOWN') return `without an explanation. Is this the address of ${service}?`;
  return [code, 'reason' in body ? body.reason : undefined, message].filter(Boolean).join(': ');
}
