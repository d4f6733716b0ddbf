import { LEVELS, type Channel, type ChannelVolume, type PatternEvidence } from '@outcomes/contracts';
import { channelDrift, driftOf, rateChange } from '../../test/planted-drift';
import { effectOn, gainOf, isOfIdle, isOfUse, kindOf, type Outlook } from './expected-gains';

const volume = (channel: Channel, counts: Readonly<Record<string, number>>): ChannelVolume => ({
  channel,
  messages: 1_000,
  levels: LEVELS.map((level) => counts[level] ?? 0),
});
const NO_DIRECT = { 'tone:professional': 1_000, 'weekday:monday': 1_000 };
const rate = (value: number | null) => ({ value, ci_low: value, ci_high: value, n: 900 });
const frameAt = (value: number | null, changes = [rateChange()]) =>
  driftOf([channelDrift({ rate: rate(value), changes })]);
const outlook = (fields: Partial<Outlook> = {}): Outlook => ({
  volumes: [volume('email', NO_DIRECT)],
  frame: frameAt(0.05),
  channel: undefined,
  ...fields,
});
const evidence = (fields: object = {}) =>
  ({
    ...{ odds_ratio: 2, odds_ratio_low: 1.5, odds_ratio_high: 3, odds_ratio_expected: 2 },
    with_rate: { value: 0.2, ci_low: 0.1, ci_high: 0.3, n: 70 },
    without_rate: { value: 0.1, ci_low: 0.05, ci_high: 0.2, n: 90 },
    ...fields,
  }) as PatternEvidence;
/** Of 5 %, at an odds ratio. */
const raised = (odds: number) => ((0.05 / 0.95) * odds) / (1 + (0.05 / 0.95) * odds);

it.each([
  ['CH-2', '2026-01-01', true],
  ['CH-2', '2026-01-02', false],
  ['CH-1', '2026-01-01', false],
  ['TA-1', '2026-01-01', false],
])('%s speaks of an idle channel where LinkedIn was last sent on on %s: %s', (code, last_sent_on, isIdle) => {
  const frame = driftOf([channelDrift(), channelDrift({ channel: 'linkedin', last_sent_on })]);
  expect(isOfIdle(code, frame, new Date('2026-02-01T06:00:00Z'))).toBe(isIdle);
});

// TA-1 is the direct tone, CH-2 a channel; DOW codes are days of the week.
describe('what advice is worth', () => {
  it('is the replies that all messages would bring that have it not', () => {
    const gain = gainOf('TA-1', evidence(), outlook());
    expect(gain).toMatchObject({ days: 30, messages: 1_000, share_with: 0 });
    expect(gain?.replies).toBeCloseTo(1_000 * (raised(2) - 0.05), 6);
    expect(gain?.ci_low).toBeCloseTo(1_000 * (raised(1.5) - 0.05), 6);
    expect(gain?.ci_high).toBeCloseTo(1_000 * (raised(3) - 0.05), 6);
    const all = [volume('email', { 'tone:direct': 1_000 })];
    expect(gainOf('TA-1', evidence(), outlook({ volumes: all }))).toMatchObject({
      replies: 0,
      share_with: 1,
    });
  });

  it('is nothing where no message has a word to say of it', () => {
    const volumes = [volume('email', { 'weekday:monday': 1_000 })];
    expect(gainOf('TA-1', evidence(), outlook({ volumes }))).toMatchObject({
      ...{ replies: 0, messages: 0, share_with: null },
    });
  });

  it('counts the replies of channels whose level is known, and the messages of all', () => {
    const volumes = [
      volume('email', NO_DIRECT),
      volume('linkedin', { 'tone:direct': 500, 'tone:empathetic': 500 }),
    ];
    const gain = gainOf('TA-1', evidence(), outlook({ volumes }));
    expect(gain).toMatchObject({ messages: 2_000, share_with: 0.25 });
    expect(gain?.replies).toBeCloseTo(1_000 * (raised(2) - 0.05), 6);
  });

  it.each<[string, string, PatternEvidence | undefined, Partial<Outlook>]>([
    ['the code is no pattern', 'XX-9', evidence(), {}],
    ['nothing was counted', 'TA-1', evidence(), { volumes: undefined }],
    ['there is no evidence', 'TA-1', undefined, {}],
    ['it says not what to expect', 'TA-1', evidence({ odds_ratio_expected: undefined }), {}],
    ['it has no lower end', 'TA-1', evidence({ odds_ratio_low: undefined }), {}],
    ['it has no upper end', 'TA-1', evidence({ odds_ratio_high: undefined }), {}],
    ['its odds are none', 'TA-1', evidence({ odds_ratio_low: 0 }), {}],
    ['no run has told of replies', 'TA-1', evidence(), { frame: undefined }],
    ['the frame is of an earlier version', 'TA-1', evidence(), { frame: {} as never }],
    ['the rate is not known', 'TA-1', evidence(), { frame: frameAt(null) }],
    ['a rate of nothing has no odds', 'TA-1', evidence(), { frame: frameAt(0) }],
    ['a rate of all has none either', 'TA-1', evidence(), { frame: frameAt(1) }],
  ])('is not known where %s', (_why, code, known, fields) => {
    expect(gainOf(code, known, outlook(fields))).toBeNull();
    expect(effectOn(code, known, outlook({ channel: 'email', ...fields }))).toBeUndefined();
  });
});

