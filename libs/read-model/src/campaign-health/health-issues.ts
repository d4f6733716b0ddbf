import {
  ALERT_CATALOGUE,
  aroundDay,
  type AlertCode,
  type HealthIssue,
  type RateChange,
} from '@outcomes/contracts';
import { FEW_EXPECTED, type HealthReason, type HealthReasonCode } from '@outcomes/statistics';
import { NOTHING, PLACES, scopeWords } from '../frame/trust-table';
import { percents } from '../text/number-words';

interface Presentation {
  /** The disclosure that says the same, where there is one. */
  readonly alert?: AlertCode;
  readonly severity: HealthIssue['severity'];
  readonly message: (reason: HealthReason, fall: RateChange | undefined) => string;
  readonly action?: string | ((fall: RateChange | undefined) => string);
}

const ratio = ({ value, low, high }: HealthReason) =>
  `${value.toFixed(2)} (95 % interval ${low.toFixed(2)} to ${high.toFixed(2)})`;
/** @param beside - a rate that is told with it */
const share = ({ value, low, high }: HealthReason, beside = value) => {
  const [rate, from, to] = percents([value, low, high, beside]);
  return `${rate} (95 % interval ${from} to ${to})`;
};

const WAIT =
  'Wait for more to settle, or widen window_days: e-mail settles after 14 days, LinkedIn after 21; window.settled says which days count.';

/** How each reason of the statistics is told: in numbers and fixed words, never in a tenant's own. */
const PRESENTATIONS: Readonly<Record<HealthReasonCode, Presentation>> = {
  bounce_rate_high: {
    alert: 'high_bounce_rate',
    severity: 'critical',
    message: (reason) => `Bounces over the life of the campaign are at ${share(reason)}: proved too high.`,
  },
  unsubscribe_rate_high: {
    alert: 'elevated_unsubscribe_rate',
    severity: 'critical',
    message: (reason) =>
      `Unsubscribes over the life of the campaign are at ${share(reason)}: proved too high.`,
  },
  bounce_rate_suspicious: {
    alert: 'elevated_bounce_rate',
    severity: 'warning',
    message: (reason) =>
      `Bounces over the life of the campaign are at ${share(reason)}: suspicious, not proved.`,
  },
  unsubscribe_rate_suspicious: {
    alert: 'elevated_unsubscribe_rate',
    severity: 'warning',
    message: (reason) =>
      `Unsubscribes over the life of the campaign are at ${share(reason)}: suspicious, not proved.`,
  },
  replies_fell: {
    severity: 'warning',
    message: (reason, fall) =>
      fall === undefined || fall.before.value === null || fall.after.value === null
        ? 'Replies fell of late.'
        : `Replies${PLACES[fall.channel]} fell from ${percents([fall.before.value, reason.value, reason.low, reason.high])[0]} to ${share(reason, fall.before.value)} ${aroundDay(fall.since)}.`,
    action: (fall) => (fall === undefined ? 'Look at get_drift_state.' : `Look at ${scopeWords(fall)}.`),
  },
  replies_below_expected: {
    alert: 'below_company_baseline',
    severity: 'warning',
    message: (reason) => `Replies are at ${ratio(reason)} of what the company gets from such an audience.`,
  },
  few_matured_sends: {
    severity: 'info',
    message: ({ value }) => `${value} settled messages are too few to judge replies by.`,
    action: WAIT,
  },
  few_expected_replies: {
    severity: 'info',
    message: ({ value, sends = 0 }) =>
      value === 0
        ? `What to expect of ${sends} settled messages is not known before an analysis has rates to go by.`
        : `About ${value.toFixed(2)} replies would be expected of ${sends} settled messages: too few to judge replies by, which takes about ${Math.ceil((sends * FEW_EXPECTED) / value)} such messages.`,
    action: WAIT,
  },
  replies_above_expected: {
    severity: 'info',
    message: (reason) => `Replies are at ${ratio(reason)} of what the company gets from such an audience.`,
    action: 'Find out what this campaign does differently, and try it elsewhere.',
  },
  replies_as_expected: {
    severity: 'info',
    message: (reason) => `Replies are at ${ratio(reason)} of what the company gets from such an audience.`,
    action: 'None.',
  },
};

/** Stands in place of the reasons where there is nothing to judge, because no message carries the id. */
export const UNKNOWN_CAMPAIGN: HealthIssue = {
  code: 'campaign_not_found',
  severity: 'warning',
  message: 'No message with this campaign_id has arrived, so there is nothing to wait for.',
  suggested_action: ALERT_CATALOGUE.campaign_not_found.action,
  value: null,
  ci_low: null,
  ci_high: null,
};

/** The reasons behind a status in wire form, in the order of the rule table: worst first. */
export function issuesOf(reasons: readonly HealthReason[], fall?: RateChange): HealthIssue[] {
  return reasons.map((reason) => {
    const { alert, severity, message, action } = PRESENTATIONS[reason.code];
    return {
      code: alert ?? reason.code,
      severity,
      message: message(reason, fall),
      suggested_action:
        (typeof action === 'function' ? action(fall) : action) ??
        (alert ? ALERT_CATALOGUE[alert].action : ''),
      value: reason.value,
      ci_low: reason.low,
      ci_high: reason.high,
    };
  });
}

/** What to check of what is proved too high, before anything more is sent. */
const CHECKS: Partial<Readonly<Record<HealthReasonCode, string>>> = {
  bounce_rate_high: 'verify the addresses of its list',
  unsubscribe_rate_high: 'review whom it writes to and how often',
};

/**
 * What to do now: whatever may be acted upon, a critical campaign stops first.
 * @param subject - campaign or campaigns that are critical, in fixed words
 * @param trusted - what trust in the posteriors advises
 */
export function actionOf(reasons: readonly HealthReason[], subject: string, trusted: string): string {
  const checks = Object.entries(CHECKS).filter(([code]) => reasons.some((reason) => reason.code === code));
  if (checks.length === 0) return trusted;
  const pause = `Pause ${subject}; before resuming, ${checks.map(([, check]) => check).join(', and ')}.`;
  return trusted === NOTHING ? pause : `${pause} ${trusted}`;
}

/** The disclosures that an answer owes its reader for these reasons. */
export function alertsFor(reasons: readonly HealthReason[]): AlertCode[] {
  return reasons.map(({ code }) => PRESENTATIONS[code].alert).filter((alert) => alert !== undefined);
}
