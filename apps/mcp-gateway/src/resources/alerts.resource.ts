import { ALERT_CATALOGUE, ALERT_SEVERITIES } from '@outcomes/contracts';
import type { ReferenceResource } from './index';

export const alertsResource: ReferenceResource = {
  name: 'alerts',
  title: 'Alert catalogue',
  description:
    'Every alert code with severity, meaning and action. Read it once; the codes in a result refer to it.',
  mimeType: 'application/json',
  text: JSON.stringify(
    {
      version: '1.0.0',
      severities: ALERT_SEVERITIES,
      alerts: Object.entries(ALERT_CATALOGUE).map(([code, definition]) => ({ code, ...definition })),
    },
    null,
    2,
  ),
};
