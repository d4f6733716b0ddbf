import { campaignFactor } from '../arms';
import { seededRng } from '../random';
import { channelWorld } from '../testing';
import { ServedChannel } from './served-channel';

/** Mean log-likelihood gain, per company, of the campaign factor over the next 30 days' replies of running campaigns. */
export function simulateCampaignFactor(
  runs: number,
  sendsPerDay: number,
  campaignSd: number,
  seed: number,
): number {
  const asOf = 360;
  let gain = 0;
  for (let run = 0; run < runs; run++) {
    const world = channelWorld({ days: 400, sendsPerDay, campaignSd }, seededRng(seed + run));
    const { arms, campaignVariance } = new ServedChannel(world).serve(asOf);
    const past = new Map<number, { y: number; expected: number }>();
    const future = new Map<number, { y: number; expected: number }>();
    const { counts } = world;
    for (let row = 0; row < counts.size; row++) {
      const day = counts.day[row] as number;
      if (day <= asOf - 60) continue;
      const into = day <= asOf ? past : future;
      const sums = into.get(counts.campaign[row] as number) ?? { y: 0, expected: 0 };
      into.set(counts.campaign[row] as number, sums);
      sums.y += counts.y[row] as number;
      sums.expected += (counts.n[row] as number) * (arms[counts.position[row] as number]?.mean as number);
    }
    for (const [campaign, { y, expected }] of future) {
      const known = past.get(campaign);
      if (!known || expected < 2) continue;
      const factor = campaignFactor(known.y, known.expected, campaignVariance);
      gain += y * Math.log(factor) - expected * (factor - 1);
    }
  }
  return gain / runs;
}
