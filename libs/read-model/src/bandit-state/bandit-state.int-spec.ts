import { randomUUID } from 'node:crypto';
import { POSITIONS, type ArmRecord, type BanditStateQuery } from '@outcomes/contracts';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { channelDrift, driftOf } from '../../test/planted-drift';
import { plantRun, plantSnapshot } from '../../test/planted-rows';
import { openReadingDatabase, type ReadingDatabase } from '../../test/reading-database';
import { RunRepository } from '../runs/run.repository';
import { BanditStateService } from './bandit-state.service';

const RUN = '2026-02-01T00:00:00.000Z';
/** A well-known arm of the company's own; parts of it are changed. */
const arm = (position: ArmRecord['position'], parts: Partial<ArmRecord> = {}) => ({
  ...{ channel: 'email', position, alpha: 10, beta: 190, interval_target: 'next_30_days_mean_rate' },
  ...{ posterior_mean: 0.05, ci_low: 0.0244, ci_high: 0.084, forward_sd: 0.1, probability_best: 0.625 },
  ...{ data_source: 'live', observations: 900, own_data_share: 0.9 },
  last_outcome_at: '2026-01-31T12:00:00.000Z',
  ...parts,
});
const worse = (parts: Partial<ArmRecord> = {}) => arm('manager', { posterior_mean: 0.01, ...parts });

