import type { ChannelCounts, LedgerChange } from '../drift';
import { seededRng } from '../random';
import { channelWorld, type ChannelWorld, type ChannelWorldSpec } from '../testing';

export const CHANGE_DAY = 150;
export const WATCHED_DAYS = 170;
/** Most changes are told by then. */
const FIRST_DAYS = 45;
/** A cut this long before the change is still the change's. */
const EARLY_CUT = 20;

/** The row that tells of the change on day 150, if there is one. */
const rowOf = <Row extends Pick<LedgerChange, 'since' | 'settledOn'>>(
  ledger: readonly Row[],
): Row | undefined =>
  ledger.find(({ since, settledOn }) => settledOn >= CHANGE_DAY && since >= CHANGE_DAY - EARLY_CUT);

/**
 * A world with a change on day 150, its ledger, and the row that tells of the change within 170 days, if there is one. Neither the world nor
 * its ledger depends on later days, so those follow only where nothing was told before them.
 */
export function watchChange<Row extends Pick<LedgerChange, 'since' | 'settledOn'>>(
  spec: Omit<ChannelWorldSpec, 'days'>,
  seed: number,
  replay: (counts: ChannelCounts, days: number) => readonly Row[],
): { readonly world: ChannelWorld; readonly ledger: readonly Row[]; readonly row: Row | undefined } {
  const watch = (watched: number) => {
    const days = CHANGE_DAY + watched;
    const world = channelWorld({ ...spec, days }, seededRng(seed));
    const ledger = replay(world.counts, days);
    return { world, ledger, row: rowOf(ledger) };
  };
  const first = watch(FIRST_DAYS);
  return first.row ? first : watch(WATCHED_DAYS);
}
