import {
  CampaignDayCounts,
  CampaignDayReader,
  campaignsOfDay,
  NO_CAMPAIGN,
  STEP_ROOM,
  type CampaignDayRow,
} from '@outcomes/persistence';
import { CampaignBundles, MAX_CAMPAIGNS_A_DAY } from './campaign-bundles';
import type { ChannelDays } from './channel-history';

const FIRST_ROOM = 1_024;

/** Day, position, step, campaign, sends and replies. */
type Columns = readonly [Int32Array, Uint8Array, Uint8Array, Int32Array, Int32Array, Int32Array];

/** Collects counts in columns, which grow as they fill; campaigns get small indexes in the order of their first row. */
export class ChannelColumns {
  private room: number;
  private size = 0;
  private columns: Columns;
  private indexes = new Map<number, number>([[NO_CAMPAIGN, 0]]);
  private bundles = new CampaignBundles();
  private readonly reader = new CampaignDayReader();

  /** @param room - rows to begin with */
  constructor(room = FIRST_ROOM) {
    this.room = room;
    this.columns = columnsOf(room);
  }

  /**
   * Begins anew, in the room that there is: what `finish` gave before is written over.
   * @param days - all that is to be in the columns
   */
  refill(days: readonly { readonly day: number; readonly counts: Buffer }[]): this {
    this.size = 0;
    this.indexes = new Map([[NO_CAMPAIGN, 0]]);
    this.bundles = new CampaignBundles();
    // A row takes three bytes where it is stored, or more.
    const rows = Math.ceil(days.reduce((sum, { counts }) => sum + counts.length, 0) / 3);
    if (rows > this.room) {
      this.room = rows;
      this.columns = columnsOf(rows);
    }
    for (const { day, counts } of days) this.pushEncoded(day, counts);
    return this;
  }

  /**
   * A day as it is stored.
   * @param day - since 1970-01-01, not before that of the day before
   * @param counts - of all campaigns of the day
   */
  pushEncoded(day: number, counts: Buffer): void {
    if (campaignsOfDay(counts) > MAX_CAMPAIGNS_A_DAY) {
      this.pushDay(day, [...CampaignDayCounts.decode(counts).rows()]);
      return;
    }
    this.reader.read(counts, (campaign, places) => this.putCells(day, campaign, places));
  }

  /**
   * A day's rows, the smallest campaigns of a day with very many of them counted together.
   * @param day - since 1970-01-01, not before that of the day before
   * @param rows - all of the day
   */
  pushDay(day: number, rows: readonly CampaignDayRow[]): void {
    for (const row of this.bundles.bundled(day, rows)) this.push(day, row);
  }

  /** @param day - since 1970-01-01, not before that of the row before */
  push(day: number, { campaign, step, position, touches, replies }: CampaignDayRow): void {
    this.put(day, position, step, this.indexOf(campaign), touches, replies);
  }

  finish(): ChannelDays {
    // Numbers are added up in the order of the indexes: with that of the keys, the same campaigns are added in the same
    // order whatever other days have been read, and sums agree to the last bit.
    const campaigns = [...this.indexes.keys()].sort((a, b) => a - b);
    const ranks = new Int32Array(campaigns.length);
    campaigns.forEach((campaign, rank) => {
      ranks[this.indexes.get(campaign) ?? 0] = rank;
    });
    const [day, position, step, indexes, n, y] = this.columns;
    const campaign = new Int32Array(this.size);
    for (let row = 0; row < campaign.length; row += 1)
      campaign[row] = ranks[indexes[row] as number] as number;
    return {
      counts: { size: this.size, day, position, step, campaign, n, y },
      campaigns,
      merged: this.bundles.merged,
    };
  }

  /**
   * The cells of a campaign as the reader holds them, which is the order in which looks read them. Written out in full:
   * half a year of a busy channel are half a million cells, and this is what a daily run does most.
   */
  private putCells(day: number, campaign: number, places: number): void {
    if (places === 0) return;
    while (this.size + places > this.room) this.grow();
    const { touches, replies } = this.reader;
    const [days, positions, steps, campaigns, n, y] = this.columns;
    const index = this.indexOf(campaign);
    let at = this.size;
    for (let place = 0, position = 0, step = 0; place < places; place += 1) {
      const sent = touches[place] as number;
      if (sent !== 0) {
        days[at] = day;
        positions[at] = position;
        steps[at] = step;
        campaigns[at] = index;
        n[at] = sent;
        y[at] = replies[place] as number;
        at += 1;
      }
      step += 1;
      if (step === STEP_ROOM) [step, position] = [0, position + 1];
    }
    this.size = at;
  }

  private put(
    day: number,
    position: number,
    step: number,
    campaign: number,
    touches: number,
    replies: number,
  ): void {
    if (this.size === this.room) this.grow();
    const at = this.size++;
    const [days, positions, steps, campaigns, n, y] = this.columns;
    days[at] = day;
    positions[at] = position;
    steps[at] = step;
    campaigns[at] = campaign;
    n[at] = touches;
    y[at] = replies;
  }

  private indexOf(campaign: number): number {
    let index = this.indexes.get(campaign);
    if (index === undefined) this.indexes.set(campaign, (index = this.indexes.size));
    return index;
  }

  private grow(): void {
    this.room = Math.max(FIRST_ROOM, 2 * this.room);
    const before = this.columns;
    this.columns = columnsOf(this.room);
    this.columns.forEach((column, at) => column.set(before[at] as Columns[number]));
  }
}

function columnsOf(room: number): Columns {
  return [
    new Int32Array(room),
    new Uint8Array(room),
    new Uint8Array(room),
    new Int32Array(room),
    new Int32Array(room),
    new Int32Array(room),
  ];
}
