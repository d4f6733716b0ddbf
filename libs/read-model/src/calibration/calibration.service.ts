import { Inject, Injectable } from '@nestjs/common';
import { DOCUMENTS, type AlertCode, type Calibration, type CalibrationDocument } from '@outcomes/contracts';
import { CLOCK, type Clock } from '@outcomes/platform';
import type { TenantScope } from '@outcomes/tenancy';
import { FreshnessRepository } from '../freshness/freshness.repository';
import { sampleAlerts } from '../freshness/sample-alerts';
import { parseSnapshot } from '../snapshots/parse-snapshot';
import { SnapshotRepository } from '../snapshots/snapshot.repository';
import { counted } from '../text/number-words';
import { frameOf } from '../frame/result-frame';

/** Below this many expected replies nothing can be concluded. */
const CONCLUSIVE = 10;

/** How stated probabilities came out. */
@Injectable()
export class CalibrationService {
  constructor(
    @Inject(SnapshotRepository) private readonly snapshots: SnapshotRepository,
    @Inject(FreshnessRepository) private readonly freshness: FreshnessRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async answer(scope: TenantScope): Promise<Calibration> {
    const stored = await this.snapshots.find(scope, DOCUMENTS.calibration);
    const freshness = await this.freshness.find(scope);
    const { data_as_of: _asOf, ...found } = parseSnapshot<CalibrationDocument>(stored) ?? NOTHING;
    return {
      ...frameOf(scope, 'company', freshness, this.clock.now(), summaryOf(found), alertsOf(found)),
      ...found,
    };
  }
}

type Scores = Omit<CalibrationDocument, 'data_as_of'>;

function summaryOf({
  predictions,
  observed_replies,
  expected_replies,
  observed_over_expected,
}: Scores): string {
  if (predictions === 0) return 'No frozen prediction has a settled outcome yet.';
  const { value, ci_low, ci_high } = observed_over_expected;
  return (
    `${counted(predictions, 'prediction')} settled: ${observed_replies} replies came, ${expected_replies} were expected ` +
    `(ratio ${two(value)}, 95 % interval ${two(ci_low)} to ${two(ci_high)}).`
  );
}

function alertsOf({
  predictions,
  expected_replies: expected,
  observed_over_expected: ratio,
  calibration_slope: slope,
}: Scores): AlertCode[] {
  if (predictions === 0) return ['no_calibration_available'];
  const alerts: AlertCode[] = sampleAlerts(predictions);
  if (expected < CONCLUSIVE) alerts.push('calibration_inconclusive');
  else if (misses(ratio) || misses(slope)) alerts.push('predictions_off');
  return alerts;
}

function misses({ ci_low, ci_high }: Scores['calibration_slope']): boolean {
  return ci_low !== null && ci_high !== null && (ci_low > 1 || ci_high < 1);
}

function two(value: number | null): string {
  return value === null ? 'unknown' : value.toFixed(2);
}

const UNKNOWN = { value: null, ci_low: null, ci_high: null };

/** What is said before the first run. */
const NOTHING: CalibrationDocument = {
  data_as_of: '',
  engine_version: '',
  window: { from: null, to: null, limit: 0 },
  predictions: 0,
  expected_replies: 0,
  observed_replies: 0,
  observed_over_expected: UNKNOWN,
  brier_score: null,
  log_score: null,
  interval_coverage: { groups: 0, covered: 0, share: null },
  base_rate: null,
  brier_skill: null,
  calibration_slope: UNKNOWN,
  expected_calibration_error: null,
  reliability_bins: [],
  by_run: [],
  patterns: { ever_confirmed: 0, retracted: 0, retracted_share: null },
};
