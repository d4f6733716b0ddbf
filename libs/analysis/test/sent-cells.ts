import { DAY_MS } from '@outcomes/contracts';
import { CampaignDayCounts } from '@outcomes/persistence';
import type { ChannelWorld } from '@outcomes/statistics/testing';
import type { TenantScope } from '@outcomes/tenancy';
import type { TestDatabase } from '@outcomes/testing';
import { isoDay } from '../src/cohorts/days';
import { keyOf } from './campaign-keys';
import { FIRST_DAY, storeRows, type PlannedRow } from './company-fixture';

export interface SentCell extends PlannedRow {
  readonly campaign: string;
}

type CampaignCell = Pick<PlannedRow, 'day' | 'channel' | 'step' | 'position' | 'touches' | 'replies'> & {
  readonly campaign: string | null;
};

/** Messages of a generated channel, from FIRST_DAY on. */
export function cellsOf(channel: number, counts: ChannelWorld['counts']): SentCell[] {
  return Array.from({ length: counts.size }, (_, row) =>
    cellOf(channel, {
      day: FIRST_DAY + (counts.day[row] ?? 0),
      step: counts.step[row] ?? 0,
      position: 1 + (counts.position[row] ?? 0),
      touches: counts.n[row] ?? 0,
      replies: counts.y[row] ?? 0,
      campaign: `campaign ${counts.campaign[row]}`,
    }),
  );
}

/** Counts them by cohort and by campaign, as ingestion does. */
export async function storeCells(
  database: TestDatabase,
  scope: TenantScope,
  own: readonly SentCell[],
): Promise<void> {
  await storeRows(database, scope, summed(own));
  await storeCampaignDays(database, scope, own);
}

/** Counts them by campaign. */
export async function storeCampaignDays(
  database: TestDatabase,
  { companyId }: TenantScope,
  own: readonly CampaignCell[],
): Promise<void> {
  const days = Map.groupBy(own, ({ day, channel }) => `${channel} ${isoDay(day)}`);
  const packed = [...days].map(([place, cells]) => {
    const counts = new CampaignDayCounts();
    for (const { campaign, step, position, touches, replies } of cells)
      counts.add(keyOf(campaign), step, position, touches, replies);
    return { place: place.split(' '), counts: counts.encode() };
  });
  await database.query(
    `INSERT INTO campaign_days (company_id, channel, sent_day, counts)
     SELECT $1, * FROM unnest($2::smallint[], $3::date[], $4::bytea[])`,
    [
      companyId,
      packed.map(({ place: [channel] }) => channel),
      packed.map(({ place: [, day] }) => day),
      packed.map(({ counts }) => counts),
    ],
  );
}

function cellOf(
  channel: number,
  cell: Pick<SentCell, 'day' | 'step' | 'position' | 'touches' | 'replies' | 'campaign'>,
): SentCell {
  return {
    ...cell,
    channel,
    bounces: 0,
    unsubscribes: 0,
    opens: 0,
    meetings: 0,
    streamed: 0,
    lastOutcomeAt: new Date((cell.day + 1) * DAY_MS),
    levelTouches: [],
    levelReplies: [],
    levelRandomized: [],
    hourTouches: [],
    hourReplies: [],
    replyDelays: [cell.replies],
  };
}

/** One row per day, channel, step and position: cohorts know no campaigns. */
function summed(of: readonly SentCell[]): PlannedRow[] {
  const groups = Map.groupBy(
    of,
    ({ day, channel, step, position }) => `${day} ${channel} ${step} ${position}`,
  );
  return [...groups.values()].map((group) => {
    const [first] = group as [SentCell];
    const total = (value: (cell: SentCell) => number) => group.reduce((sum, cell) => sum + value(cell), 0);
    const replies = total((cell) => cell.replies);
    return { ...first, touches: total((cell) => cell.touches), replies, replyDelays: [replies] };
  });
}
