import { NO_CAMPAIGN } from '@outcomes/persistence';
import type { CohortTable } from '../cohorts/cohort-table';
import { ChannelColumns } from './channel-columns';
import { NEW_CHANNEL, type ChannelHistory } from './channel-history';

/** Counts without campaigns, and without those replies apart that came late. */
export function historyOfCohorts(table: CohortTable, channel: number): ChannelHistory {
  const rows = Array.from({ length: table.size }, (_, row) => row).filter(
    (row) => table.channel[row] === channel,
  );
  return {
    channel,
    firstDay: table.day[rows[0] ?? 0] ?? 0,
    state: NEW_CHANNEL,
    ledger: [],
    isKept: false,
    days: (from, to) => {
      const columns = new ChannelColumns();
      for (const row of rows) {
        const { day: sentDay, step, position, touches, replies } = table.cellsAt(row);
        if (sentDay < from || sentDay > to) continue;
        columns.push(sentDay, { campaign: NO_CAMPAIGN, step, position, touches, replies });
      }
      return Promise.resolve(columns.finish());
    },
    campaignIdOf: () => Promise.resolve(null),
  };
}
