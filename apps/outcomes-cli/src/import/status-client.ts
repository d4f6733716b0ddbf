const REQUEST_TIMEOUT_MS = 10_000;

/** What of GET /ingest/status an import looks at. */
export interface IngestStatus {
  readonly batches_pending: number;
  readonly events_pending: number;
  readonly batches_parked: number;
  readonly last_processed_at: string | null;
  readonly unanalysed_since: string | null;
  readonly analysis: 'idle' | 'queued' | 'running';
  readonly last_analysis: { readonly run_id: string; readonly state: string } | null;
  readonly next_analysis: { readonly at: string | null; readonly reason: string };
}

/**
 * Asks ingest-api how far everything is.
 * @returns the status; `away` where it cannot answer just now; `refused` where it will not (an older version, or a key
 * that has used up its window)
 */
export async function readStatus(
  baseUrl: string,
  apiKey: string,
): Promise<IngestStatus | 'away' | 'refused'> {
  try {
    const response = await fetch(`${baseUrl}/ingest/status`, {
      headers: { Authorization: `Bearer ${apiKey}` },
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    if (response.status === 200) return (await response.json()) as IngestStatus;
    await response.body?.cancel();
    return response.status >= 500 ? 'away' : 'refused';
  } catch {
    return 'away';
  }
}
