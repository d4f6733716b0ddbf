import { Inject, Injectable } from '@nestjs/common';
import {
  DRIFT_STATE,
  AVERAGE_RUN_LENGTH_DAYS,
  DOCUMENTS,
  type AlertCode,
  type ChangeScope,
  type DriftDocument,
  type DriftPeriod,
  type DriftState,
  type DriftStateQuery,
  type DriftTest,
  type RateChange,
} from '@outcomes/contracts';
import { CLOCK, type Clock } from '@outcomes/platform';
import type { TenantScope } from '@outcomes/tenancy';
import { FreshnessRepository } from '../freshness/freshness.repository';
import { parseSnapshot } from '../snapshots/parse-snapshot';
import { SnapshotRepository } from '../snapshots/snapshot.repository';
import { cleanText } from '../text/clean-text';
import { counted } from '../text/number-words';
import { bytesOf, thatFit } from '../text/room';
import { CohortRepository, type PeriodCell } from '../touches/cohort.repository';
import { matureDays } from '../touches/day';
import { frameOf } from '../frame/result-frame';
import { trustFields, trustIn, type ChannelTrust } from '../frame/trust';

/**
 * Of looks and ledger in an answer, so that it stays small whatever campaigns are called: at least eight rows of the
 * ledger, unless names are very long. By chance alone, a channel has one in a year.
 */
const ROOM_BYTES = 6_600;
const METHOD = 'generalised likelihood ratio over day cuts, days and campaigns apart';

/** Whether the reply rate of each channel has changed, when, and what that means for the posteriors. */
@Injectable()
export class DriftStateService {
  constructor(
    @Inject(SnapshotRepository) private readonly snapshots: SnapshotRepository,
    @Inject(CohortRepository) private readonly cohorts: CohortRepository,
    @Inject(FreshnessRepository) private readonly freshness: FreshnessRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async answer(scope: TenantScope, query: DriftStateQuery): Promise<DriftState> {
    const windowDays = query.window_days ?? DRIFT_STATE.arguments.window_days.default;
    const drift = parseSnapshot<DriftDocument>(await this.snapshots.find(scope, DOCUMENTS.drift));
    const freshness = await this.freshness.find(scope);
    const now = this.clock.now();
    const mature = matureDays(freshness.dataAsOf ?? now);
    const periods = drift ? await this.cohorts.periods(scope, windowDays, mature) : [];
    const trust = trustIn(drift, now, query.channel);
    const looks = trust.channels.filter((one) => one.drift.look_possible).length;
    const summary =
      `${counted(looks, 'channel')} looked at, ${counted(trust.changes.length, 'change')} on record. ` +
      trust.sentence;
    const tests = trust.channels.map((one) => testOf(one, periods));
    const changes = thatFit(trust.changes.map(withCleanScope), ROOM_BYTES - bytesOf(tests));
    const truncated: AlertCode[] = changes.length < trust.changes.length ? ['results_truncated'] : [];
    return {
      ...frameOf(scope, 'company', freshness, now, summary, [...trust.alerts, ...truncated]),
      ...trustFields(trust),
      tests,
      changes,
      newest_outcome_at: trust.newestOutcomeAt,
      recommended_action: trust.recommendedAction,
    };
  }
}

function testOf({ drift, verdict }: ChannelTrust, periods: readonly PeriodCell[]): DriftTest {
  const own = periods.filter((cell) => cell.channel === drift.channel);
  const last = drift.changes.at(-1);
  return {
    channel: drift.channel,
    metric: 'reply_rate',
    state: verdict.driftState,
    method: METHOD,
    statistic: drift.statistic,
    threshold: drift.threshold,
    average_run_length_days: AVERAGE_RUN_LENGTH_DAYS,
    direction: last?.direction ?? null,
    before: last?.before ?? null,
    after: last?.after ?? null,
    told_at: last?.told_at ?? null,
    scope: last ? withCleanScope(last).scope : null,
    contributing_strata: last ? strataOf(last.scope) : [],
    reference: periodOf(own.filter((cell) => !cell.recent)),
    recent: periodOf(own.filter((cell) => cell.recent)),
    first_detected_at: last?.since ?? null,
    settled_replies: drift.settled_replies,
    replies_needed: verdict.repliesNeeded,
    recounted_at: drift.recounted_at,
    campaigns: drift.campaigns,
    campaigns_merged: drift.campaigns_merged ?? 0,
    mix: drift.mix,
    volume: drift.volume,
    posteriors_trustworthy: verdict.trustworthy,
  };
}

/** A campaign is named by its tenant. */
function withCleanScope(change: RateChange): RateChange {
  const { kind, value } = change.scope;
  return { ...change, scope: { kind, value: value === null ? null : cleanText(value) } };
}

function strataOf({ kind, value }: ChangeScope): string[] {
  if (kind === 'channel') return [];
  return [value === null ? `no ${kind}` : `${kind} ${cleanText(value)}`];
}

function periodOf(cells: readonly PeriodCell[]): DriftPeriod {
  const n = cells.reduce((sum, cell) => sum + cell.messages, 0);
  const replies = cells.reduce((sum, cell) => sum + cell.replies, 0);
  const from = cells.map((cell) => cell.from).sort()[0] ?? null;
  const to =
    cells
      .map((cell) => cell.to)
      .sort()
      .at(-1) ?? null;
  return { from, to, n, rate: n > 0 ? replies / n : null };
}
