import { simulateCoverage } from './verify-arms';
import { simulateLedgerDelay, simulateScope } from './verify-change';
import { simulateContacts } from './verify-contact';
import { EvidenceSimulation, replayCompanies } from './evidence-simulation';
import {
  CAMPAIGN_SDS,
  rateByArms,
  simulateBounceDelay,
  simulateEasierAudience,
  simulateFalseCritical,
  simulateRateCoverage,
  simulateRatioCoverage,
} from './verify-health';
import { simulateLedgerRegret } from './verify-ledger-regret';
import { FAST, simulateMaturityBias, SLOW } from './verify-maturity';
import { exactValidity, MARGINS } from './verify-evidence-validity';
import { verifyDeterminism } from './verify-numerics';
import {
  AIMED,
  PLAIN,
  PLANTED,
  PLANTED_IN_CAMPAIGNS,
  simulateNoPreference,
  simulatePlantedPreferences,
  simulateRepliesForUnits,
  TEXTS_DIFFER,
  TEXTS_SUIT,
  weekForCampaign,
} from './verify-preferences';
import { fromStrongPrior, simulateOffPrior, simulateSmallSample, withoutSpread } from './verify-priors';

const evidence = new EvidenceSimulation();

// Small seeded slices of verify:statistics. Limits are the acceptance limits, widened only where so few
// runs cannot resolve them; the full run holds them as written.
describe('acceptance lines, in small seeded slices', () => {
  it('0: maturity weights remove the bias of young cohorts', () => {
    for (const tenant of [FAST, SLOW]) {
      const { naive, weighted } = simulateMaturityBias(tenant, 60, 6_000_000);
      expect(naive).toBeLessThan(-0.1);
      expect(Math.abs(weighted)).toBeLessThan(0.05);
    }
  });
  it('1: arms cover, plug-in empirical Bayes does not', () => {
    const result = simulateCoverage(25, 3_000_000);
    expect(result.average).toBeGreaterThan(0.93);
    expect(result.average).toBeLessThan(0.97);
    expect(result.rmseRatio).toBeLessThan(0.6);
    expect(result.identityError).toBeLessThan(1e-12);
    expect(result.plugInThreeArms).toBeLessThan(0.8);
  });
  it('2: texts that differ are no patterns, though messages as units would call them so', async () => {
    const world = { copy: 'template', campaignSd: 0.5, textSd: 0.8, sendsPerDay: 250, days: 112 } as const;
    const result = await evidence.claims(world, 2, 2_000_000);
    expect(result.falseConfirmed).toBe(0);
    expect(result.meanNullE - 3 * result.meanNullESe).toBeLessThanOrEqual(1);
    const units = await evidence.claims(world, 2, 2_000_000, { distance: 0 });
    expect(units.falseConfirmed).toBeGreaterThan(0.5);
  });
  it('2: an effect inside many texts is found, with its sign, and its siblings are not', async () => {
    const world = { campaignSd: 0.5, effects: { 'tone.4': 0.6 }, sendsPerDay: 250, days: 98 };
    const result = await evidence.claims(world, 4, 2_100_000);
    expect(result.power).toBeGreaterThanOrEqual(0.75);
    expect(result.wrongSign).toBe(0);
    expect(result.siblings).toBe(0);
    expect(result.everOutside).toBeLessThanOrEqual(0.05);
  });
  it('2: an effect that ended is retracted', async () => {
    const world = { effects: { 'tone.4': 0.7 }, sendsPerDay: 250, days: 168, until: 98 };
    expect((await evidence.change(world, 2, 2_200_000)).daysToRetract).toBeLessThanOrEqual(56);
  });
  it('2: companies are the same whoever replays them, and however they are divided', async () => {
    const world = { copy: 'template', sendsPerDay: 40, days: 84, effects: { 'tone.4': 1 } } as const;
    const divided = new EvidenceSimulation((kind, { seed, runs, ...own }) =>
      Array.from({ length: runs }, (_, run) => run)
        .toReversed()
        .flatMap((run) => replayCompanies(kind, { ...own, seed: seed + run, runs: 1 }))
        .toReversed(),
    );
    expect(await divided.claims(world, 2, 1)).toStrictEqual(await evidence.claims(world, 2, 1));
    expect(await divided.change(world, 2, 1)).toStrictEqual(await evidence.change(world, 2, 1));
    expect(await divided.variants(world, 2, 1)).toStrictEqual(await evidence.variants(world, 2, 1));
  });
  it('2: variants are compared inside their campaign', async () => {
    const world = { copy: 'template', campaigns: 6, running: 6, sendsPerDay: 250 } as const;
    const found = await evidence.variants({ ...world, variantEffect: 0.6 }, 2, 2_300_000);
    expect(found.found).toBeGreaterThanOrEqual(0.6);
    expect(found.wrongSign).toBe(0);
    expect((await evidence.variants(world, 2, 2_300_000)).falseConfirmed).toBe(0);
  });
  it('2: an e-value is as rarely large as it says, exactly', () => {
    for (const margins of MARGINS.slice(0, 5)) {
      const { markov, cappedMean } = exactValidity(margins);
      expect(markov).toBeLessThanOrEqual(1);
      expect(cappedMean).toBeLessThanOrEqual(1.1);
    }
  });
  it('3: guards trip rarely without and quickly with cause; an easier audience is no better campaign', () => {
    expect(simulateFalseCritical(150, 5_000_000)).toBeLessThanOrEqual(0.07);
    expect(simulateBounceDelay(150, 0.08, 5_200_000)).toBeLessThanOrEqual(150);
    expect(simulateBounceDelay(150, 0.15, 5_300_000)).toBeLessThanOrEqual(35);
    expect(simulateRatioCoverage(150, 5_350_000)).toBeGreaterThan(0.92);
    expect(simulateEasierAudience(100, 5_400_000).adjusted).toBeLessThanOrEqual(0.03);
  });
  it('3: reply rates of campaigns cover by the spread of campaigns, and not by that of arms', () => {
    for (const sd of CAMPAIGN_SDS) {
      const least = (coverages: readonly number[]) => Math.min(...coverages);
      expect(least(simulateRateCoverage(300, 5_500_000, sd))).toBeGreaterThan(0.88);
      expect(least(simulateRateCoverage(300, 5_500_000, sd, rateByArms))).toBeLessThan(0.5);
    }
  });
  it('4: the ledger is quick, and names whom a change concerns', () => {
    const plain = { sendsPerDay: 60, baseRate: 0.034, campaigns: 1, campaignsUnnamed: true };
    expect(simulateLedgerDelay(6, plain, -0.71, 4_100_000)).toBeLessThanOrEqual(2_200);
    // Whoever no longer reports replies, with 60 messages a day: ten days of them.
    expect(simulateLedgerDelay(6, plain, -12, 4_100_000)).toBeLessThanOrEqual(600);
    expect(simulateScope(4, { logOdds: -0.75 }, 4_200_000)).toEqual({ told: 4, right: 1 });
  });
  it('1: sends go to the best arm, with ledger and memory', () => {
    expect(simulateLedgerRegret(1, [], 3_100_000, 120)).toBeLessThan(0.5);
  });
  it('5: groups that prefer other messages are found, and no group where all are alike', () => {
    expect(simulateNoPreference(2, PLAIN, 30, 8_300_000)).toBe(0);
    expect(simulatePlantedPreferences(1, { ...PLANTED, days: 90 }, 8_400_000)).toBeGreaterThanOrEqual(0.8);
  });
  it('5: campaigns that differ are no segments, and hide none', () => {
    expect(simulateNoPreference(1, AIMED, 180, 8_600_000)).toBe(0);
    expect(simulateNoPreference(1, TEXTS_DIFFER, 120, 8_610_001)).toBe(0);
    expect(simulateNoPreference(1, TEXTS_DIFFER, 120, 8_610_001, weekForCampaign)).toBe(1);
    expect(simulateNoPreference(1, TEXTS_SUIT, 120, 8_620_003)).toBe(0);
    expect(simulateRepliesForUnits(1, TEXTS_SUIT, 8_620_003)).toBe(1);
    expect(
      simulatePlantedPreferences(1, { ...PLANTED_IN_CAMPAIGNS, days: 90 }, 8_700_000),
    ).toBeGreaterThanOrEqual(0.8);
  });
  it('6: contact probabilities are calibrated', () => {
    const { ours, oracleSkill } = simulateContacts(3, 10_000, 9_000_000);
    expect(Math.abs(ours.observedOverExpected - 1)).toBeLessThan(0.1);
    expect(Math.abs((ours.slope as number) - 1)).toBeLessThan(0.2);
    expect((ours.brierSkill as number) / oracleSkill).toBeGreaterThan(0.7);
  });
  it('7: borrowed priors let go', () => {
    expect(simulateOffPrior(200, 3, 100, 7_000_000)).toBeGreaterThanOrEqual(0.92);
    for (const mistaken of [fromStrongPrior, withoutSpread])
      expect(simulateOffPrior(200, 3, 100, 7_000_000, mistaken)).toBeLessThan(0.92);
    expect(simulateSmallSample(400, 10, 7_200_000)).toBeLessThanOrEqual(0.6);
  });
  it('8: a rerun changes no byte', () => {
    expect(verifyDeterminism().every(({ pass }) => pass)).toBe(true);
  });
});
