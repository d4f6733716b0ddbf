import { Inject, Injectable } from '@nestjs/common';
import { DOCUMENTS, type AlertCode, type Calibration, type CalibrationDocument } from '@outcomes/contracts';
import { CLOCK, type Clock } from '@outcomes/platform';
import type { TenantScope } from '@outcomes/tenancy';
import { RunRepository } from '../runs/run.repository';
import { counted } from '../text/number-words';
import { sampleAlerts } from '../text/sample-alerts';
import { frameOf } from './result-frame';
import { trustFields, trustIn } from './trust';

/** Below this many expected replies nothing can be concluded. */
const CONCLUSIVE = 10;

/** How stated probabilities came out. */
@Injectable()
export class CalibrationService {
  constructor(
    @Inject(RunRepository) private readonly runs: RunRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async answer(scope: TenantScope): Promise<Calibration> {
    const run = await this.runs.read(scope, [DOCUMENTS.calibration]);
    const {
      data_as_of: _asOf,
      awaiting = NONE_AWAITING,
      ...scores
    } = run.document<CalibrationDocument>(DOCUMENTS.calibration) ?? NOTHING;
    const found = { ...scores, awaiting };
    const now = this.clock.now();
    const trust = trustIn(run.frame, now);
    return {
      ...frameOf(scope, 'company', run.freshness, now, `${summaryOf(found)} ${trust.sentence}`, [
        ...alertsOf(found),
        ...trust.alerts,
      ]),
      ...found,
      ...trustFields(trust),
    };
  }
}

type Scores = Omit<CalibrationDocument, 'data_as_of' | 'awaiting'> & Pick<Calibration, 'awaiting'>;

function summaryOf({
  predictions,
  observed_replies,
  expected_replies,
  observed_over_expected,
  awaiting,
}: Scores): string {
  if (predictions === 0)
    return `No frozen prediction has a settled outcome yet, so none has failed or come true.${awaitingWords(awaiting)}`;
  const { value, ci_low, ci_high } = observed_over_expected;
  return (
    `${counted(predictions, 'prediction')} settled: ${observed_replies} replies came, ${expected_replies} were expected ` +
    `(ratio ${two(value)}, 95 % interval ${two(ci_low)} to ${two(ci_high)}).${awaitingWords(awaiting)}`
  );
}

/** What cannot be judged yet, so that waiting does not read as failing. */
function awaitingWords({ unfollowed, open, first_settles_on: first }: Calibration['awaiting']): string {
  const parts = [
    ...(unfollowed > 0 ? [`${counted(unfollowed, 'decision')} without a message since`] : []),
    ...(open > 0
      ? [
          `${counted(open, 'message')} sent as advised and not settled${first === null ? '' : ` (the first settles on ${first})`}`,
        ]
      : []),
  ];
  return parts.length === 0 ? '' : ` Still open: ${parts.join(', ')}.`;
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

const NONE_AWAITING: Calibration['awaiting'] = { unfollowed: 0, open: 0, first_settles_on: null };

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
