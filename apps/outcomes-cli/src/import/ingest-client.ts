import { setTimeout as delay } from 'node:timers/promises';
import { CliFailure } from '../output/cli-failure';

/** How long the service may stay away before an import gives up. It resumes where it stopped. */
const PATIENCE_MS = 5 * 60_000;
const REQUEST_TIMEOUT_MS = 30_000;

export interface IngestError {
  readonly index?: number;
  readonly row?: number;
  readonly field: string | null;
  readonly code: string;
  readonly message: string;
}

export interface IngestAnswer {
  readonly accepted: number;
  readonly rejected: number;
  readonly duplicates: number;
  readonly errors: readonly IngestError[];
}

export interface IngestRequest {
  readonly path: '/ingest/csv' | '/ingest/events';
  readonly contentType: string;
  readonly body: string;
}

/**
 * Posts to ingest-api until it says 202. Waiting is safe: the service knows an event that it has seen.
 * @param onWait - told in plain words why the import pauses
 */
export async function postUntilAccepted(
  baseUrl: string,
  apiKey: string,
  request: IngestRequest,
  onWait: (reason: string) => void,
): Promise<IngestAnswer> {
  const started = performance.now();
  for (let attempt = 0; ; attempt += 1) {
    const { answer, wait } = await postOnce(baseUrl, apiKey, request);
    if (answer) return answer;
    const pauseMs = wait.seconds === undefined ? Math.min(200 * 2 ** attempt, 5_000) : wait.seconds * 1_000;
    // A refusal that names its time may be waited out in full; silence may not last for ever.
    if (wait.seconds === undefined && performance.now() - started > PATIENCE_MS) {
      throw new CliFailure(
        `${baseUrl} did not answer for 5 minutes (${wait.reason}). Run the same command again to resume.`,
      );
    }
    onWait(`${wait.reason}; next try in ${Math.ceil(pauseMs / 1_000)} s`);
    await delay(pauseMs);
  }
}

interface Wait {
  readonly reason: string;
  readonly seconds?: number;
}

async function postOnce(
  baseUrl: string,
  apiKey: string,
  { path, contentType, body }: IngestRequest,
): Promise<{ answer: IngestAnswer; wait?: undefined } | { answer?: undefined; wait: Wait }> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${baseUrl}${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': contentType },
      body,
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    text = await response.text();
  } catch {
    return { wait: { reason: 'the service is not reachable' } };
  }
  if (response.status === 202) return { answer: JSON.parse(text) as IngestAnswer };
  if (response.status === 429) {
    const seconds = Number(response.headers.get('retry-after') ?? 60);
    return { wait: { reason: 'the key has used its requests of this window', seconds } };
  }
  if (response.status >= 500 || response.status === 408)
    return { wait: { reason: `the service answers ${response.status}` } };
  throw new CliFailure(`the service refused the request: ${response.status} ${refusal(text)}`);
}

function refusal(text: string): string {
  try {
    const { error, message, reason } = JSON.parse(text) as Record<string, string | undefined>;
    return [error, reason, message].filter(Boolean).join(': ');
  } catch {
    return 'without an explanation. Is this the address of ingest-api?';
  }
}
