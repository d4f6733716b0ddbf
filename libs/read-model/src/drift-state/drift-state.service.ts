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
import { RunRepository } from '../runs/run.repository';
import { lastDayOf, settledDays } from '../runs/settled-days';
import { cleanText } from '../text/clean-text';
import { counted } from '../text/number-words';
import { bytesOf, thatFit } from '../text/room';
import { CohortRepository, type PeriodCell } from '../touches/cohort.repository';
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
    @Inject(RunRepository) private readonly runs: RunRepository,
    @Inject(CohortRepository) private readonly cohorts: CohortRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async answer(scope: TenantScope, query: DriftStateQuery): Promise<DriftState> {
    const windowDays = query.window_days ?? DRIFT_STATE.arguments.window_days.default;
    const { document, freshness } = await this.runs.read(scope, [DOCUMENTS.drift]);
    const drift = document<DriftDocument>(DOCUMENTS.drift);
    const now = this.clock.now();
    const settled = settledDays(drift, lastDayOf(freshness, drift, now));
    const periods = drift ? await this.cohorts.periods(scope, windowDays, settled) : [];
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
    since: last?.since ?? null,
    first_detected_at: last?.told_at ?? null,
    newest_outcome_at: drift.newest_outcome_at,
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
  const due = cells.reduce((sum, cell) => sum + (cell.due ?? cell.messages), 0);
  const replies = cells.reduce((sum, cell) => sum + cell.replies, 0);
  const from = cells.map((cell) => cell.from).sort()[0] ?? null;
  const to =
    cells
      .map((cell) => cell.to)
      .sort()
      .at(-1) ?? null;
  return { from, to, n, rate: n > 0 ? Math.min(1, replies / due) : null };
}
