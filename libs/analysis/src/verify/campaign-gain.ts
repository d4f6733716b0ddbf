import { CHANNELS, DAY_MS, POSITIONS } from '@outcomes/contracts';
import { contactDecider, seededRng } from '@outcomes/statistics';
import { channelWorld } from '@outcomes/statistics/testing';
import { campaignRecords } from '../arms/channel-campaigns';
import { decisionModel } from '../decisions/decision-model';
import { freezeDecision, storedModel } from '../decisions/freeze-decision';
import { campaignIdOf, ServedChannel } from './served-channel';

const AS_OF = 360;
/** Of campaigns that are about to end too little comes to tell. */
const LEAST_EXPECTED = 2;

/**
 * Mean log-likelihood gain per company, over the next 30 days' replies of the campaigns that go on running, of the
 * chances that decisions promise over those of the arms alone.
 */
export async function simulateCampaignGain(
  runs: number,
  sendsPerDay: number,
  campaignSd: number,
  seed: number,
): Promise<number> {
  let gain = 0;
  for (let run = 0; run < runs; run += 1) {
    const world = channelWorld({ days: 400, sendsPerDay, campaignSd }, seededRng(seed + run));
    const { bandit } = await new ServedChannel(world).serve(AS_OF);
    const chances = chancesUnder(bandit);
    const { counts } = world;
    const campaigns = new Map<number, { y: number; plain: number; inside: number }>();
    const known = new Set<number>();
    for (let row = 0; row < counts.size; row += 1) {
      const [day, campaign] = [counts.day[row] ?? 0, counts.campaign[row] ?? 0];
      if (day <= AS_OF) {
        if (day > AS_OF - 60) known.add(campaign);
        continue;
      }
      const sums = campaigns.get(campaign) ?? { y: 0, plain: 0, inside: 0 };
      campaigns.set(campaign, sums);
      const [plain, inside] = chances(campaign, counts.position[row] ?? 0);
      const n = counts.n[row] ?? 0;
      sums.y += counts.y[row] ?? 0;
      sums.plain += n * plain;
      sums.inside += n * inside;
    }
    for (const [campaign, { y, plain, inside }] of campaigns) {
      if (!known.has(campaign) || plain < LEAST_EXPECTED) continue;
      gain += y * (Math.log(inside) - Math.log(plain)) - (inside - plain);
    }
  }
  return gain / runs;
}

/** Chance of a reply of the arm alone and inside a campaign, as a frozen decision promises it. */
function chancesUnder(bandit: Parameters<typeof decisionModel>[0]) {
  const model = storedModel(decisionModel(bandit, [], []));
  const decide = contactDecider(model.model);
  const campaignOf = campaignRecords(bandit.campaigns ?? []);
  const cached = new Map<string, readonly [number, number]>();
  return (campaign: number, position: number): readonly [plain: number, inside: number] => {
    const key = `${campaign} ${position}`;
    const found = cached.get(key);
    if (found) return found;
    const [plain, inside] = [() => undefined, campaignOf].map((lookup) => {
      const { result } = freezeDecision('company', model, decide, lookup, {
        touchId: 'touch',
        contactId: 'contact',
        recipientHash: null,
        threadId: 'thread',
        campaignId: campaignIdOf(campaign),
        state: 'open',
        channel: CHANNELS[0],
        step: 0,
        position: POSITIONS[position] ?? 'unknown',
        sentAt: new Date((AS_OF - 10) * DAY_MS),
      });
      return (JSON.parse(result) as { probability: number }).probability;
    });
    const pair = [plain ?? Number.NaN, inside ?? Number.NaN] as const;
    cached.set(key, pair);
    return pair;
  };
}
