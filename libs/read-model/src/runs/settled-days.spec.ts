import { channelDrift, driftOf, lateReplies, rateChange } from '../../test/planted-drift';
import { dueOf, lastDayOf, settledDays } from './settled-days';

describe('settled days', () => {
  it('are those of the run, channel by channel, since its last two changes', () => {
    const changes = ['2025-06-01', '2025-10-01', '2026-01-05'].map((since) => rateChange({ since }));
    const drift = driftOf([channelDrift({ settled_through: '2026-01-15', changes })]);
    expect(settledDays(drift, '2026-01-31')).toEqual([
      { channel: 'email', through: '2026-01-15', since: '2026-01-05', sinceBefore: '2025-10-01' },
      { channel: 'linkedin', through: '2026-01-10', since: undefined, sinceBefore: undefined },
    ]);
    const [email] = settledDays(driftOf([channelDrift({ changes: changes.slice(0, 1) })]), '2026-01-31');
    expect(email).toEqual({
      channel: 'email',
      through: '2026-01-17',
      since: '2025-06-01',
      sinceBefore: undefined,
    });
  });

  it('say how many of its replies a day has got, where many come late', () => {
    const [email, linkedin] = settledDays(
      driftOf([channelDrift({ late_replies: lateReplies() })]),
      '2026-01-31',
    );
    expect(email?.arrived).toEqual([0.4, 0.5, 0.8]);
    expect(linkedin?.arrived).toBeUndefined();
    expect([0, 2, 3].map((days) => dueOf(10, days, email ?? {}))).toEqual([4, 8, 10]);
    expect(dueOf(10, 0, linkedin ?? {})).toBeUndefined();
  });

  it.each([undefined, {}])('are two weeks, or three on LinkedIn, back where no run says: %j', (frame) => {
    expect(settledDays(frame, '2026-01-31').map(({ through }) => through)).toEqual([
      '2026-01-17',
      '2026-01-10',
    ]);
  });

  it.each([
    ['the newest outcome', '2026-01-20T23:00:00Z', '2026-01-25T00:00:00Z', '2026-01-19', '2026-01-20'],
    ['the newest message', '2026-01-20T23:00:00Z', '2026-01-25T00:00:00Z', '2026-01-21', '2026-01-21'],
    ['what was received last', null, '2026-01-25T00:00:00Z', '2026-01-19', '2026-01-25'],
    ['today', null, null, undefined, '2026-02-01'],
  ])('end with %s', (_what, outcome, received, sentOn, day) => {
    const at = (time: string | null) => (time === null ? null : new Date(time));
    const times = { newestOutcomeAt: at(outcome), dataAsOf: at(received) };
    const channels = sentOn === undefined ? [] : [channelDrift({ last_sent_on: sentOn })];
    expect(lastDayOf(times, { channels }, new Date('2026-02-01T06:00:00Z'))).toBe(day);
  });
});
