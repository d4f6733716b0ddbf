import { seededRng } from '@outcomes/statistics';
import { simulateCampaignGain } from './campaign-gain';
import { served, simulateForward, window180 } from './forward-coverage';
import { countsOf, permuted, repeatedAfter } from './real-history';
import { simulateServedRunLength } from './verify-run-length';
import { inWholeDays, simulateWatchBias, TENANTS, type YoungTenant } from './verify-watch';

// Small seeded slices of verify:statistics. Limits are the acceptance limits, widened only where so few runs cannot
// resolve them; the full run holds them as written.
describe('acceptance lines that are read from documents, in small seeded slices', () => {
  it('0: rates of a company of three days are those of its settled messages, whenever it sends', () => {
    const evening = TENANTS['3 days, sends 13 to 23, run at 02:00'] as YoungTenant;
    expect(Math.abs(simulateWatchBias(evening, 100, 6_200_000))).toBeLessThan(0.05);
    expect(simulateWatchBias(evening, 100, 6_200_000, inWholeDays)).toBeLessThan(-0.1);
  });
  it('1: intervals of the next 30 days hold after a change, and not without a restart', async () => {
    const halving = { sendsPerDay: 250, changes: [{ day: 120, logOdds: -0.75 }] };
    const { average } = await simulateForward(3, halving, [150, 200, 310], 1_001_000);
    expect(average).toBeGreaterThanOrEqual(0.9);
    const unaware = await simulateForward(3, halving, [150], 1_001_000, served({ noRestart: true }));
    expect(unaware.average).toBeLessThan(0.5);
    expect((await simulateForward(3, halving, [180], 1_001_000, window180)).average).toBeLessThan(0.5);
  });
  it('1: intervals of the next 30 days hold where campaigns and days differ', async () => {
    const effects = { sendsPerDay: 100, campaignSd: 0.3, daySd: 0.3, recipientSd: 1 };
    expect((await simulateForward(3, effects, [120, 240], 1_025_000)).average).toBeGreaterThanOrEqual(0.85);
  });
  it('1: chances inside campaigns are better where campaigns differ, and cost nothing where they do not', async () => {
    expect(await simulateCampaignGain(4, 250, 0.5, 1_051_000)).toBeGreaterThan(4);
    expect(Math.abs(await simulateCampaignGain(4, 250, 0, 1_052_000))).toBeLessThan(0.3);
  });
  it('4: documents tell of no change where there is none, though campaigns differ', async () => {
    const campaigns = { sendsPerDay: 60, campaignSd: 0.5 };
    expect(await simulateServedRunLength(4, campaigns, 4_030_000)).toBeGreaterThanOrEqual(365);
    const fault = { noCampaignTerm: true };
    const busy = { ...campaigns, sendsPerDay: 250 };
    expect(await simulateServedRunLength(2, busy, 4_040_000, fault)).toBeLessThan(365);
  });
});

describe('days of a real history', () => {
  const days = [3, 4, 8].map((day) => ({ day, cells: [{ campaign: 1, position: 0, n: day, y: 1 }] }));

  it('are put into other orders, each day as often as the others', () => {
    const order = permuted(days, 300, seededRng(2));
    expect(order.map(({ day }) => day)).toEqual(Array.from({ length: 300 }, (_, day) => day));
    const sends = order.map(({ cells }) => cells[0]?.n);
    for (const n of [3, 4, 8]) expect(sends.filter((some) => some === n)).toHaveLength(100);
    expect(
      new Set(
        sends
          .slice(0, 60)
          .join()
          .match(/\d,\d,\d/g),
      ).size,
    ).toBeGreaterThan(2);
  });

  it('are repeated so many days later', () => {
    const { day, n, size } = countsOf(repeatedAfter(days, 365));
    expect(size).toBe(6);
    expect([...day]).toEqual([0, 1, 5, 365, 366, 370]);
    expect([...n]).toEqual([3, 4, 8, 3, 4, 8]);
  });
});
