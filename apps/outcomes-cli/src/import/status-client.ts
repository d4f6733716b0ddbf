import { OutcomesClient, OutcomesError, type IngestStatus } from '@outcomes/client';

const REQUEST_TIMEOUT_MS = 10_000;

/**
 * Asks ingest-api how far everything is, once.
 * @returns the status; `away` where it cannot answer just now; `refused` where it will not (an older version, or a key
 * that has used up its window)
 */
export async function readStatus(
  ingestUrl: string,
  apiKey: string,
): Promise<IngestStatus | 'away' | 'refused'> {
  const once = { attempts: 1, timeoutMs: REQUEST_TIMEOUT_MS };
  try {
    return await new OutcomesClient({ ingestUrl, apiKey, ...once }).status();
  } catch (error) {
    return error instanceof OutcomesError && error.status < 500 ? 'refused' : 'away';
  }
}
