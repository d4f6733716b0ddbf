import { aroundDay, CHANNELS, type DriftDocument } from '@outcomes/contracts';
import { dayOf } from '../cohorts/days';

/** Since when replies have been what they are. */
export interface CurrentRegime {
  /**
   * First send day that tells of today: that of the channel's last change, or of its first message.
   * @param channel - index into CHANNELS
   */
  readonly from: (channel: number) => number;
  /** E.g. `email around 2026-01-05`; null where no channel has changed. */
  readonly changed: string | null;
}

export function currentRegime({ channels }: DriftDocument): CurrentRegime {
  const days = new Map(
    channels.map(({ channel, data_from }) => [CHANNELS.indexOf(channel), dayOf(data_from)]),
  );
  const changed = channels.flatMap(({ channel, changes }) => {
    const last = changes.at(-1);
    return last === undefined ? [] : [`${channel} ${aroundDay(last.since)}`];
  });
  return {
    from: (channel) => days.get(channel) ?? -Infinity,
    changed: changed.length > 0 ? changed.join(', ') : null,
  };
}