describe('the state of the arms', () => {
  let database: ReadingDatabase;
  let service: BanditStateService;

  beforeAll(async () => {
    database = await openReadingDatabase();
    const clock = { now: () => new Date('2026-02-01T06:00:00Z') };
    service = new BanditStateService(new RunRepository(database.reader), clock);
  });
  afterAll(() => database.close());

  const ask = async (
    arms: readonly object[],
    query: BanditStateQuery = {},
    refreshedAt = RUN,
    channels = [channelDrift()],
  ) => {
    const scope = mintTenantScope(randomUUID());
    await plantRun(database.owner, scope.companyId, 'succeeded', RUN);
    await plantSnapshot(database.owner, scope.companyId, 'frame', {
      ...driftOf(channels),
      analysed_at: RUN,
    });
    const prior = { source: 'platform', expected_rate: 0.04, mean: 0.05, concentration: 40 };
    await plantSnapshot(database.owner, scope.companyId, 'bandit', { prior, arms }, refreshedAt);
    return service.answer(scope, query);
  };

  it.each<[string, readonly object[], BanditStateQuery, readonly string[]]>([
    ['nothing of sound ones', [arm('vp'), worse()], {}, []],
    ['few outcomes of the best', [arm('vp', { observations: 29 }), worse()], {}, ['small_sample']],
    ['hardly any', [arm('vp', { observations: 9 })], {}, ['very_small_sample']],
    ['nothing of few outcomes of another', [arm('vp'), worse({ observations: 9 })], {}, []],
    ['history alone', [arm('vp', { data_source: 'migration' })], {}, ['migration_arms_only']],
    ['history in part', [arm('vp'), worse({ data_source: 'migration' })], {}, ['mixed_data_sources']],
    ['what is mostly borrowed', [arm('vp'), worse({ own_data_share: 0.499 })], {}, ['borrowed_prior']],
    ['nothing of half its own', [arm('vp', { own_data_share: 0.5 })], {}, []],
    [
      'those that are listed, and that there are more',
      [arm('vp'), worse({ own_data_share: 0.1, data_source: 'migration' })],
      { top_n: 1 },
      ['results_truncated'],
    ],
    ['no arm', [], {}, ['no_bandit_state_available']],
    [
      'no arm of an earlier version',
      [arm('vp', { interval_target: undefined })],
      {},
      ['no_bandit_state_available'],
    ],
  ])('alerts to %s', async (_what, arms, query, alerts) => {
    expect((await ask(arms, query)).alerts).toEqual(alerts);
  });

  it('tells of arms of a channel that was left idle that they are old', async () => {
    const linkedin = (posterior_mean: number) => arm('vp', { channel: 'linkedin', posterior_mean });
    const since = (last_sent_on: string) => [
      channelDrift(),
      channelDrift({ channel: 'linkedin', last_sent_on }),
    ];
    const best = await ask([linkedin(0.08), arm('vp')], {}, RUN, since('2026-01-01'));
    expect(best.summary).toContain(
      'the best of these with probability 62.5 %. Nothing has been sent on LinkedIn since 2026-01-01: its arms tell how it was then. ',
    );
    expect(best.alerts).toEqual(['channel_left_idle']);
    const behind = await ask([linkedin(0.01), arm('vp')], {}, RUN, since('2026-01-01'));
    expect(behind.summary).not.toContain('Nothing has been sent');
    expect(behind.alerts).toEqual(['channel_left_idle']);
    const emailAlone = await ask([linkedin(0.01), arm('vp')], { top_n: 1 }, RUN, since('2026-01-01'));
    expect(emailAlone.alerts).toEqual(['results_truncated']);
    const used = await ask([linkedin(0.08), arm('vp')], {}, RUN, since('2026-01-02'));
    expect(used.alerts).toEqual([]);
  });

  it('is summed up by the best', async () => {
    const answer = await ask([worse(), arm('vp')]);
    expect(answer.summary).toBe(
      '2 arms; the best mean is email to vp with a reply rate of 5.0 % (95 % interval 2.4 % to 8.4 %), ' +
        'the best of these with probability 62.5 %. The posteriors may be acted upon.',
    );
    expect(answer).toMatchObject({
      ...{ scope: 'company', arm_count: 2, position: null },
      prior: { source: 'platform', expected_rate: 0.04 },
    });
  });

  it('of a position is that of the bucket it means', async () => {
    const answer = await ask([arm('vp'), worse()], { position: 'Vice President of Sales' });
    expect([answer.position, answer.arms.map(({ position }) => position)]).toEqual(['vp', ['vp']]);
  });

  it('says which positions there are, where none matches', async () => {
    const arms = [arm('vp'), worse()];
    const known = POSITIONS.filter((position) => position === 'vp' || position === 'manager').join(', ');
    const none = await ask(arms, { position: 'founder' });
    expect(none.summary).toContain(`No arm matches; there are arms for ${known}.`);
    const unheardOf = await ask(arms, { position: 'blue' });
    expect(unheardOf).toMatchObject({ arm_count: 0, arms: [], position: null });
    expect(unheardOf.summary).toContain(
      `No arm matches: the position is no job title that is known, and none of ${POSITIONS.join(', ')}.`,
    );
    expect((await ask([])).summary).toMatch(/^No arm matches\. /);
  });

  it('has the outcomes that the arms were refreshed with since the run, and those of the run where they were not', async () => {
    const late = { last_outcome_at: '2026-02-01T03:00:00.000Z' };
    const refreshed = await ask([worse(late), arm('vp')], {}, '2026-02-01T04:00:00.000Z');
    expect(refreshed).toMatchObject({
      data_as_of: '2026-02-01T04:00:00.000Z',
      // What trust is judged by, in every answer alike.
      newest_outcome_at: '2026-01-31T20:00:00.000Z',
      analysed_at: RUN,
    });
    const before = { last_outcome_at: '2026-01-30T00:00:00.000Z' };
    expect(
      await ask([arm('vp', before), worse({ last_outcome_at: null })], {}, '2026-01-30T00:00:00.000Z'),
    ).toMatchObject({
      data_as_of: RUN,
      newest_outcome_at: '2026-01-31T20:00:00.000Z',
    });
  });

  it('is empty before the first run', async () => {
    expect(await service.answer(mintTenantScope(randomUUID()), {})).toMatchObject({
      ...{ arm_count: 0, prior: { source: null, expected_rate: null }, data_as_of: null },
      newest_outcome_at: null,
    });
  });
});
