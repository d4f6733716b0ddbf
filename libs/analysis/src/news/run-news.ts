import { DAY_MS, type DriftDocument, type RateChange } from '@outcomes/contracts';
import type { WebhookMessage } from '@outcomes/webhooks';
import type { RecordedClaim } from '../evidence/claim-history';
import type { ClaimRow } from '../evidence/claims';

/** Changes that could be told longer ago than that are history, not news. */
const NEWS_DAYS = 30;

/** What a run found, beside what stood before it. */
export interface FoundByRun {
  readonly runId: string;
  readonly dataAsOf: Date;
  /** Messages that it read. */
  readonly messages: number;
  /** What was served before; undefined before the first run. */
  readonly driftBefore: DriftDocument | undefined;
  readonly drift: DriftDocument | undefined;
  /** The record of claims up to this run, and the rows that it adds. */
  readonly standing: readonly RecordedClaim[];
  readonly appended: readonly ClaimRow[];
}

/** What of a run is news to whoever looked before it: not what stands, but what changed. */
export function newsOf(found: FoundByRun): WebhookMessage[] {
  const { runId, dataAsOf, messages } = found;
  return [
    {
      type: 'analysis.finished',
      data: { run_id: runId, data_as_of: dataAsOf.toISOString(), messages },
    },
    ...driftNews(found),
    ...silenceNews(found),
    ...patternNews(found),
  ];
}

function driftNews({ drift, driftBefore }: FoundByRun): WebhookMessage[] {
  if (!drift) return [];
  const known = new Set(changesIn(driftBefore).map(identityOf));
  const since = new Date(Date.parse(drift.data_as_of) - NEWS_DAYS * DAY_MS).toISOString().slice(0, 10);
  return changesIn(drift)
    .filter((change) => change.told_at >= since && !known.has(identityOf(change)))
    .map(({ channel, since: from, told_at, direction, ratio, before, after, scope }) => ({
      type: 'drift.changed',
      data: { channel, since: from, told_at, direction, ratio, before, after, scope },
    }));
}

const changesIn = (document: DriftDocument | undefined): readonly RateChange[] =>
  (document?.channels ?? []).flatMap(({ changes }) => changes);

/** The look that accepted a change; its fitted numbers may be made anew. */
const identityOf = ({ channel, settled_on }: RateChange) => `${channel} ${settled_on}`;

function silenceNews({ drift, driftBefore }: FoundByRun): WebhookMessage[] {
  const known = new Set(driftBefore?.silent_sources?.map(({ source }) => source));
  return (drift?.silent_sources ?? [])
    .filter(({ source }) => !known.has(source))
    .map(({ source, tool, last_delivery_at }) => ({
      type: 'source.silent',
      data: { source, tool, last_delivery_at },
    }));
}

function patternNews({ standing, appended }: FoundByRun): WebhookMessage[] {
  const before = new Map(standing.map((row) => [row.code, row]));
  return appended.flatMap((row): WebhookMessage[] => {
    const was = before.get(row.code);
    const common = { code: row.code, since: row.since.toISOString() };
    if (row.tier === 'confirmed' && (was?.tier !== 'confirmed' || was.isUp !== row.isUp)) {
      const { oddsRatio: odds_ratio, oddsRatioLow: odds_ratio_low, oddsRatioHigh: odds_ratio_high } = row;
      const direction = row.isUp === true ? 'up' : 'down';
      const evidence = { odds_ratio, odds_ratio_low, odds_ratio_high, messages: row.messages };
      return [{ type: 'pattern.confirmed', data: { ...common, direction, ...evidence } }];
    }
    const isClaimed = row.tier === 'confirmed' || row.tier === 'likely';
    if (!isClaimed && (was?.tier === 'confirmed' || was?.tier === 'likely'))
      return [{ type: 'pattern.retracted', data: { ...common, was: was.tier, reason: row.reason } }];
    return [];
  });
}
