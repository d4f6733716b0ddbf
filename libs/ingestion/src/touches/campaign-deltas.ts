import { CHANNELS, DAY_MS, MATURITY_DAYS, OUTCOMES, stepBucketOf } from '@outcomes/contracts';
import {
  CampaignCellCounts,
  CampaignDayCounts,
  campaignKeyOf,
  CampaignOutcomeCounts,
  CampaignTextCounts,
  dayNumberOf,
  fortnightOf,
  textShardOf,
} from '@outcomes/persistence';
import type { Touch } from './touch';

const RESPONDED = OUTCOMES.indexOf('responded');

/** Change of one row of packed counts. */
export interface PackedDelta<Counts> {
  /** The two parts of the row's key beside the company, in the order of the table's columns. */
  readonly key: readonly [number, number | string];
  readonly counts: Counts;
}

/** First day of a channel whose settled counts changed. */
export interface ChannelChange {
  /** index into CHANNELS */
  readonly channel: number;
  /** YYYY-MM-DD, of messages that came or went; null where none did */
  recountFrom: string | null;
  /** YYYY-MM-DD, of anything */
  readonly rescoreFrom: string;
}

/** Change of a campaign as such. */
export interface CampaignDelta {
  readonly campaign: number;
  readonly campaignId: string | null;
  touches: number;
}

/**
 * Whether a message was answered while its cohort was still to mature: what the tests take. A reply that came later
 * never enters them, whenever it is told of; one whose moment is not known does.
 */
export function isAnsweredInTime(touch: Touch): boolean {
  if (touch.outcome !== RESPONDED) return false;
  const days = MATURITY_DAYS[CHANNELS[touch.channel] ?? 'email'];
  return !touch.outcomeIsExact || touch.outcomeAtMs - touch.sentAtMs <= days * DAY_MS;
}

/** Which counts of a company are kept in step: not before stored history was folded by a version that keeps them. */
export interface KeptCounts {
  /** Of campaigns by outcome. */
  readonly countsOutcomes: boolean;
  /** Of campaigns by subject. */
  readonly countsSubjects: boolean;
}

/** Collects what touches that come and go mean for the counts by campaign. */
export class CampaignDeltas {
  private readonly byCampaign = new Map<string | null, CampaignRows>();
  /** Per channel, by day. */
  private readonly byDay: Map<string, CampaignDayCounts>[] = [];
  /** Of days that have been met: days since 1970-01-01, and the fortnights of those. */
  private readonly calendar = new Map<string, { readonly day: number; readonly fortnight: number }>();

  /**
   * @param isExpiry - whether messages leave because they have expired
   * @param kept - whether the counts by outcome and by subject are kept; of those that are not, nothing can be taken away
   */
  constructor(
    private readonly isExpiry = false,
    private readonly kept: KeptCounts = { countsOutcomes: true, countsSubjects: true },
  ) {}

  add(touch: Touch): void {
    this.count(touch, 1);
  }

  remove(touch: Touch): void {
    this.count(touch, -1);
  }

  /** Those whose counts change. */
  get campaigns(): readonly CampaignDelta[] {
    return this.rows.filter(
      ({ touches, fortnights, bodies, subjects }) =>
        touches !== 0 ||
        [...fortnights.values(), ...bodies.values(), ...subjects.values()].some(({ isEmpty }) => !isEmpty),
    );
  }

  get days(): readonly PackedDelta<CampaignDayCounts>[] {
    return this.byDay.flatMap((days, channel) => changed(channel, days));
  }

  /**
   * From which day on the ledger of changes and the arms' memory are to be looked through once more. Expired messages
   * leave both alone: what was learned from them stays, as rates and not as messages.
   */
  get channels(): readonly ChannelChange[] {
    const changes = new Map<number, ChannelChange>();
    if (this.isExpiry) return [];
    // Channels and their days ascend: the first day that is met is the earliest.
    for (const { key, counts } of this.days) {
      const [channel, day] = key as readonly [number, string];
      const change = changes.get(channel) ?? { channel, recountFrom: null, rescoreFrom: day };
      changes.set(channel, change);
      if (counts.changesTouches) change.recountFrom ??= day;
    }
    return [...changes.values()];
  }

  get cells(): readonly PackedDelta<CampaignCellCounts>[] {
    return this.rows.flatMap(({ campaign, fortnights }) => changed(campaign, fortnights));
  }

  get outcomes(): readonly PackedDelta<CampaignOutcomeCounts>[] {
    if (!this.kept.countsOutcomes) return [];
    return this.rows.flatMap(({ campaign, outcomes }) => changed(campaign, outcomes));
  }

