import { createLogger, Management } from '@outcomes/platform';
import type { TenantDatabase } from '@outcomes/tenancy';
import { AuditWriter } from './audit-writer.service';

describe('what operators are told of audit rows', () => {
  it('is none committed and none failed from the start, so that an increase can be told from the first', async () => {
    const management = new Management('metrics-test');
    new AuditWriter({} as TenantDatabase, createLogger('metrics-test', 'silent'), management);
    const metric = await management.registry.getSingleMetric('outcomes_audit_rows_total')?.get();
    expect(metric?.values.map(({ labels, value }) => [labels['result'], value])).toEqual([
      ['committed', 0],
      ['failed', 0],
    ]);
    await management.close();
  });
});
