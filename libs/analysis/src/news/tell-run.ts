import { DOCUMENTS, type DriftDocument } from '@outcomes/contracts';
import type { TenantTransaction } from '@outcomes/tenancy';
import { isWanted, subscriptionsOf, writeMessages } from '@outcomes/webhooks';
import type { SerialisedDocument } from '../documents/serialise';
import { storedDocument } from '../documents/snapshot.repository';
import type { CampaignTotals } from './critical-campaign.repository';
import { criticalNews } from './critical-campaigns';
import { newsOf, type FoundByRun } from './run-news';

/**
 * Puts what a run has found into the outbox of webhooks, in the transaction that publishes it and before the documents
 * that it replaces are gone. Companies without webhooks, which are most, cost one look.
 * @param documents - that the run leaves
 */
export async function tellRun(
  transaction: TenantTransaction,
  found: Omit<FoundByRun, 'drift' | 'driftBefore'> & { readonly campaigns: readonly CampaignTotals[] | null },
  documents: readonly SerialisedDocument[],
  at: Date,
): Promise<void> {
  const subscriptions = await subscriptionsOf(transaction);
  if (subscriptions.length === 0) return;
  const before = await storedDocument(transaction, DOCUMENTS.drift);
  const drift = driftIn(documents.find(({ document }) => document === DOCUMENTS.drift)?.body);
  const news = newsOf({ ...found, drift, driftBefore: driftIn(before) });
  // Who has subscribed since they were read is told by the next run.
  if (found.campaigns !== null && isWanted(subscriptions, 'campaign.critical'))
    news.push(...(await criticalNews(transaction, found.campaigns, at)));
  await writeMessages(transaction, subscriptions, news, at);
}

function driftIn(body: string | undefined): DriftDocument | undefined {
  return body === undefined ? undefined : (JSON.parse(body) as DriftDocument);
}
