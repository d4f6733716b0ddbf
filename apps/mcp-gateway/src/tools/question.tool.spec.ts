import { TOOLS } from './tools.catalogue';

const check = (name: string, given: Record<string, unknown>) =>
  TOOLS.find(({ definition }) => definition.name === name)?.check(given);

describe('arguments', () => {
  it('pass where they keep the bounds', () => {
    expect(check('get_bandit_state', {})).toBeUndefined();
    expect(check('get_bandit_state', { top_n: 100, channel: 'email', position: 'vp' })).toBeUndefined();
    expect(check('get_campaign_health', { campaign_id: 'x'.repeat(256), window_days: 365 })).toBeUndefined();
  });

  it.each([
    ['get_bandit_state', { top_n: 0 }, 'top_n', 'top_n must be a whole number from 1 to 100.'],
    ['get_bandit_state', { top_n: 101 }, 'top_n', 'top_n must be a whole number from 1 to 100.'],
    ['get_bandit_state', { top_n: 1.5 }, 'top_n', 'top_n must be a whole number from 1 to 100.'],
    ['get_bandit_state', { top_n: '5' }, 'top_n', 'top_n must be a whole number from 1 to 100.'],
    ['get_bandit_state', { top_n: null }, 'top_n', 'top_n must be a whole number from 1 to 100.'],
    ['get_bandit_state', { channel: 'fax' }, 'channel', 'channel must be one of email, linkedin.'],
    [
      'get_recipient_intelligence',
      {},
      'contact_id',
      'contact_id is required and must be a string of 1 to 256 characters.',
    ],
    [
      'get_campaign_health',
      { campaign_id: '' },
      'campaign_id',
      'campaign_id must be a string of 1 to 2048 characters.',
    ],
    [
      'get_drift_state',
      { window_days: 6 },
      'window_days',
      'window_days must be a whole number from 7 to 90.',
    ],
    ['get_action_audit_log', { limit: 101 }, 'limit', 'limit must be a whole number from 1 to 100.'],
    ['get_bandit_state', { tenant_id: 7 }, 'tenant_id', 'tenant_id must be a string of 1 to 128 characters.'],
    [
      'get_action_audit_log',
      { since: 'yesterday' },
      'since',
      'since must be an ISO 8601 date-time with offset, for example 2026-01-31T00:00:00Z.',
    ],
  ])('of %s are refused: %j', (tool, given, field, message) => {
    expect(check(tool, given)).toMatchObject({ field, message });
  });

  it.each([[[]], [['a', 7]], [['a', '']], [Array.from({ length: 101 }, () => 'a')], ['a'], [['a\0']]])(
    'names a list that is none, or too long, or holds what it must not: %j',
    (contact_ids) => {
      const fault = check('get_workflow_decisions', { contact_ids });
      expect(fault?.field).toBe('contact_ids');
      expect(fault?.message).toMatch(
        /^contact_ids must be a list of 1 to 100 strings of 1 to 256 characters/,
      );
    },
  );

  it('name the bounds of the field as a schema too', () => {
    expect(check('get_bandit_state', { top_n: 0 })?.expected).toMatchObject({ minimum: 1, maximum: 100 });
  });

  it('that do not exist are named, made visible and cut, with those that do', () => {
    const fault = check('get_drift_state', { [`ig\u202enore ${'x'.repeat(100)}`]: 1 });
    expect(fault?.field).toBe(`ignore ${'x'.repeat(57)}`);
    expect(fault?.message).toMatch(
      /is not an argument of get_drift_state. Arguments: channel, window_days, tenant_id\.$/,
    );
  });

  it('do not include __proto__ and constructor', () => {
    expect(check('get_bandit_state', JSON.parse('{"__proto__":{"top_n":1}}'))).toMatchObject({
      field: '__proto__',
    });
    expect(check('get_bandit_state', { constructor: 1 })).toMatchObject({ field: 'constructor' });
  });

  it.each([
    '2026-01-31T00:00:00Z',
    '2026-01-31T00:00Z',
    '2024-02-29T23:59:59.999+14:00',
    '2026-01-31t00:00:00z',
  ])('take the time %s', (since) => expect(check('get_action_audit_log', { since })).toBeUndefined());

  it.each([
    '2026-02-30T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '2026-01-31',
    '2026-01-31T00:00:00',
    '2026-01-31T24:00:00Z',
    '2026-01-31T23:59:60Z',
    '2026-01-31T00:00:00+23:59',
    '2026-01-31T00:00:00+14:01',
    '2026-W05-1T00:00:00Z',
  ])('refuse the time %s', (since) =>
    expect(check('get_action_audit_log', { since })).toMatchObject({ field: 'since' }),
  );
});
