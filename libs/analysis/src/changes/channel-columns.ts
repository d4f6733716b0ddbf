import { POSITIONS, STEP_BUCKETS } from '@outcomes/contracts';
import {
  CampaignDayCounts,
  campaignsOfDay,
  NO_CAMPAIGN,
  visitCampaignDay,
  type CampaignDayRow,
  type CampaignDayVisitor,
} from '@outcomes/persistence';
import { CampaignBundles, MOST_CAMPAIGNS_A_DAY } from './campaign-bundles';
import type { ChannelDays } from './channel-history';

const FIRST_ROOM = 1_024;
const STEPS = STEP_BUCKETS.length;

type Columns = readonly [Int32Array, Int32Array, Int32Array, Int32Array, Int32Array, Int32Array];

/** Collects counts in columns, which grow as they fill; campaigns get small indexes in the order of their first row. */
export class ChannelColumns implements CampaignDayVisitor {
  private room: number;
  private size = 0;
  private columns: Columns;
  private readonly indexes = new Map<number, number>([[NO_CAMPAIGN, 0]]);
  private readonly bundles = new CampaignBundles();
  /** Messages and replies of one campaign and day by position and step, in the order in which looks read them. */
  private readonly cellTouches = new Int32Array(POSITIONS.length * STEPS);
  private readonly cellReplies = new Int32Array(POSITIONS.length * STEPS);
  private lastCell = -1;
  /** Whose cells these are. */
  private day = 0;
  private key = NO_CAMPAIGN;

  /** @param room - rows to begin with */
  constructor(room = FIRST_ROOM) {
    this.room = room;
    this.columns = [0, 0, 0, 0, 0, 0].map(() => new Int32Array(room)) as unknown as Columns;
  }

  /** A row takes three bytes where it is stored, or more. @param days - all that are to be pushed */
  static ofEncoded(days: readonly { readonly day: number; readonly counts: Buffer }[]): ChannelColumns {
    const bytes = days.reduce((sum, { counts }) => sum + counts.length, 0);
    const columns = new ChannelColumns(Math.max(FIRST_ROOM, Math.ceil(bytes / 3)));
    for (const { day, counts } of days) columns.pushEncoded(day, counts);
    return columns;
  }

  /**
   * A day as it is stored.
   * @param day - since 1970-01-01, not before that of the day before
   * @param counts - of all campaigns of the day
   */
  pushEncoded(day: number, counts: Buffer): void {
    if (campaignsOfDay(counts) > MOST_CAMPAIGNS_A_DAY) {
      this.pushDay(day, [...CampaignDayCounts.decode(counts).rows()]);
      return;
    }
    this.day = day;
    visitCampaignDay(counts, this);
    this.pushCells();
  }

  campaign(campaign: number): void {
    this.pushCells();
    this.key = campaign;
  }

  cell(step: number, position: number, touches: number, replies: number): void {
    const cell = position * STEPS + step;
    this.cellTouches[cell] = touches;
    this.cellReplies[cell] = replies;
    if (cell > this.lastCell) this.lastCell = cell;
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
    const campaign = indexes.subarray(0, this.size).map((index) => ranks[index] ?? 0);
    return {
      counts: { size: this.size, day, position, step, campaign, n, y },
      campaigns,
      merged: this.bundles.merged,
    };
  }

  /** The cells of the campaign so far, which are then empty again. */
  private pushCells(): void {
    const { cellTouches, cellReplies, lastCell, day } = this;
    if (lastCell < 0) return;
    const index = this.indexOf(this.key);
    for (let cell = 0; cell <= lastCell; cell += 1) {
      const touches = cellTouches[cell] as number;
      if (touches === 0) continue;
      this.put(day, Math.floor(cell / STEPS), cell % STEPS, index, touches, cellReplies[cell] as number);
      cellTouches[cell] = 0;
      cellReplies[cell] = 0;
    }
    this.lastCell = -1;
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
    this.columns = this.columns.map((column) => {
      const longer = new Int32Array(this.room);
      longer.set(column);
      return longer;
    }) as unknown as Columns;
  }
}
