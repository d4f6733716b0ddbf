import {
  ALERT_CATALOGUE,
  type AlertCode,
  type HealthIssue,
  type HealthStatus,
  type RateEstimate,
} from '@outcomes/contracts';
import { percent } from '../text/number-words';
import { BOUNCE_GUARD, CRITICAL_E_VALUE, UNSUBSCRIBE_GUARD } from './complaint-guard';
import type { ReplyRatio } from './reply-ratio';

/** Settled messages from which a campaign may be called healthy. */
const ENOUGH = 30;
/** Rates from which bounces and unsubscribes are worth a look, long before they are proved too high. */
const ELEVATED_BOUNCES = 0.02;
const ELEVATED_UNSUBSCRIBES = 0.01;
const SURE = 0.95;

export interface HealthFigures {
  readonly guards: { readonly bounce: number; readonly unsubscribe: number };
  readonly bounceRate: RateEstimate;
  readonly unsubscribeRate: RateEstimate;
  readonly ratio: ReplyRatio | undefined;
  readonly sampleSize: number;
}

type Rule = (figures: HealthFigures) => HealthIssue | undefined;

/** The one table of what makes a campaign critical or worth watching, worst first. */
const RULES: readonly Rule[] = [
  ({ guards, bounceRate }) =>
    guards.bounce >= CRITICAL_E_VALUE
      ? rateIssue(
          'high_bounce_rate',
          'critical',
          bounceRate,
          provedAbove('Bounces', BOUNCE_GUARD.limit, bounceRate),
        )
      : undefined,
  ({ guards, unsubscribeRate }) =>
    guards.unsubscribe >= CRITICAL_E_VALUE
      ? rateIssue(
          'elevated_unsubscribe_rate',
          'critical',
          unsubscribeRate,
          provedAbove('Unsubscribes', UNSUBSCRIBE_GUARD.limit, unsubscribeRate),
        )
      : undefined,
  ({ ratio, sampleSize }) =>
    ratio && sampleSize >= ENOUGH && ratio.probabilityBelow >= SURE
      ? issue('below_company_baseline', 'warning', belowExpected(ratio), {
          value: ratio.ratio,
          ci_low: ratio.low,
          ci_high: ratio.high,
        })
      : undefined,
  ({ guards, bounceRate }) =>
    guards.bounce < CRITICAL_E_VALUE && isElevated(bounceRate, ELEVATED_BOUNCES)
      ? rateIssue('elevated_bounce_rate', 'warning', bounceRate, elevated('Bounces', bounceRate))
      : undefined,
  ({ guards, unsubscribeRate }) =>
    guards.unsubscribe < CRITICAL_E_VALUE && isElevated(unsubscribeRate, ELEVATED_UNSUBSCRIBES)
      ? rateIssue(
          'elevated_unsubscribe_rate',
          'warning',
          unsubscribeRate,
          elevated('Unsubscribes', unsubscribeRate),
        )
      : undefined,
];

export function issuesOf(figures: HealthFigures): HealthIssue[] {
  return RULES.map((rule) => rule(figures)).filter((found) => found !== undefined);
}

/**
 * A proved fault counts however young the campaign is; anything milder needs enough settled messages.
 * @param judged - whether replies could be held against arms: without that no campaign is called healthy
 */
export function statusOf(issues: readonly HealthIssue[], sampleSize: number, judged: boolean): HealthStatus {
  if (issues.some((found) => found.severity === 'critical')) return 'critical';
  if (sampleSize < ENOUGH || !judged) return 'insufficient_data';
  return issues.length > 0 ? 'watch' : 'healthy';
}

function isElevated({ value, n }: RateEstimate, threshold: number): boolean {
  return value !== null && n >= ENOUGH && value >= threshold;
}

function rateIssue(
  code: AlertCode,
  severity: HealthIssue['severity'],
  { value, ci_low, ci_high }: RateEstimate,
  message: string,
): HealthIssue {
  return issue(code, severity, message, { value, ci_low, ci_high });
}

function issue(
  code: AlertCode,
  severity: HealthIssue['severity'],
  message: string,
  figure: Pick<HealthIssue, 'value' | 'ci_low' | 'ci_high'>,
): HealthIssue {
  return { code, severity, message, suggested_action: ALERT_CATALOGUE[code].action, ...figure };
}

function provedAbove(what: string, limit: number, { value }: RateEstimate): string {
  const now = value === null ? '' : `; in the window they are at ${percent(value)}`;
  return `${what} over the life of the campaign are above ${percent(limit)} beyond reasonable doubt${now}.`;
}

function elevated(what: string, { value, n }: RateEstimate): string {
  return `${what} are at ${percent(value ?? 0)} of ${n} messages.`;
}

function belowExpected({ ratio, probabilityBelow }: ReplyRatio): string {
  return (
    `Replies are at ${ratio.toFixed(2)} of what the company gets from such an audience ` +
    `(probability ${percent(probabilityBelow)} of being below).`
  );
}
