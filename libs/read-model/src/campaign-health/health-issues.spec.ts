import { ALERT_CATALOGUE, type AlertCode } from '@outcomes/contracts';
import type { HealthReasonCode } from '@outcomes/statistics';
import { rateChange } from '../../test/planted-drift';
import { alertsFor, issuesOf } from './health-issues';

const reason = (code: HealthReasonCode) => ({
  ...{ code, value: 0.12, low: 0.034, high: 0.567, sends: 256 },
});
const SHARE = '12.0 % (95 % interval 3.4 % to 56.7 %)';
const RATIO = '0.12 (95 % interval 0.03 to 0.57)';

describe('what is told of a campaign', () => {
  // Proved guards are critical; what is only suspicious or slow is a warning; the rest informs.
  it.each<[HealthReasonCode, string, AlertCode | undefined, string]>([
    [
      'bounce_rate_high',
      'critical',
      'high_bounce_rate',
      `Bounces over the life of the campaign are at ${SHARE}`,
    ],
    [
      'unsubscribe_rate_high',
      'critical',
      'elevated_unsubscribe_rate',
      `Unsubscribes over the life of the campaign are at ${SHARE}`,
    ],
    [
      'bounce_rate_suspicious',
      'warning',
      'elevated_bounce_rate',
      `Bounces over the life of the campaign are at ${SHARE}: suspicious`,
    ],
    [
      'unsubscribe_rate_suspicious',
      'warning',
      'elevated_unsubscribe_rate',
      `Unsubscribes over the life of the campaign are at ${SHARE}: suspicious`,
    ],
    ['replies_fell', 'warning', undefined, 'Replies fell of late.'],
    [
      'replies_below_expected',
      'warning',
      'below_company_baseline',
      `Replies are at ${RATIO} of what the company gets`,
    ],
    ['few_matured_sends', 'info', undefined, '0.12 settled messages are too few'],
    ['few_expected_replies', 'info', undefined, 'About 0.12 replies would be expected of 256 settled'],
    ['replies_above_expected', 'info', undefined, `Replies are at ${RATIO} of what the company gets`],
    ['replies_as_expected', 'info', undefined, `Replies are at ${RATIO} of what the company gets`],
  ])('%s: %s', (code, severity, alert, message) => {
    expect(issuesOf([reason(code)])).toEqual([
      {
        code: alert ?? code,
        severity,
        message: expect.stringContaining(message) as string,
        suggested_action: alert
          ? ALERT_CATALOGUE[alert].action
          : (expect.stringMatching(/^[A-Z].+\.$/) as string),
        ...{ value: 0.12, ci_low: 0.034, ci_high: 0.567 },
      },
    ]);
    expect(alertsFor([reason(code)])).toStrictEqual(alert ? [alert] : []);
  });

  it('tells proved from suspicious', () => {
    const [proved, suspicious] = issuesOf([reason('bounce_rate_high'), reason('bounce_rate_suspicious')]);
    expect(proved?.message).toContain('proved too high');
    expect(suspicious?.message).toContain('not proved');
  });

  it.each(['before', 'after'] as const)('gives no rate of a fall whose rate %s it is unknown', (side) => {
    const unknown = { value: null, ci_low: null, ci_high: null, n: 0 };
    const [issue] = issuesOf([reason('replies_fell')], rateChange({ [side]: unknown }));
    expect(issue?.message).toBe('Replies fell of late.');
    // Where to look is known all the same.
    expect(issue?.suggested_action).toContain('messages by email');
  });

  it('tells of a fall to a rate that differs in words that differ', () => {
    const [issue] = issuesOf(
      [{ code: 'replies_fell', value: 0.0011, low: 0.0006, high: 0.02 }],
      rateChange({ before: { value: 0.0014, ci_low: 0.001, ci_high: 0.002, n: 9 } }),
    );
    expect(issue?.message).toContain('fell from 0.14 % to 0.11 % (95 % interval 0.06 % to 2.00 %) around');
  });

  it('sends to the drift of the channel where the fall is not at hand', () => {
    expect(issuesOf([reason('replies_fell')])[0]?.suggested_action).toContain('get_drift_state');
  });

  it('says how many messages it takes where it is replies that lack', () => {
    const [issue] = issuesOf([reason('few_expected_replies')]);
    expect(issue?.message).toContain('takes about 2134 such messages');
    const [unknown] = issuesOf([{ ...reason('few_expected_replies'), value: 0 }]);
    expect(unknown?.message).toContain('What to expect of 256 settled messages is not known');
  });

  it('does not wait for what cannot settle: it names the days', () => {
    const [issue] = issuesOf([reason('few_matured_sends')]);
    expect(issue?.suggested_action).toMatch(/14 days.*21/);
  });
});
