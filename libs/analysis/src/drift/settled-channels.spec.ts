import type { ChannelDrift, DriftDocument } from '@outcomes/contracts';
import { dayOf } from '../cohorts/days';
import { observedUntil, settledChannels } from './settled-channels';

const drift = (...channels: readonly Partial<ChannelDrift>[]) => ({ channels }) as unknown as DriftDocument;
const channel = (name: ChannelDrift['channel'], parts: Partial<ChannelDrift>) => ({
  ...{ channel: name, data_from: '2026-01-05', looked_through: null },
  ...parts,
});

describe('the channels of which something has settled', () => {
  it('are those of the newest run, each with the days that count', () => {
    const [email, linkedin] = [
      channel('email', { settled_through: '2026-05-16', looked_through: '2026-05-10' }),
      channel('linkedin', { settled_through: '2026-05-01', data_from: '2026-02-02' }),
    ];
    expect(settledChannels(drift(linkedin, email))).toEqual([
      { channel: 1, dataFrom: dayOf('2026-02-02'), settledThrough: dayOf('2026-05-01'), settleDays: 21 },
      { channel: 0, dataFrom: dayOf('2026-01-05'), settledThrough: dayOf('2026-05-16'), settleDays: 14 },
    ]);
    expect(settledChannels(undefined)).toEqual([]);
  });

  it('are of documents of earlier versions as far as these looked', () => {
    const earlier = channel('email', { looked_through: '2026-05-10' });
    expect(settledChannels(drift(earlier))).toMatchObject([{ settledThrough: dayOf('2026-05-10') }]);
    expect(settledChannels(drift(channel('email', {})))).toEqual([]);
  });

  it('have settled where many replies come later when these have come', () => {
    const late_replies = { settle_days: 14, share: 0.5, complete_through: '2026-04-01', arrived: [0.5] };
    const found = settledChannels(drift(channel('email', { settled_through: '2026-05-16', late_replies })));
    expect(found).toMatchObject([{ settledThrough: dayOf('2026-04-01'), settleDays: 14 + 45 }]);
    expect(observedUntil(found)).toBe(dayOf('2026-05-30'));
  });

  it('say up to which day outcomes are known: that of the channel of which most is', () => {
    const settled = (name: ChannelDrift['channel'], settled_through: string) =>
      channel(name, { settled_through });
    const until = (...channels: readonly Partial<ChannelDrift>[]) =>
      observedUntil(settledChannels(drift(...channels)));
    expect(until(settled('email', '2026-05-16'))).toBe(dayOf('2026-05-30'));
    expect(until(settled('linkedin', '2026-05-16'))).toBe(dayOf('2026-06-06'));
    expect(until(settled('linkedin', '2026-05-01'), settled('email', '2026-05-16'))).toBe(
      dayOf('2026-05-30'),
    );
    expect(until()).toBeUndefined();
  });
});
