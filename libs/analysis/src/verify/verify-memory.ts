import type { ChannelWorldSpec } from '@outcomes/statistics/testing';
import { atLeast, atMost, between, mustFail, type Check } from '@outcomes/statistics/verify';
import { simulateCampaignGain } from './campaign-gain';
import {
  CHANGE_DAY,
  HALVING,
  halfLife30,
  served,
  simulateForward,
  simulateTrusted,
  window180,
  type Serve,
} from './forward-coverage';

const SECTION = '1 memory';
const AFTER = [30, 60, 185, 365].map((days) => CHANGE_DAY + days);
const MONTHS = [60, 120, 240, 365, 420];

/** Coverage forward of the arms in the documents of a run, and what it costs in width. */
export async function verifyMemory(scale: number): Promise<Check[]> {
  const runs = Math.max(4, Math.round(60 * scale));
  return [
    ...(await halvingLines(runs)),
    ...(await secondChangeLines(runs)),
    ...(await yearLines(runs)),
    ...(await scoreLines(runs)),
    ...(await faultLines(runs)),
    ...(await campaignLines(runs)),
  ];
}

async function halvingLines(runs: number): Promise<Check[]> {
  const checks: Check[] = [];
  const halvings = [
    { sendsPerDay: 60, limits: [0.72, 0.93, 0.93, 0.93] },
    { sendsPerDay: 250, limits: [0.93, 0.93, 0.93, 0.93] },
    { sendsPerDay: 1_000, limits: [0.93, 0.93, 0.93, 0.93] },
  ];
  for (const [place, { sendsPerDay, limits }] of halvings.entries()) {
    const spec = { sendsPerDay, changes: HALVING };
    const { coverage } = await simulateForward(runs, spec, AFTER, 1_000_000 + place * 1_000);
    coverage.forEach((share, i) => {
      const days = (AFTER[i] ?? 0) - CHANGE_DAY;
      const claim = `coverage of the next 30 days, ${days} days after a halving, ${sendsPerDay} a day`;
      checks.push(atLeast(SECTION, claim, share, limits[i] ?? 1));
    });
  }
  const trusted = await simulateTrusted(runs, 60, 1_030_000);
  return [...checks, atLeast(SECTION, 'coverage while a told change is trusted, 60 a day', trusted, 0.95)];
}

async function secondChangeLines(runs: number): Promise<Check[]> {
  const spec = { sendsPerDay: 250, changes: [...HALVING, { day: 260, logOdds: 0.75 }] };
  const { coverage } = await simulateForward(runs, spec, [275, 290], 1_010_000);
  const [soon = 0, later = 0] = coverage;
  return [
    atLeast(SECTION, 'coverage 15 days after a second change, 60 days after the first', soon, 0.75),
    atLeast(SECTION, 'coverage 30 days after it', later, 0.93),
  ];
}

async function yearLines(runs: number): Promise<Check[]> {
  const line = async (claim: string, seed: number, limit: number, spec: Partial<ChannelWorldSpec>) => {
    const { average } = await simulateForward(runs, { sendsPerDay: 250, ...spec }, MONTHS, seed);
    return atLeast(SECTION, `coverage over a year: ${claim}`, average, limit);
  };
  const mixed = { campaignSd: 0.3, daySd: 0.3, recipientSd: 1 };
  return [
    await line('steady, 60 a day', 1_020_000, 0.95, { sendsPerDay: 60 }),
    await line('steady, 250 a day', 1_021_000, 0.95, {}),
    await line('days sd .3', 1_022_000, 0.95, { daySd: 0.3 }),
    await line('campaigns sd .5, 60 a day', 1_023_000, 0.9, { campaignSd: 0.5, sendsPerDay: 60 }),
    await line('campaigns sd .5', 1_024_000, 0.9, { campaignSd: 0.5 }),
    await line('campaigns and days sd .3, recipients sd 1', 1_025_000, 0.93, mixed),
    await line('.4 logit a year', 1_026_000, 0.9, { trendPerYear: 0.4 }),
    await line('random walk of sd .5 a year', 1_027_000, 0.86, { walkSdPerYear: 0.5 }),
    await line('half a year imported without campaigns, campaigns sd .3', 1_028_000, 0.9, {
      campaignSd: 0.3,
      importedDays: 182,
    }),
  ];
}

async function scoreLines(runs: number): Promise<Check[]> {
  const line = async (
    claim: string,
    spec: Omit<ChannelWorldSpec, 'days'>,
    asOf: number,
    seed: number,
  ): Promise<Check> => {
    const [ours = 0] = (await simulateForward(runs, spec, [asOf], seed)).score;
    const [plain = 0] = (await simulateForward(runs, spec, [asOf], seed, halfLife30)).score;
    const words = `interval score over that of a half-life of 30 days: ${claim}`;
    return atMost(SECTION, words, ours / plain, 0.75);
  };
  return [
    await line('steady, 250 a day', { sendsPerDay: 250 }, 400, 1_040_000),
    await line('60 days after a halving', { sendsPerDay: 250, changes: HALVING }, 260, 1_041_000),
    await line('campaigns sd .5', { sendsPerDay: 250, campaignSd: 0.5 }, 400, 1_042_000),
  ];
}

async function faultLines(runs: number): Promise<Check[]> {
  const halving = async (claim: string, asOf: number, serve: Serve): Promise<Check> => {
    const spec = { sendsPerDay: 250, changes: HALVING };
    const { average } = await simulateForward(runs, spec, [asOf], 1_001_000, serve);
    return atLeast(SECTION, claim, average, 0.93);
  };
  const fewCampaigns = async (claim: string, serve: Serve): Promise<Check> => {
    const spec = { sendsPerDay: 250, campaigns: 2, campaignSd: 0.8 };
    return atLeast(
      SECTION,
      claim,
      (await simulateForward(runs, spec, [45, 60], 1_045_000, serve)).average,
      0.85,
    );
  };
  return [
    mustFail(await halving('no restart: coverage 30 days after a halving', 230, served({ noRestart: true }))),
    mustFail(await halving('the last 180 days as memory: coverage 60 days after a halving', 260, window180)),
    await fewCampaigns('two campaigns at a time, sd .8: coverage on days 45 and 60', served()),
    mustFail(await fewCampaigns('no campaign term: the same', served({ noCampaignTerm: true }))),
  ];
}

async function campaignLines(runs: number): Promise<Check[]> {
  const gain = (sendsPerDay: number, sd: number, seed: number): Promise<number> =>
    simulateCampaignGain(Math.ceil(runs / 2), sendsPerDay, sd, seed);
  const words = 'log-likelihood gain of chances inside campaigns';
  return [
    atLeast(SECTION, `${words}: sd .5, 60 a day`, await gain(60, 0.5, 1_050_000), 1.5),
    atLeast(SECTION, 'the same at 250 a day', await gain(250, 0.5, 1_051_000), 8),
    between(SECTION, 'the same where campaigns do not differ', await gain(250, 0, 1_052_000), -0.1, 0.1),
  ];
}
