import type { BanditDocument, DriftState, PatternRecord } from '@outcomes/contracts';
import { CliFailure } from '../output/cli-failure';

/** What the service answers about the demonstration company. */
export interface FoundFacts {
  readonly patterns: readonly PatternRecord[];
  readonly arms: BanditDocument['arms'];
  readonly drift: DriftState;
}

/** Reads the findings as any REST consumer would. */
export async function readFindings(readApiUrl: string, apiKey: string): Promise<FoundFacts> {
  const read = async <Data>(path: string): Promise<Data> => {
    const response = await fetch(`${readApiUrl}${path}`, {
      headers: { Authorization: `Bearer ${apiKey}` },
      signal: AbortSignal.timeout(10_000),
    });
    const body = (await response.json()) as { data: Data; error?: string };
    if (!response.ok)
      throw new CliFailure(`read-api answers ${response.status} ${body.error ?? ''} to ${path}`);
    return body.data;
  };
  const [patterns, bandit, drift] = await Promise.all([
    read<PatternRecord[]>('/patterns'),
    read<{ arms: BanditDocument['arms'] }>('/intelligence/bandit?top_n=100'),
    read<DriftState>('/intelligence/drift'),
  ]);
  return { patterns, arms: bandit.arms, drift };
}
