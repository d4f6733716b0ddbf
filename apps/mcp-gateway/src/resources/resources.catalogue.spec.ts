import { ALERT_CATALOGUE, ALERT_SEVERITIES } from '@outcomes/contracts';
import { alertsResource } from './alerts.resource';

describe('the catalogue of alerts', () => {
  const { alerts } = JSON.parse(alertsResource.text) as {
    readonly alerts: Record<string, Record<string, [string, string]>>;
  };

  it('names every code once, under its severity', () => {
    expect(Object.keys(alerts)).toEqual(Object.keys(ALERT_SEVERITIES));
    const codes = Object.values(alerts).flatMap((own) => Object.keys(own));
    expect(codes.sort()).toEqual(Object.keys(ALERT_CATALOGUE).sort());
  });

  it('says of each what it means and what to do, in sentences', () => {
    for (const [meaning, action] of Object.values(alerts).flatMap((own) => Object.values(own)))
      for (const words of [meaning, action]) expect(words).toMatch(/^[A-Z0-9a-z].*\.$/);
  });

  it('is read whole to look up one code: at most 6,000 characters, about 1,500 tokens', () => {
    expect(alertsResource.text.length).toBeLessThanOrEqual(6_000);
  });
});
