import type { IngestOptions } from '@outcomes/ingestion';
import { exchangeParameter } from '@outcomes/platform';

const REPRESENTATION = /(?:^|[,;\s])return="?representation"?(?:$|[,;\s])/i;

/** What the caller wishes in the Prefer header (RFC 7240); the answer says which wish was granted. */
export const Preferences = exchangeParameter((exchange): IngestOptions => {
  const { prefer } = exchange.request.headers;
  const representation = prefer !== undefined && REPRESENTATION.test(String(prefer));
  if (representation) exchange.setHeader('Preference-Applied', 'return=representation');
  return { representation };
});
