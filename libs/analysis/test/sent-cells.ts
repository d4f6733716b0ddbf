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
  for (const ofDay of Map.groupBy(own, ({ day, channel }) => `${channel} ${day}`).values()) {
    const counts = new CampaignDayCounts();
    for (const { campaign, step, position, touches, replies } of ofDay)
      counts.add(keyOf(campaign), step, position, touches, replies);
    const [{ channel, day }] = ofDay as [SentCell];
    await database.query(
      'INSERT INTO campaign_days (company_id, channel, sent_day, counts) VALUES ($1, $2, $3, $4)',
      [scope.companyId, channel, isoDay(day), counts.encode()],
    );
  }
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