  get texts(): readonly PackedDelta<CampaignTextCounts>[] {
    return this.rows.flatMap(({ campaign, bodies }) => changed(campaign, bodies));
  }

  get subjects(): readonly PackedDelta<CampaignTextCounts>[] {
    return this.rows.flatMap(({ campaign, subjects }) => changed(campaign, subjects));
  }

  /** In key order, so that concurrent writers would lock rows in the same order. */
  private get rows(): CampaignRows[] {
    return [...this.byCampaign.values()].sort((a, b) => a.campaign - b.campaign);
  }

  /** Once per message: rows are found without making keys. */
  private count(touch: Touch, sign: 1 | -1): void {
    const { channel, sequenceStep: step, position, levels, sentDay } = touch;
    const isReply = isAnsweredInTime(touch);
    const rows = this.rowsOf(touch.campaignId);
    rows.touches += sign;
    this.dayOf(channel, sentDay).add(rows.campaign, stepBucketOf(step), position, sign, isReply ? sign : 0);
    const { day, fortnight } = this.placeOf(sentDay);
    let cells = rows.fortnights.get(fortnight);
    if (cells === undefined) rows.fortnights.set(fortnight, (cells = new CampaignCellCounts()));
    cells.add({ channel, step, position, levels, variantId: touch.variantId, isReply }, sign);
    let outcomes = rows.outcomes.get(fortnight);
    if (outcomes === undefined) rows.outcomes.set(fortnight, (outcomes = new CampaignOutcomeCounts()));
    const { outcome, repliedAtMs, unsubscribedAtMs } = touch;
    const isRepliedAndUnsubscribed = repliedAtMs !== null && unsubscribedAtMs !== null;
    outcomes.add({ day, channel, step, position, outcome, isRepliedAndUnsubscribed }, sign);
    countText(rows.bodies, touch.textId, levels, sign);
    if (this.kept.countsSubjects && touch.subjectId !== null)
      countText(rows.subjects, touch.subjectId, levels, sign);
  }

  private rowsOf(campaignId: string | null): CampaignRows {
    let rows = this.byCampaign.get(campaignId);
    if (rows === undefined) {
      const campaign = campaignKeyOf(campaignId);
      const counts = { fortnights: new Map(), outcomes: new Map(), bodies: new Map(), subjects: new Map() };
      rows = { campaign, campaignId, touches: 0, ...counts };
      this.byCampaign.set(campaignId, rows);
    }
    return rows;
  }

  private dayOf(channel: number, sentDay: string): CampaignDayCounts {
    const days = (this.byDay[channel] ??= new Map<string, CampaignDayCounts>());
    let counts = days.get(sentDay);
    if (counts === undefined) days.set(sentDay, (counts = new CampaignDayCounts()));
    return counts;
  }

  private placeOf(sentDay: string): { readonly day: number; readonly fortnight: number } {
    let place = this.calendar.get(sentDay);
    if (place === undefined) {
      const day = dayNumberOf(sentDay);
      this.calendar.set(sentDay, (place = { day, fortnight: fortnightOf(day) }));
    }
    return place;
  }
}

/** Rows of a campaign, by the other part of their keys. */
interface CampaignRows extends CampaignDelta {
  readonly fortnights: Map<number, CampaignCellCounts>;
  readonly outcomes: Map<number, CampaignOutcomeCounts>;
  /** By shard, as are those of subjects. */
  readonly bodies: Map<number, CampaignTextCounts>;
  readonly subjects: Map<number, CampaignTextCounts>;
}

/** @param id - signed 32 bits */
function countText(
  shards: Map<number, CampaignTextCounts>,
  id: number,
  levels: readonly number[],
  sign: 1 | -1,
): void {
  const textId = id >>> 0;
  const shard = textShardOf(textId);
  let texts = shards.get(shard);
  if (texts === undefined) shards.set(shard, (texts = new CampaignTextCounts()));
  texts.add(textId, levels, sign);
}

/** Rows that change: what a message gained beside its counts, such as an opening, leaves them as they are. */
function changed<Key extends number | string, Counts extends { readonly isEmpty: boolean }>(
  first: number,
  rows: ReadonlyMap<Key, Counts>,
): PackedDelta<Counts>[] {
  return [...rows]
    .filter(([, counts]) => !counts.isEmpty)
    .sort(byKey)
    .map(([second, counts]) => ({ key: [first, second] as const, counts }));
}

function byKey<Key extends number | string>(
  [a]: readonly [Key, unknown],
  [b]: readonly [Key, unknown],
): number {
  return a < b ? -1 : 1;
}
