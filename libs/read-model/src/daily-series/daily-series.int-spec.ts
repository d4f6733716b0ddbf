import { randomUUID } from 'node:crypto';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { channelDrift, driftOf } from '../../test/planted-drift';
import { plantCohort, plantSnapshot } from '../../test/planted-rows';
import { openReadingDatabase, type ReadingDatabase } from '../../test/reading-database';
import { RunRepository } from '../runs/run.repository';
import { DailySeriesService } from './daily-series.service';

describe('the daily series', () => {
  let database: ReadingDatabase;
  let series: DailySeriesService;

  beforeAll(async () => {
    database = await openReadingDatabase();
    const clock = { now: () => new Date('2026-02-01T06:00:00Z') };
    series = new DailySeriesService(database.reader, new RunRepository(database.reader), clock);
  });
  afterAll(() => database.close());

  it('has the send days of each channel with messages, a year back from the newest outcome', async () => {
    const { companyId, ...tenant } = mintTenantScope(randomUUID());
    const drift = driftOf([channelDrift({ settled_through: '2026-01-15' })], '2026-01-31T20:00:00.000Z');
    await plantSnapshot(database.owner, companyId, 'drift', drift);
    const sent = { companyId, touches: 10, replies: 1 };
    for (const cohort of [
      { ...sent, day: '2025-01-30' },
      { ...sent, day: '2025-01-31' },
      { ...sent, day: '2026-01-20' },
      { ...sent, day: '2026-01-20', step: 2, replies: 3 },
      { ...sent, day: '2026-01-05', channel: 'linkedin' as const },
      { ...sent, day: '2026-01-04', channel: 'linkedin' as const },
      { ...sent, companyId: randomUUID(), day: '2026-01-20' },
    ])
      await plantCohort(database.owner, cohort);
    expect(await series.of({ companyId, ...tenant })).toEqual({
      from: '2025-01-31',
      channels: [
        {
          channel: 'email',
          // The run's word.
          settledThrough: '2026-01-15',
          days: [
            { day: '2025-01-31', messages: 10, replies: 1 },
            { day: '2026-01-20', messages: 20, replies: 4 },
          ],
        },
        {
          channel: 'linkedin',
          // Three weeks before the newest outcome, where the run says nothing.
          settledThrough: '2026-01-10',
          days: [
            { day: '2026-01-04', messages: 10, replies: 1 },
            { day: '2026-01-05', messages: 10, replies: 1 },
          ],
        },
      ],
    });
  });

  it('has no channel of a company that has sent nothing, and ends today', async () => {
    expect(await series.of(mintTenantScope(randomUUID()))).toEqual({ from: '2025-02-01', channels: [] });
  });
});
