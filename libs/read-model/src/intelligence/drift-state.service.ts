import { Inject, Injectable } from '@nestjs/common';
import {
  DOCUMENTS,
  type AlertCode,
  type DriftDocument,
  type DriftKind,
  type DriftPeriod,
  type DriftState,
  type DriftStateQuery,
  type DriftTest,
  type DriftVerdict,
} from '@outcomes/contracts';
import { CLOCK, type Clock } from '@outcomes/platform';
import type { TenantScope } from '@outcomes/tenancy';
import { FreshnessRepository } from '../freshness/freshness.repository';
import { parseSnapshot } from '../snapshots/parse-snapshot';
import { SnapshotRepository } from '../snapshots/snapshot.repository';
import { counted } from '../text/number-words';
import { CohortRepository, type PeriodCell } from '../touches/cohort.repository';
import { matureDays } from '../touches/day';
import { driftAlerts, driftFinding } from './drift-verdict';
import { boundedInteger } from './query-bounds';
import { frameOf } from './result-frame';

const WINDOW_DAYS = { min: 7, max: 90, fallback: 14 };

const METRIC: Readonly<Record<DriftKind, DriftTest['metric']>> = {
  rate: 'reply_rate',
  mix: 'outcome_mix',
  volume: 'volume',
  none: 'reply_rate',
  insufficient_data: 'reply_rate',
};

const METHOD: Readonly<Record<DriftTest['metric'], string>> = {
  reply_rate: 'stratum-standardised generalised likelihood ratio over day cuts',
  outcome_mix: 'chi-square on stratum shares',
  volume: 'Poisson generalised likelihood ratio over day cuts',
};

const ACTION: Readonly<Record<DriftKind, string>> = {
  none: 'None. The posteriors match recent outcomes.',
  rate: 'Do not act on get_bandit_state. Look for what changed at the start of the new level: list, sender or copy; get_campaign_health shows the campaign.',
  mix: 'Rates hold within each stratum, but the audience changed. Compare positions and steps before comparing totals.',
  volume: 'Sending volume changed. Check that ingestion is complete before reading anything into rates.',
  insufficient_data: 'Treat drift as unknown, not as absent, until more outcomes are settled.',
};

/** Whether recent outcomes still match the history that the posteriors rest on. */
@Injectable()
export class DriftStateService {
  constructor(
    @Inject(SnapshotRepository) private readonly snapshots: SnapshotRepository,
    @Inject(CohortRepository) private readonly cohorts: CohortRepository,
    @Inject(FreshnessRepository) private readonly freshness: FreshnessRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async answer(scope: TenantScope, query: DriftStateQuery): Promise<DriftState> {
    const windowDays = boundedInteger('window_days', query.window_days, WINDOW_DAYS);
    const drift = parseSnapshot<DriftDocument>(await this.snapshots.find(scope, DOCUMENTS.drift));
    const freshness = await this.freshness.find(scope);
    const now = this.clock.now();
    const mature = matureDays(freshness.dataAsOf ?? now);
    const periods = drift ? await this.cohorts.periods(scope, windowDays, mature) : [];
    const { verdicts, kind, trustworthy } = driftFinding(drift, query.channel);
    const tests = verdicts.map((verdict) => testOf(verdict, periods));
    const summary =
      `Drift: ${kind}, over ${counted(tests.length, 'test')}. ` +
      (trustworthy
        ? 'The posteriors may be acted upon.'
        : 'Do not act on the posteriors before they are verified.');
    return {
      ...frameOf(scope, 'company', freshness, now, summary, alertsOf(kind, tests)),
      drift_state: kind,
      posteriors_trustworthy: trustworthy,
      tests,
      recommended_action: ACTION[kind],
    };
  }
}

function testOf(verdict: DriftVerdict, periods: readonly PeriodCell[]): DriftTest {
  const own = periods.filter((cell) => verdict.channel === 'all' || cell.channel === verdict.channel);
  const metric = METRIC[verdict.kind];
  return {
    channel: verdict.channel,
    metric,
    state: verdict.kind,
    method: METHOD[metric],
    statistic: verdict.statistic,
    threshold: verdict.threshold,
    average_run_length_days: verdict.average_run_length_days,
    direction: verdict.direction,
    before: verdict.before,
    after: verdict.after,
    contributing_strata: verdict.contributing_strata,
    reference: periodOf(own.filter((cell) => !cell.recent)),
    recent: periodOf(own.filter((cell) => cell.recent)),
    first_detected_at: verdict.since,
    posteriors_trustworthy: verdict.posteriors_trustworthy,
  };
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

function alertsOf(kind: DriftKind, tests: readonly DriftTest[]): AlertCode[] {
  const noBaseline = tests.length === 0 || tests.every((test) => test.reference.n === 0);
  return [...driftAlerts(kind), ...(noBaseline ? (['no_drift_baseline_available'] as const) : [])];
}
