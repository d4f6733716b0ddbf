import { seededRng, type ChannelCounts } from '@outcomes/statistics';
import { channelWorld, type ChannelWorldSpec } from '@outcomes/statistics/testing';
import { atLeast, atMost, mustFail, type Check } from '@outcomes/statistics/verify';
import { countsOf, permuted, repeatedAfter, type SentDays } from './real-history';
import { ServedChannel, type ServingFaults } from './served-channel';

const SECTION = '4 ledger';
const YEARS_DAYS = 730;
const YEAR_DAYS = 365;

/** Changes that the document tells of a channel where nothing changes: all of them are false. */
async function alarmsIn(counts: ChannelCounts, lastDay: number, faults?: ServingFaults): Promise<number> {
  const { drift } = await new ServedChannel({ counts }, faults).serve(lastDay);
  return drift.changes.length;
}

/** Mean days between the changes that are told where nothing changes. At least one is counted. */
export async function simulateServedRunLength(
  runs: number,
  spec: Omit<ChannelWorldSpec, 'days'>,
  seed: number,
  faults?: ServingFaults,
): Promise<number> {
  let alarms = 0;
  for (let run = 0; run < runs; run += 1) {
    const { counts } = channelWorld({ ...spec, days: YEARS_DAYS }, seededRng(seed + run));
    alarms += await alarmsIn(counts, YEARS_DAYS - 1, faults);
  }
  return (runs * YEARS_DAYS) / Math.max(1, alarms);
}

/** Mean days between the changes that are told of a real history whose days stand in an order of chance. */
export async function simulatePermutedDays(runs: number, days: SentDays, seed: number): Promise<number> {
  let alarms = 0;
  for (let run = 0; run < runs; run += 1) {
    const order = permuted(days, YEARS_DAYS, seededRng(seed + run));
    alarms += await alarmsIn(countsOf(order), YEARS_DAYS - 1);
  }
  return (runs * YEARS_DAYS) / Math.max(1, alarms);
}

/**
 * How rarely the documents tell of a change where there is none.
 * @param real - days of a real history; undefined where it is not there
 */
export async function verifyRunLength(scale: number, real: SentDays | undefined): Promise<Check[]> {
  const runs = Math.max(4, Math.round(60 * scale));
  const line = async (
    claim: string,
    seed: number,
    spec: Partial<ChannelWorldSpec>,
    faults?: ServingFaults,
  ): Promise<Check> => {
    const days = await simulateServedRunLength(runs, { sendsPerDay: 250, ...spec }, seed, faults);
    return atLeast(SECTION, `days between false alarms: ${claim}`, days, YEAR_DAYS);
  };
  const campaigns = { campaignSd: 0.5 };
  const all = { campaignSd: 0.3, daySd: 0.3, recipientSd: 1 };
  return [
    await line('nothing differs, 60 sends a day', 4_000_000, { sendsPerDay: 60 }),
    await line('nothing differs, 250', 4_010_000, {}),
    await line('days sd .3, 250', 4_020_000, { daySd: 0.3 }),
    await line('campaigns sd .5, 60', 4_030_000, { ...campaigns, sendsPerDay: 60 }),
    await line('campaigns sd .5, 250', 4_040_000, campaigns),
    await line('campaigns and days sd .3, recipients sd 1, 250', 4_050_000, all),
    mustFail(
      await line('no campaign term, campaigns sd .5, 250', 4_040_000, campaigns, { noCampaignTerm: true }),
    ),
    ...(real === undefined ? [] : await realLines(Math.max(2, Math.round(20 * scale)), real)),
  ];
}

async function realLines(runs: number, real: SentDays): Promise<Check[]> {
  const between = await simulatePermutedDays(runs, real, 4_060_000);
  const again = repeatedAfter(real, YEAR_DAYS);
  const alarms = await alarmsIn(countsOf(again), YEAR_DAYS + 30);
  return [
    atLeast(SECTION, 'days between false alarms: eight days of real e-mails, permuted', between, YEAR_DAYS),
    atMost(SECTION, 'changes told of real e-mails and the same again a year later', alarms, 0),
  ];
}
