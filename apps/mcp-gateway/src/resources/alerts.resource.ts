import { ALERT_CATALOGUE, ALERT_SEVERITIES } from '@outcomes/contracts';
import type { ReferenceResource } from './resources.catalogue';

type Severity = keyof typeof ALERT_SEVERITIES;

/** Of a severity: what each code means, and what to do. */
function alertsOf(severity: Severity): Record<string, readonly [meaning: string, action: string]> {
  const own = Object.entries(ALERT_CATALOGUE).filter(([, alert]) => alert.severity === severity);
  return Object.fromEntries(own.map(([code, { meaning, action }]) => [code, [meaning, action]]));
}

/** An agent reads all of it to look up one code, so no key is said more than once. */
export const alertsResource: ReferenceResource = {
  name: 'alerts',
  title: 'Alert catalogue',
  description:
    'Every alert code by severity, with meaning and action. Read it once; the codes in a result refer to it.',
  mimeType: 'application/json',
  text: JSON.stringify({
    version: '1.0.0',
    severities: ALERT_SEVERITIES,
    alerts: Object.fromEntries(
      (Object.keys(ALERT_SEVERITIES) as Severity[]).map((severity) => [severity, alertsOf(severity)]),
    ),
  }),
};