describe('the effect on one channel', () => {
  it('is at its own level of replies, since its last change', () => {
    const effect = effectOn('TA-1', evidence(), outlook({ channel: 'email' }));
    // Nobody is written to directly, so that the level is the rate without.
    expect(effect?.without_rate.value).toBeCloseTo(0.05, 9);
    expect(effect?.with_rate.value).toBeCloseTo(raised(2), 9);
    expect([effect?.with_rate.ci_low, effect?.with_rate.ci_high]).toEqual([
      expect.closeTo(raised(1.5), 9),
      expect.closeTo(raised(3), 9),
    ]);
    expect([effect?.with_rate.n, effect?.without_rate.n]).toEqual([70, 90]);
    expect([effect?.lift, effect?.lift_low, effect?.lift_high]).toEqual(
      [2, 1.5, 3].map((odds) => expect.closeTo(raised(odds) / 0.05 - 1, 9)),
    );
    expect(effect?.level_since).toBe('2026-01-05');
    const linkedin = channelDrift({ channel: 'linkedin', changes: [rateChange({ since: '2025-06-01' })] });
    const both = driftOf([linkedin, ...(frameAt(0.05).channels ?? [])]);
    const ofBoth = effectOn('TA-1', evidence(), outlook({ channel: 'email', frame: both }));
    expect(ofBoth?.level_since).toBe('2026-01-05');
    const unchanged = outlook({ channel: 'email', frame: frameAt(0.05, []) });
    expect(effectOn('TA-1', evidence(), unchanged)?.level_since).toBeNull();
  });

  it('has the higher rate without it where the odds are lower', () => {
    const volumes = [volume('email', { 'tone:direct': 500, 'tone:professional': 500 })];
    const { without_rate } = effectOn('TA-1', evidence(), outlook({ channel: 'email', volumes })) ?? {};
    expect(without_rate?.ci_low).toBeLessThan(without_rate?.value ?? 0);
    expect(without_rate?.ci_high).toBeGreaterThan(without_rate?.value ?? 1);
  });

  it('is that of all channels where none is asked for', () => {
    expect(effectOn('TA-1', evidence(), outlook())).toBeUndefined();
  });
});

describe('advice for one channel', () => {
  it.each<[string, string, Partial<Outlook>, boolean]>([
    ['its messages are of the kind', 'TA-1', {}, true],
    ['none of them is', 'TA-1', { volumes: [volume('email', { 'weekday:monday': 9 })] }, false],
    ['nothing was counted', 'TA-1', { volumes: undefined }, true],
    ['it is to leave the channel', 'CH-2', { volumes: [volume('email', { 'channel:email': 9 })] }, false],
    ['it is to leave a channel, and none is asked for', 'CH-2', { channel: undefined }, true],
    ['the code is no pattern of today', 'XX-9', {}, true],
  ])('where %s (%s)', (_where, code, fields, use) => {
    expect(isOfUse(code, outlook({ channel: 'email', ...fields }))).toBe(use);
  });

  it.each([
    ['TA-1', 'content'],
    ['DOW-1', 'timing'],
    ['CH-2', 'channel'],
    ['XX-9', 'content'],
  ])('by %s is about %s', (code, kind) => {
    expect(kindOf(code)).toBe(kind);
  });
});
