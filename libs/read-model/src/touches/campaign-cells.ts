import {
  CHANNELS,
  OUTCOMES,
  POSITIONS,
  type Channel,
  type Outcome,
  type Position,
} from '@outcomes/contracts';
import { campaignKeyOf, dayNumberOf, readOutcomeCounts, type OutcomeCount } from '@outcomes/persistence';
import { dueOf } from '../runs/settled-days';
import type { CampaignCell, CampaignSelection } from './campaign.repository';

/** More than there are: 0 to 50. */
const STEPS = 64;

/** A row of the counts of a campaign by send day and outcome. */
export interface KeptOutcomes {
  /** as campaignKeyOf says, in decimal digits */
  readonly campaign: string;
  /** in fortnights since 1970-01-01 */
  readonly fortnight: number;
  readonly counts: Buffer;
}

/**
 * Adds up what was counted by send day into cells of days that the selection does not tell apart.
 * @param kept - all rows of the campaigns of the selection
 */
export function cellsFrom(kept: readonly KeptOutcomes[], selection: CampaignSelection): CampaignCell[] {
  const idOf = new Map(selection.campaignIds.map((id) => [String(campaignKeyOf(id)), id]));
  const place = placing(selection);
  const dueFor = weighing(selection);
  return [...Map.groupBy(kept, ({ campaign }) => campaign)].flatMap(([campaign, rows]) => {
    const campaignId = idOf.get(campaign);
    if (campaignId === undefined) return [];
    const cells = new Map<number, Mutable<CampaignCell>>();
    for (const { fortnight, counts } of rows) {
      for (const one of readOutcomeCounts(fortnight, counts)) {
        const days = place(one);
        if (days === undefined) continue;
        const key = cellKeyOf(one, days);
        let cell = cells.get(key);
        if (cell === undefined) {
          cell = {
            ...{ campaignId, sequenceStep: one.step, ...namesOf(one), ...days },
            ...{ messages: 0, repliedAndUnsubscribed: 0 },
          };
          cells.set(key, cell);
        }
        cell.messages += one.messages;
        const due = dueFor(one);
        if (due !== undefined) cell.due = (cell.due ?? 0) + due;
        if (one.isRepliedAndUnsubscribed) cell.repliedAndUnsubscribed += one.messages;
      }
    }
    return [...cells.values()];
  });
}

/** A number, because a text for each of the counts of many campaigns would keep the process from all else. */
function cellKeyOf({ channel, step, position, outcome }: OutcomeCount, days: Days): number {
  const place = (days.mature ? 1 : 0) + (days.inWindow ? 2 : 0) + (days.sinceChange ? 4 : 0);
  return (((channel * STEPS + step) * POSITIONS.length + position) * OUTCOMES.length + outcome) * 8 + place;
}

/** What indexes stand for. */
export function namesOf({
  channel,
  position,
  outcome,
}: {
  readonly channel: number;
  readonly position: number;
  readonly outcome: number;
}): { channel: Channel; position: Position; outcome: Outcome } {
  return {
    channel: CHANNELS[channel] ?? 'email',
    position: POSITIONS[position] ?? 'unknown',
    outcome: OUTCOMES[outcome] ?? 'no_response',
  };
}

/** @returns what a count weighs by the share of its replies that has come; undefined where that is all of them */
function weighing({ settled }: CampaignSelection): (one: OutcomeCount) => number | undefined {
  const through = settled.map((days) => dayNumberOf(days.through));
  return ({ channel, day, messages }) => {
    const days = settled[channel];
    return days && dueOf(messages, Math.max(0, (through[channel] ?? day) - day), days);
  };
}

type Mutable<Object> = { -readonly [Key in keyof Object]: Object[Key] };
type Days = Pick<CampaignCell, 'mature' | 'inWindow' | 'sinceChange'>;

/** @returns how the send day of a count lies to the days of the selection; undefined where it is not selected at all */
function placing({ channel, from, to, settled }: CampaignSelection): (one: OutcomeCount) => Days | undefined {
  const [first, last] = [dayNumberOf(from), dayNumberOf(to)];
  const through = settled.map((days) => dayNumberOf(days.through));
  const since = settled.map((days) => (days.since === undefined ? -Infinity : dayNumberOf(days.since)));
  return (one) => {
    if (one.day > last || (channel !== undefined && CHANNELS[one.channel] !== channel)) return undefined;
    return {
      mature: one.day <= (through[one.channel] ?? -Infinity),
      inWindow: one.day >= first,
      sinceChange: one.day >= (since[one.channel] ?? -Infinity),
    };
  };
}
