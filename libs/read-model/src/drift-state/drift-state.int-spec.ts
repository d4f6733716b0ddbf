import { randomUUID } from 'node:crypto';
import type { ChangeScope } from '@outcomes/contracts';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { channelDrift, driftOf, lateReplies, rateChange } from '../../test/planted-drift';
import { plantCohort, plantSnapshot } from '../../test/planted-rows';
import { openReadingDatabase, type ReadingDatabase } from '../../test/reading-database';
import { RunRepository } from '../runs/run.repository';
import { CohortRepository } from '../touches/cohort.repository';
import { addDays } from '../touches/day';
import { DriftStateService } from './drift-state.service';

describe('whether replies changed', () => {
  let database: ReadingDatabase;
  let service: DriftStateService;

  beforeAll(async () => {
    database = await openReadingDatabase();
    const { reader } = database;
    const clock = { now: () => new Date('2026-02-01T06:00:00Z') };
    service = new DriftStateService(new RunRepository(reader), new CohortRepository(reader), clock);
  });
  afterAll(() => database.close());

  const companyWith = async (...channels: Parameters<typeof driftOf>[0]) => {
    const scope = mintTenantScope(randomUUID());
    await plantSnapshot(database.owner, scope.companyId, 'drift', driftOf(channels));
    // What other answers read of the run has no ledger.
    await plantSnapshot(database.owner, scope.companyId, 'frame', { ...driftOf([]), analysed_at: null });
    return scope;
  };

  it('sets the newest settled days beside the year before them, channel by channel', async () => {
    const scope = await companyWith(
      channelDrift({ settled_through: '2026-01-17' }),
      channelDrift({ channel: 'linkedin', look_possible: false, settled_through: '2026-01-10' }),
    );
    const sent = { companyId: scope.companyId, touches: 10, replies: 1 };
    for (const cohort of [
      { ...sent, day: '2026-01-18', replies: 9 },
      { ...sent, day: '2026-01-17', replies: 2 },
      { ...sent, day: '2026-01-11' },
      { ...sent, day: '2026-01-10' },
      { ...sent, day: '2025-01-11' },
      { ...sent, day: '2025-01-10', replies: 9 },
      { ...sent, day: '2026-01-10', channel: 'linkedin' as const, replies: 0 },
    ])
      await plantCohort(database.owner, cohort);
    const { tests, summary } = await service.answer(scope, { window_days: 7 });
    expect(tests.map(({ channel, recent, reference }) => [channel, recent, reference])).toEqual([
      [
        'email',
        { from: '2026-01-11', to: '2026-01-17', n: 20, rate: 0.15 },
        { from: '2025-01-11', to: '2026-01-10', n: 20, rate: 0.1 },
      ],
      [
        'linkedin',
        { from: '2026-01-10', to: '2026-01-10', n: 10, rate: 0 },
        { from: null, to: null, n: 0, rate: null },
      ],
    ]);
    expect(summary).toMatch(/^1 channel looked at, 0 changes on record\. /);
    const usual = await service.answer(scope, {});
    expect(usual.tests[0]?.recent.from).not.toBe('2026-01-11');
  });

  it('takes replies that cannot have come yet for no difference of the newest days', async () => {
    // Of messages of the last settled day half of the replies have come, of those before it all.
    const late = channelDrift({
      settled_through: '2026-01-17',
      late_replies: lateReplies({ arrived: [0.5] }),
    });
    const scope = await companyWith(late);
    for (const [day, replies] of [
      ['2026-01-17', 1],
      ['2026-01-01', 2],
    ] as const)
      await plantCohort(database.owner, { companyId: scope.companyId, day, touches: 10, replies });
    const [test] = (await service.answer(scope, { window_days: 7 })).tests;
    expect([test?.recent, test?.reference]).toMatchObject([
      { n: 10, rate: 0.2 },
      { n: 10, rate: 0.2 },
    ]);
  });

  it.each([
    // A change among the recent days begins them; the days before go back to the change before that.
    ['2026-01-15', '2025-12-01', '2026-01-15', '2025-12-01'],
    // One before them ends how far back the reference goes.
    ['2026-01-05', '2025-12-01', '2026-01-11', '2026-01-05'],
    // One long ago changes nothing.
    ['2024-06-01', '2024-05-01', '2026-01-11', '2025-01-11'],
  ])(
    'compares no days from both sides of a change: %s after %s',
    async (since, before, recent, reference) => {
      const changes = [rateChange({ since: before }), rateChange({ since })];
      const scope = await companyWith(channelDrift({ settled_through: '2026-01-17', changes }));
      for (const first of [recent, reference])
        for (const day of [first, addDays(first, -1)])
          await plantCohort(database.owner, { companyId: scope.companyId, day, touches: 10, replies: 1 });
      const [test] = (await service.answer(scope, { window_days: 7 })).tests;
      expect([test?.recent.from, test?.reference.from]).toEqual([recent, reference]);
    },
  );

  it.each<[ChangeScope, string[]]>([
    [{ kind: 'channel', value: null }, []],
    [{ kind: 'campaign', value: 'spr\u200bing' }, ['campaign spring']],
    [{ kind: 'campaign', value: null }, ['no campaign']],
    [{ kind: 'position', value: 'vp' }, ['position vp']],
  ])('names what contributed: %j', async (scope, strata) => {
    const company = await companyWith(channelDrift({ changes: [rateChange({ scope })] }));
    const { tests, changes, summary } = await service.answer(company, {});
    expect(tests[0]?.contributing_strata).toEqual(strata);
    expect([tests[0]?.scope, changes[0]?.scope]).toEqual(
      Array(2).fill({ ...scope, value: scope.value?.replace('\u200b', '') ?? null }),
    );
    expect(summary).toContain('1 change on record');
  });

  it('has nulls where nothing ever changed, and no look before the first run', async () => {
    const [test] = (await service.answer(await companyWith(channelDrift()), {})).tests;
    expect(test).toMatchObject({
      ...{ direction: null, before: null, after: null, told_at: null, scope: null, contributing_strata: [] },
      ...{ since: null, first_detected_at: null, campaigns_merged: 0 },
    });
    const none = await service.answer(mintTenantScope(randomUUID()), {});
    expect([none.tests, none.changes]).toEqual([[], []]);
    expect(none.summary).toMatch(/^0 channels looked at, 0 changes on record\. /);
  });

  it('says so where the ledger is too long for a small answer, and nothing where it fits', async () => {
    const scope = { kind: 'campaign' as const, value: 'x'.repeat(256) };
    const changes = Array.from({ length: 20 }, (_, i) => rateChange({ scope, since: `2025-01-${10 + i}` }));
    const long = await service.answer(await companyWith(channelDrift({ changes })), {});
    expect(Buffer.byteLength(JSON.stringify(long))).toBeLessThan(8_192);
    expect(long.changes.length).toBeLessThan(20);
    expect(long.alerts).toContain('results_truncated');
    const short = await service.answer(await companyWith(channelDrift({ changes: changes.slice(0, 3) })), {});
    expect([short.changes.length, short.alerts.includes('results_truncated')]).toEqual([3, false]);
  });

  it('is that of one channel where it is asked for', async () => {
    const scope = await companyWith(channelDrift(), channelDrift({ channel: 'linkedin' }));
    const { tests } = await service.answer(scope, { channel: 'linkedin' });
    expect(tests.map(({ channel }) => channel)).toEqual(['linkedin']);
  });
});
