import { randomUUID } from 'node:crypto';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { channelDrift, driftOf } from '../../test/planted-drift';
import { plantRun, plantSnapshot } from '../../test/planted-rows';
import { openReadingDatabase, type ReadingDatabase } from '../../test/reading-database';
import { RunRepository } from '../runs/run.repository';
import { CalibrationService } from './calibration.service';

const NOW = '2026-02-01T06:00:00.000Z';
const UNKNOWN = { value: null, ci_low: null, ci_high: null };
const about = (ci_low: number, ci_high: number) => ({ value: 1, ci_low, ci_high });
const SOUND = about(0.8, 1.2);

describe('how stated chances came out', () => {
  let database: ReadingDatabase;
  let service: CalibrationService;

  beforeAll(async () => {
    database = await openReadingDatabase();
    service = new CalibrationService(new RunRepository(database.reader), { now: () => new Date(NOW) });
  });
  afterAll(() => database.close());

  const ask = async (document: object) => {
    const scope = mintTenantScope(randomUUID());
    await plantRun(database.owner, scope.companyId, 'succeeded', NOW);
    await plantSnapshot(database.owner, scope.companyId, 'frame', driftOf([channelDrift()]));
    await plantSnapshot(database.owner, scope.companyId, 'calibration', {
      ...{ predictions: 400, observed_replies: 30, expected_replies: 28 },
      ...{ observed_over_expected: SOUND, calibration_slope: SOUND },
      ...document,
    });
    return service.answer(scope);
  };

  // Ten expected replies can conclude; an interval that touches 1 contradicts nothing.
  it.each([
    ['nothing of sound ones', {}, []],
    ['few predictions', { predictions: 29 }, ['small_sample']],
    [
      'too few expected',
      { expected_replies: 9.99, observed_over_expected: about(2, 3) },
      ['calibration_inconclusive'],
    ],
    [
      'ten expected that fail',
      { expected_replies: 10, observed_over_expected: about(2, 3) },
      ['predictions_off'],
    ],
    ['nothing of an interval from 1', { observed_over_expected: about(1, 3) }, []],
    ['nothing of an interval to 1', { observed_over_expected: about(0.2, 1) }, []],
    ['too many promised', { observed_over_expected: about(0.2, 0.99) }, ['predictions_off']],
    ['a slope alone that is off', { calibration_slope: about(0.2, 0.99) }, ['predictions_off']],
    ['nothing of what is unknown', { observed_over_expected: UNKNOWN, calibration_slope: UNKNOWN }, []],
    ['nothing of half an interval', { calibration_slope: { value: 1, ci_low: 2, ci_high: null } }, []],
    ['nothing of the other half', { calibration_slope: { value: 1, ci_low: null, ci_high: 0.5 } }, []],
  ])('alerts to %s', async (_what, document, alerts) => {
    expect((await ask(document)).alerts).toEqual(alerts);
  });

  it.each([
    [
      'all',
      {},
      '400 predictions settled: 30 replies came, 28 were expected (ratio 1.00, 95 % interval 0.80 to 1.20). The',
    ],
    [
      'what is unknown',
      { predictions: 1, observed_over_expected: UNKNOWN },
      '1 prediction settled: 30 replies came, 28 were expected (ratio unknown, 95 % interval unknown to unknown). The',
    ],
    [
      'what no message followed',
      { awaiting: { unfollowed: 1, open: 0, first_settles_on: null } },
      'Still open: 1 decision without a message since. The',
    ],
    [
      'what has not settled, with no day that is known',
      { awaiting: { unfollowed: 0, open: 1, first_settles_on: null } },
      'Still open: 1 message sent as advised and not settled. The',
    ],
    [
      'both, and when the first settles',
      { awaiting: { unfollowed: 2, open: 3, first_settles_on: '2026-02-09' } },
      'Still open: 2 decisions without a message since, 3 messages sent as advised and not settled (the first settles on 2026-02-09). The',
    ],
  ])('tells in a sentence: %s', async (_what, document, words) => {
    expect((await ask(document)).summary).toContain(words);
  });

  it('is all nulls and zeros before the first run', async () => {
    const answer = await service.answer(mintTenantScope(randomUUID()));
    expect(answer).toMatchObject({
      ...{ engine_version: '', window: { from: null, to: null, limit: 0 } },
      ...{ predictions: 0, expected_replies: 0, observed_replies: 0, observed_over_expected: UNKNOWN },
      ...{ brier_score: null, log_score: null, base_rate: null, brier_skill: null },
      interval_coverage: { groups: 0, covered: 0, share: null },
      ...{ calibration_slope: UNKNOWN, expected_calibration_error: null, reliability_bins: [], by_run: [] },
      patterns: { ever_confirmed: 0, retracted: 0, retracted_share: null },
      ...{ scope: 'company', data_as_of: null },
    });
    expect(answer.alerts).toEqual([
      'no_calibration_available',
      'drift_not_evaluated',
      'no_data_ingested_yet',
    ]);
    expect(answer.summary).toMatch(/^No frozen prediction has a settled outcome yet.*come true\. Do not act/);
  });
});
