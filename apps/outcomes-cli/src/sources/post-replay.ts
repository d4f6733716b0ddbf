import type { ReplayedDeliveries } from '@outcomes/ingestion';
import { CliFailure } from '../output/cli-failure';

const REQUEST_TIMEOUT_MS = 30_000;

/** Has ingest-api read held records of a source again, 500 at most. */
export async function postReplay(
  ingestApiUrl: string,
  apiKey: string,
  asked: {
    readonly source: string;
    readonly since?: string | undefined;
    readonly after?: string | undefined;
  },
): Promise<ReplayedDeliveries> {
  const given = Object.entries(asked).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const response = await fetch(`${ingestApiUrl}/ingest/replays?${new URLSearchParams(given).toString()}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${apiKey}` },
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  }).catch(() => undefined);
  if (response?.status === 200) return (await response.json()) as ReplayedDeliveries;
  const said = ((await response?.json().catch(() => undefined)) as { message?: string } | undefined)?.message;
  throw new CliFailure(
    `${ingestApiUrl} answered ${response?.status ?? 'nothing'}: ${said ?? 'no explanation.'}`,
  );
}
