import type { ChangeScope, RateChange } from '@outcomes/contracts';
import { channelDrift, driftOf, rateChange } from '../../test/planted-drift';
import { trustIn } from '../frame/trust';
import type { CampaignCell } from '../touches/campaign.repository';
import { channelsOf, fallOf, ownChanges } from './campaign-falls';

const NOW = new Date('2026-02-01T06:00:00Z');
const cell = (parts: Partial<CampaignCell> = {}): CampaignCell => ({
  campaignId: 'spring',
  channel: 'email',
  sequenceStep: 0,
  position: 'vp',
  outcome: 'no_response',
  mature: true,
  inWindow: true,
  sinceChange: true,
  messages: 100,
  repliedAndUnsubscribed: 0,
  ...parts,
});
const trustAfter = (change: Partial<RateChange>) =>
  trustIn(
    driftOf([channelDrift({ changes: [rateChange(change)] }), channelDrift({ channel: 'linkedin' })]),
    NOW,
  );
const fellFor = (scope: ChangeScope, own: CampaignCell) =>
  fallOf('spring', [own], trustAfter({ scope })) !== undefined;

describe('a fall of replies', () => {
  it.each([
    [{ kind: 'channel', value: null }, cell(), true],
    [{ kind: 'channel', value: null }, cell({ channel: 'linkedin' }), false],
    [{ kind: 'channel', value: null }, cell({ inWindow: false }), false],
    [{ kind: 'campaign', value: 'spring' }, cell(), true],
    [{ kind: 'campaign', value: 'autumn' }, cell(), false],
    [{ kind: 'campaign', value: null }, cell(), false],
    [{ kind: 'position', value: 'vp' }, cell(), true],
    [{ kind: 'position', value: 'founder' }, cell(), false],
    [{ kind: 'step', value: 'first_touch' }, cell(), true],
    [{ kind: 'step', value: 'first_touch' }, cell({ sequenceStep: 3 }), false],
  ] as const)('of %p concerns %p: %p', (scope, own, concerned) => {
    expect(fellFor(scope, own)).toBe(concerned);
  });

  it.each<[ChangeScope]>([[{ kind: 'position', value: 'vp' }], [{ kind: 'step', value: 'first_touch' }]])(
    'of %p concerns a campaign that also writes to others',
    (scope) => {
      const own = [cell({ position: 'founder', sequenceStep: 5 }), cell()];
      expect(fallOf('spring', own, trustAfter({ scope }))).toBeDefined();
    },
  );

  it('of its own id is none where it sent nothing on the channel of late', () => {
    expect(fellFor({ kind: 'campaign', value: 'spring' }, cell({ channel: 'linkedin' }))).toBe(false);
  });

  it('is none where it was told long ago, though messages are too rare for a look', () => {
    const rare = { look_possible: false, settled_replies: 40 };
    const toldOn = (told_at: string) =>
      trustIn(driftOf([channelDrift({ ...rare, changes: [rateChange({ told_at })] })]), NOW);
    expect(fallOf('spring', [cell()], toldOn('2026-01-20'))).toBeDefined();
    expect(fallOf('spring', [cell()], toldOn('2025-06-01'))).toBeUndefined();
  });

  it('is none where replies rose, nor where it was told long ago', () => {
    expect(fallOf('spring', [cell()], trustAfter({ direction: 'up' }))).toBeUndefined();
    expect(fallOf('spring', [cell()], trustAfter({ told_at: '2025-12-01' }))).toBeUndefined();
  });

  it('is news while too few replies have settled since to rest on', () => {
    const relearning = trustIn(driftOf([channelDrift({ settled_replies: 3, changes: [rateChange()] })]), NOW);
    expect(relearning.posteriors_trustworthy).toBe(false);
    expect(fallOf('spring', [cell()], relearning)).toEqual(rateChange());
  });

  it('is news while too few days have settled since to look again', () => {
    const young = channelDrift({ look_possible: false, settled_replies: 3, changes: [rateChange()] });
    expect(fallOf('spring', [cell()], trustIn(driftOf([young]), NOW))).toEqual(rateChange());
    const never = channelDrift({ look_possible: false, settled_replies: 3 });
    expect(fallOf('spring', [cell()], trustIn(driftOf([never]), NOW))).toBeUndefined();
  });
});

describe("a campaign's own rates", () => {
  it('stand on both sides of the last change of its channels, of settled messages alone', () => {
    const own = [
      cell({ sinceChange: false, messages: 180 }),
      cell({ sinceChange: false, messages: 20, outcome: 'responded' }),
      cell({ messages: 95 }),
      cell({ messages: 5, outcome: 'responded' }),
      cell({ messages: 40, mature: false }),
      cell({ channel: 'linkedin' }),
    ];
    const [email, ...others] = ownChanges(own, trustAfter({}));
    expect(others).toEqual([]);
    expect(email).toMatchObject({ channel: 'email', since: '2026-01-05', direction: 'down' });
    expect([email?.before.n, email?.after.n]).toEqual([200, 100]);
    expect(email?.before.value).toBeCloseTo(0.1, 2);
    expect(email?.after.value).toBeCloseTo(0.054, 2);
    expect(ownChanges([cell({ channel: 'linkedin' })], trustAfter({}))).toEqual([]);
  });
});

describe('channels of a campaign', () => {
  it('are those of its window, or all where it sent nothing in it', () => {
    const old = cell({ channel: 'linkedin', inWindow: false });
    expect(channelsOf([cell(), old])).toEqual(['email']);
    expect(channelsOf([old])).toEqual(['linkedin']);
    expect(channelsOf([])).toEqual([]);
  });
});
