import type { CohortTable } from '../src/cohorts/cohort-table';
import { analyseChannel, type ChannelFindings } from '../src/changes/analyse-channel';
import { historyOfCohorts } from '../src/changes/cohort-history';
import { settledShareOf, type SettledShare } from '../src/rates/settled-share';

/** What a first run finds in counts that name no campaign. */
export async function findingsOf(
  table: CohortTable,
  settledShare: SettledShare = settledShareOf(table),
): Promise<ChannelFindings[]> {
  const { observedUntil } = table;
  const inputs = { observedUntil, settledShare, inTime: () => 1, now: new Date(0), looks: true };
  const channels = [...new Set(table.channel.subarray(0, table.size))].sort((a, b) => a - b);
  const findings: ChannelFindings[] = [];
  for (const channel of channels)
    findings.push(await analyseChannel(historyOfCohorts(table, channel), inputs));
  return findings;
}
