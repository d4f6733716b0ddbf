import type { Channel, PatternRecord } from '@outcomes/contracts';
import { ENGINE_VERSION, fitContactModel, type CampaignRecord } from '@outcomes/statistics';
import { banditOf } from '../../test/decision-fixture';
import { candidatesFor, decisionModel, stepFeatures, type StepCount } from './decision-model';

describe('the candidates for a position', () => {
  const bandit = banditOf('2026-02-01T00:00:00.000Z');
  const unused = {
    channels: [
      { channel: 'email', alpha: 3, beta: 97 },
      { channel: 'linkedin', alpha: 40, beta: 160 },
    ],
    company: { alpha: 2, beta: 38 },
  } as const;
  const candidatesOf = (...parts: readonly Partial<typeof bandit>[]) =>
    candidatesFor(
      decisionModel(Object.assign({}, bandit, ...parts) as typeof bandit, [], []),
      'director',
      'email',
      () => undefined,
    );

  it('start on a channel never used for it from what the channel tells of one more position', () => {
    expect(candidatesOf({ unused })).toEqual([
      { channel: 'email', alpha: 8, beta: 192, source: 'segment' },
      { channel: 'linkedin', alpha: 40, beta: 160, source: 'company' },
    ]);
  });

  it('start from the spread of all arms where the document of an earlier version knows no more', () => {
    expect(candidatesOf()[1]).toEqual({ channel: 'linkedin', alpha: 2, beta: 38, source: 'company' });
  });

  it('are those of the position where half of what is known of an arm is its own', () => {
    const shares = (share: number) => bandit.arms.map((arm) => ({ ...arm, own_data_share: share }));
    expect(candidatesOf({ arms: shares(0.5) })[0]?.source).toBe('segment');
    expect(candidatesOf({ arms: shares(0.49) })[0]?.source).toBe('company');
  });

  describe('of a company that has left a channel alone', () => {
    const asOf = { data_as_of: '2026-02-01T00:00:00.000Z' };
    const channelsFor = (current: Channel, ...lastSentOn: readonly [Channel, string][]) => {
      const uses = lastSentOn.map(([channel, last_sent_on]) => ({ channel, last_sent_on }));
      const model = decisionModel({ ...bandit, ...asOf, unused }, [], [], uses);
      return candidatesFor(model, 'vp', current, () => undefined).map(({ channel }) => channel);
    };

    it('have a channel while it was sent on in the last 30 days, and no longer', () => {
      expect(channelsFor('email', ['email', '2026-02-01'], ['linkedin', '2026-01-02'])).toEqual([
        'email',
        'linkedin',
      ]);
      expect(channelsFor('email', ['email', '2026-02-01'], ['linkedin', '2026-01-01'])).toEqual(['email']);
    });

    it('are the channel that the contact was written to on, where none in use has an arm', () => {
      const emailAlone = { arms: bandit.arms.filter(({ channel }) => channel === 'email') };
      const model = decisionModel(
        { ...bandit, ...asOf, ...emailAlone },
        [],
        [],
        [
          { channel: 'email', last_sent_on: '2025-11-01' },
          { channel: 'linkedin', last_sent_on: '2026-01-31' },
        ],
      );
      expect(candidatesFor(model, 'vp', 'linkedin', () => undefined)).toEqual([
        { channel: 'linkedin', alpha: 2, beta: 38, source: 'company' },
      ]);
    });

    it('are frozen with what was left out, and models of companies without such a channel stay as they are', () => {
      const uses = (last_sent_on: string) => [{ channel: 'linkedin', last_sent_on } as const];
      expect(decisionModel(bandit, [], [], uses('2025-11-20'))).toMatchObject({ idle: ['linkedin'] });
      expect(decisionModel(bandit, [], [], uses('2026-01-20'))).not.toHaveProperty('idle');
    });
  });

  it('have what is known of the campaign on each channel, and nothing where campaigns are alike', () => {
    const known: CampaignRecord = { replies: 3, expected: 2, variance: 0.1 };
    const candidates = candidatesFor(decisionModel(bandit, [], []), 'vp', 'email', (channel) =>
      channel === 'linkedin' ? known : undefined,
    );
    expect(candidates).toEqual([
      { channel: 'email', alpha: 10, beta: 190, source: 'segment' },
      { channel: 'linkedin', alpha: 12, beta: 188, source: 'segment', campaign: known },
    ]);
  });
});

describe('the model of a run', () => {
  const bandit = banditOf('2026-02-01T00:00:00.000Z');

  it('holds the arms as their documents have them, and what made it', () => {
    const model = decisionModel(bandit, [], []);
    expect(model).toMatchObject({
      ...{
        engine_version: ENGINE_VERSION,
        data_as_of: bandit.data_as_of,
        prior: bandit.prior,
        contact: null,
      },
      policy: { maxSteps: 8, minGapDays: 2, activeDays: 30 },
    });
    expect(model.arms[1]).toEqual({
      ...{ channel: 'linkedin', position: 'vp', alpha: 12, beta: 188, own_data_share: 0.9 },
    });
    expect(model).not.toHaveProperty('unused');
  });

  it('tells early and late follow-ups from a first message', () => {
    expect([0, 1, 2, 3].map(stepFeatures)).toEqual([
      [0, 0],
      [1, 0],
      [0, 1],
      [0, 1],
    ]);
  });

  it('learns from the steps of arms that there are, each held against its own', () => {
    const step = (own: Partial<StepCount>): StepCount => ({
      ...{ channel: 'email', position: 'vp', bucket: 1, touches: 500, replies: 40, ...own },
    });
    const steps = [
      step({ bucket: 0 }),
      step({}),
      step({ bucket: 2, replies: 10 }),
      step({ position: 'director', replies: 30 }),
      // There is no such arm.
      step({ channel: 'linkedin', position: 'director', replies: 400 }),
    ];
    expect(decisionModel(bandit, [], steps).contact).toEqual(
      fitContactModel([
        { armMean: 0.05, x: [0, 0], n: 500, y: 40 },
        { armMean: 0.05, x: [1, 0], n: 500, y: 40 },
        { armMean: 0.05, x: [0, 1], n: 500, y: 10 },
        { armMean: 0.04, x: [1, 0], n: 500, y: 30 },
      ]),
    );
  });

  it('plans with the patterns that are likely and make for more replies, of tone and time the strongest', () => {
    const pattern = (code: string, own: Partial<PatternRecord> = {}) =>
      ({ code, positive: true, tier: 2, ...own }) as PatternRecord;
    const { patterns } = decisionModel(
      bandit,
      [
        pattern('TA-3', { tier: 1 }),
        pattern('TA-2', { positive: false, tier: 3 }),
        { code: 'TA-4', tier: 2 } as PatternRecord,
        pattern('TA-5', { tier: 3 }),
        pattern('TA-1'),
        pattern('HOD-2'),
        pattern('DOW-4'),
        pattern('DOW-1'),
        // Which channel and which step are decided otherwise.
        pattern('CH-1', { tier: 3 }),
        pattern('gone'),
      ],
      [],
    );
    expect(patterns).toEqual({
      codes: ['TA-5', 'TA-1', 'HOD-2', 'DOW-4', 'DOW-1'],
      ...{ tone: 'questioning', daypart: 'morning', weekday: 'thursday' },
    });
    expect(decisionModel(bandit, [], []).patterns).toEqual({
      ...{ codes: [], tone: null, daypart: null, weekday: null },
    });
  });
});
