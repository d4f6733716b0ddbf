import { Management, systemClock } from '@outcomes/platform';
import { WorkerMetrics } from './worker-metrics.service';

describe('what operators are told of the worker', () => {
  it('has everything that is counted by label from the start, so that an increase can be told from the first', async () => {
    const management = new Management('metrics-test');
    new WorkerMetrics(management, systemClock);
    const text = await management.registry.metrics();
    const counted = [
      ...text.matchAll(/^(outcomes_\w+_(?:total|count))\{.*?\b(?:result|state)="(\w+)".*\} (\d+)$/gm),
    ];
    expect(counted.map(([, name, label, count]) => `${name} ${label} ${count}`).sort()).toEqual([
      'outcomes_analysis_seconds_count failed 0',
      'outcomes_analysis_seconds_count succeeded 0',
      'outcomes_overdue_reanalyses_total queued 0',
      'outcomes_overdue_reanalyses_total run 0',
      'outcomes_sweep_companies_total nudged 0',
      'outcomes_sweep_companies_total processed 0',
    ]);
    await management.close();
  });
});
