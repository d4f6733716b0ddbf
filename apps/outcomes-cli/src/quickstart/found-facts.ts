import { OutcomesClient } from '@outcomes/client';
import type { BanditDocument, DriftState, PatternRecord } from '@outcomes/contracts';

/** What the service answers about the demonstration company. */
export interface FoundFacts {
  readonly patterns: readonly PatternRecord[];
  readonly arms: BanditDocument['arms'];
  readonly drift: DriftState;
}

/** Reads the findings as any REST consumer would. */
export async function readFindings(readUrl: string, apiKey: string): Promise<FoundFacts> {
  const client = new OutcomesClient({ readUrl, apiKey, attempts: 1, timeoutMs: 10_000 });
  const [patterns, bandit, drift] = await Promise.all([
    client.read('patterns'),
    client.read('bandit', { top_n: 100 }),
    client.read('drift'),
  ]);
  // The service is of this version, and says no value that the contract does not name.
  return {
    patterns: patterns.data as readonly PatternRecord[],
    arms: bandit.data.arms as BanditDocument['arms'],
    drift: drift.data as DriftState,
  };
}
