import { mintTenantScope } from '@outcomes/tenancy/mint';
import { frameOf } from './result-frame';

const NOW = new Date('2026-02-01T06:00:00.000Z');
const NEVER = {
  dataAsOf: null,
  analysedAt: null,
  newestOutcomeAt: null,
  lastRunFailed: false,
  hasEvents: false,
};

describe('what every answer begins with', () => {
  const scope = mintTenantScope('00000000-0000-4000-8000-000000000001');

  it('are whose it is and when it is of, and each alert once, that of its age last', () => {
    const at = (hour: number) => new Date(Date.UTC(2026, 0, 28, hour));
    const freshness = { ...NEVER, dataAsOf: at(1), analysedAt: at(2), newestOutcomeAt: at(3) };
    const alerts = ['small_sample', 'stale_data', 'small_sample'] as const;
    expect(frameOf(scope, 'campaign', freshness, NOW, 'Words.', alerts)).toEqual({
      ...{ schema_version: '1.0.0', tenant_id: scope.companyId, scope: 'campaign', summary: 'Words.' },
      alerts: ['small_sample', 'stale_data', 'stale_analysis'],
      as_of: '2026-02-01T06:00:00.000Z',
      data_as_of: '2026-01-28T01:00:00.000Z',
      analysed_at: '2026-01-28T02:00:00.000Z',
      newest_outcome_at: '2026-01-28T03:00:00.000Z',
    });
  });

  it('are nulls before the first run', () => {
    expect(frameOf(scope, 'company', NEVER, NOW, '', [])).toMatchObject({
      ...{ data_as_of: null, analysed_at: null, newest_outcome_at: null, alerts: ['no_data_ingested_yet'] },
    });
  });
});
