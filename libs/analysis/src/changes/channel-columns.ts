import { NO_CAMPAIGN, type CampaignDayRow } from '@outcomes/persistence';
import { CampaignBundles } from './campaign-bundles';
import type { ChannelDays } from './channel-history';

const FIRST_ROOM = 1_024;

type Columns = readonly [Int32Array, Int32Array, Int32Array, Int32Array, Int32Array, Int32Array];

/** Collects counts in columns, which grow as they fill; campaigns get small indexes in the order of their first row. */
export class ChannelColumns {
  private room = FIRST_ROOM;
  private size = 0;
  private columns: Columns = [0, 0, 0, 0, 0, 0].map(() => new Int32Array(FIRST_ROOM)) as unknown as Columns;
  private readonly indexes = new Map<number, number>([[NO_CAMPAIGN, 0]]);
  private readonly bundles = new CampaignBundles();

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
    if (this.size === this.room) this.grow();
    const at = this.size++;
    const values = [day, position, step, this.indexOf(campaign), touches, replies];
    values.forEach((value, column) => {
      (this.columns[column] as Int32Array)[at] = value;
    });
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
    const campaign = indexes.map((index) => ranks[index] ?? 0);
    return {
      counts: { size: this.size, day, position, step, campaign, n, y },
      campaigns,
      merged: this.bundles.merged,
    };
  }

  private indexOf(campaign: number): number {
    let index = this.indexes.get(campaign);
    if (index === undefined) this.indexes.set(campaign, (index = this.indexes.size));
    return index;
  }

  private grow(): void {
    this.room *= 2;
    this.columns = this.columns.map((column) => {
      const longer = new Int32Array(this.room);
      longer.set(column);
      return longer;
    }) as unknown as Columns;
  }
}
