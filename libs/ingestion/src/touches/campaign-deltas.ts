import { CHANNELS, MATURITY_DAYS, OUTCOMES, stepBucketOf } from '@outcomes/contracts';
import {
  CampaignCellCounts,
  CampaignDayCounts,
  campaignKeyOf,
  CampaignTextCounts,
  dayNumberOf,
  fortnightOf,
  textShardOf,
} from '@outcomes/persistence';
import type { Touch } from './touch';

const DAY_MS = 86_400_000;
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
  rescoreFrom: string;
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

/** Collects what touches that come and go mean for the counts by campaign. */
export class CampaignDeltas {
  private readonly byCampaign = new Map<string | null, CampaignDelta>();
  private readonly byDay = new Map<string, PackedDelta<CampaignDayCounts>>();
  private readonly byFortnight = new Map<string, PackedDelta<CampaignCellCounts>>();
  private readonly byText = new Map<string, PackedDelta<CampaignTextCounts>>();

  /** @param isExpiry - whether messages leave because they have expired */
  constructor(private readonly isExpiry = false) {}

  add(touch: Touch): void {
    this.count(touch, 1);
  }

  remove(touch: Touch): void {
    this.count(touch, -1);
  }

  get campaigns(): readonly CampaignDelta[] {
    return [...this.byCampaign.values()].sort((a, b) => a.campaign - b.campaign);
  }

  get days(): readonly PackedDelta<CampaignDayCounts>[] {
    return sorted(this.byDay);
  }

  /**
   * From which day on the ledger of changes and the arms' memory are to be looked through once more. Expired messages
   * leave both alone: what was learned from them stays, as rates and not as messages.
   */
  get channels(): readonly ChannelChange[] {
    const changes = new Map<number, ChannelChange>();
    if (this.isExpiry) return [];
    for (const { key, counts } of this.days) {
      const [channel, day] = key as readonly [number, string];
      const change = changes.get(channel) ?? { channel, recountFrom: null, rescoreFrom: day };
      changes.set(channel, change);
      if (day < change.rescoreFrom) change.rescoreFrom = day;
      const recount = counts.changesTouches && (change.recountFrom === null || day < change.recountFrom);
      if (recount) change.recountFrom = day;
    }
    return [...changes.values()].sort((a, b) => a.channel - b.channel);
  }

  get cells(): readonly PackedDelta<CampaignCellCounts>[] {
    return sorted(this.byFortnight);
  }

  get texts(): readonly PackedDelta<CampaignTextCounts>[] {
    return sorted(this.byText);
  }

  private count(touch: Touch, sign: 1 | -1): void {
    const { channel, sequenceStep: step, position, levels, variantId, sentDay } = touch;
    const isReply = isAnsweredInTime(touch);
    const { campaign } = this.countCampaign(touch.campaignId, sign);
    const day = rowOf(this.byDay, [channel, sentDay], () => new CampaignDayCounts());
    day.add(campaign, stepBucketOf(step), position, sign, isReply ? sign : 0);
    const fortnight = fortnightOf(dayNumberOf(sentDay));
    const cells = rowOf(this.byFortnight, [campaign, fortnight], () => new CampaignCellCounts());
    cells.add({ channel, step, position, levels, variantId, isReply }, sign);
    const textId = touch.textId >>> 0;
    const texts = rowOf(this.byText, [campaign, textShardOf(textId)], () => new CampaignTextCounts());
    texts.add(textId, levels, sign);
  }

  private countCampaign(campaignId: string | null, sign: 1 | -1): CampaignDelta {
    let delta = this.byCampaign.get(campaignId);
    if (delta === undefined) {
      delta = { campaign: campaignKeyOf(campaignId), campaignId, touches: 0 };
      this.byCampaign.set(campaignId, delta);
    }
    delta.touches += sign;
    return delta;
  }
}

function rowOf<Counts>(
  rows: Map<string, PackedDelta<Counts>>,
  key: readonly [number, number | string],
  make: () => Counts,
): Counts {
  const name = `${key[0]} ${key[1]}`;
  let row = rows.get(name);
  if (row === undefined) rows.set(name, (row = { key, counts: make() }));
  return row.counts;
}

/** In key order, so that concurrent writers would lock rows in the same order. */
function sorted<Counts>(rows: ReadonlyMap<string, PackedDelta<Counts>>): PackedDelta<Counts>[] {
  return [...rows.keys()].sort().map((name) => rows.get(name) as PackedDelta<Counts>);
}
