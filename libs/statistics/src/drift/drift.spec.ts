import { expit } from '../numerics/logistic';
import { drawBinomial, drawPoisson, seededRng } from '../random';
import {
  assessDrift,
  bestCut,
  cohortWeight,
  DRIFT_WINDOW_DAYS,
  type DriftCohort,
  driftThreshold,
  overallDrift,
} from '.';
import table from './drift-thresholds.json';

interface Plan {
  readonly days: number;
  readonly volume?: (day: number) => number;
  readonly shift?: (day: number) => number;
  readonly share?: (position: number, day: number) => number;
}

/** Two channels, three positions with very different rates, 90 sends a day. */
function company(
  { days, volume = () => 1, shift = () => 0, share = () => 1 / 3 }: Plan,
  seed: number,
): DriftCohort[] {
  const rng = seededRng(seed);
  return Array.from({ length: days }, (_, day) =>
    [0, 1].flatMap((channel) =>
      [0, 1, 2].map((position): DriftCohort => {
        const totalN = drawPoisson(rng, 45 * volume(day) * share(position, day));
        return {
          day: 100 + day,
          stratum: { channel, step: 0, position },
          totalN,
          totalY: drawBinomial(rng, totalN, expit(-3.5 + position + shift(day))),
        };
      }),
    ),
  ).flat();
}

describe('assessDrift names what changed', () => {
  it('over all alone, and without what lies before the window, as over all and the channels', () => {
    const cohorts = company({ days: 240 }, 33);
    const newest = cohorts.at(-1)?.day ?? 0;
    const inWindow = cohorts.filter(({ day }) => day > newest - DRIFT_WINDOW_DAYS);
    expect(inWindow.length).toBeLessThan(cohorts.length);
    const { overall } = assessDrift({ cohorts });
    expect(overallDrift({ cohorts })).toEqual(overall);
    expect(overallDrift({ cohorts: inWindow })).toEqual(overall);
  });

  it('nothing: no kind, no since, trustworthy', () => {
    const { overall, channels } = assessDrift({ cohorts: company({ days: 120 }, 31) });
    expect(overall).toMatchObject({
      kind: 'none',
      direction: null,
      since: null,
      before: null,
      posteriorsTrustworthy: true,
    });
    expect(overall.statistic).toBeLessThan(overall.threshold);
    expect(channels.map(({ channel }) => channel)).toEqual([0, 1]);
  });
  it('a halved rate: kind rate, down, near its day, with intervals apart', () => {
    const { overall } = assessDrift({
      cohorts: company({ days: 120, shift: (d) => (d >= 70 ? -1 : 0) }, 32),
    });
    expect(overall).toMatchObject({ kind: 'rate', direction: 'down', posteriorsTrustworthy: true });
    expect(Math.abs((overall.since as number) - 170)).toBeLessThanOrEqual(7);
    expect(overall.after.high).toBeLessThan(overall.before?.low as number);
    expect(overall.strata.length).toBeGreaterThan(0);
  });
  it('a fresh rate drift leaves the posteriors untrustworthy', () => {
    const { overall } = assessDrift({
      cohorts: company({ days: 100, shift: (d) => (d >= 98 ? 2.5 : 0) }, 33),
    });
    expect(overall).toMatchObject({ kind: 'rate', direction: 'up', posteriorsTrustworthy: false });
  });
  it('another audience at unchanged rates: kind mix, not rate, trustworthy', () => {
    const { overall } = assessDrift({
      cohorts: company(
        { days: 120, share: (p, d) => (d >= 60 ? [0.1, 0.2, 0.7] : [0.5, 0.3, 0.2])[p] as number },
        34,
      ),
    });
    expect(overall).toMatchObject({ kind: 'mix', direction: 'up', posteriorsTrustworthy: true });
    expect(overall.signals.rate).toBeLessThan(1);
    expect(Math.abs((overall.since as number) - 160)).toBeLessThanOrEqual(3);
  });
  it('half the sends: kind volume, down', () => {
    const { overall } = assessDrift({
      cohorts: company({ days: 120, volume: (d) => (d >= 80 ? 0.45 : 1) }, 35),
    });
    expect(overall).toMatchObject({ kind: 'volume', direction: 'down', posteriorsTrustworthy: true });
  });
  it('quiet weekends are no drift', () => {
    const { overall } = assessDrift({
      cohorts: company({ days: 119, volume: (d) => (d % 7 >= 5 ? 0.1 : 1.2) }, 36),
    });
    expect(overall.kind).toBe('none');
  });
  it('gives the same bytes again and does not depend on how a day is split', () => {
    const cohorts = company({ days: 90 }, 37);
    const split = cohorts
      .flatMap((c) =>
        c.totalN > 2
          ? [
              { ...c, totalN: c.totalN - 1 },
              { ...c, totalN: 1, totalY: 0 },
            ]
          : [c],
      )
      .filter((c) => c.totalY <= c.totalN);
    const whole =
      split.length === cohorts.length
        ? cohorts
        : cohorts.filter((c) => !(c.totalN > 2 && c.totalY > c.totalN - 1));
    expect(JSON.stringify(assessDrift({ cohorts: split }))).toBe(
      JSON.stringify(assessDrift({ cohorts: whole })),
    );
  });
});

describe('edges', () => {
  it('no data is no drift, and no number is NaN', () => {
    const { overall, channels } = assessDrift({ cohorts: [] });
    expect(overall.kind).toBe('none');
    expect(channels).toEqual([]);
    expect(JSON.stringify(overall)).not.toContain('null,"high":null');
    for (const value of Object.values(overall.after)) expect(Number.isFinite(value)).toBe(true);
  });
  it('no alarm before the burn-in', () => {
    const cohorts = company({ days: 20, shift: (d) => (d >= 10 ? 3 : -2) }, 38);
    expect(assessDrift({ cohorts }).overall.kind).toBe('none');
  });
  it('thresholds rise with the wanted run length, at every calibrated rate', () => {
    for (const row of table.thresholds)
      row.slice(1).forEach((h, i) => expect(h).toBeGreaterThan(row[i] as number));
    expect(driftThreshold(2, 250)).toBeGreaterThan(driftThreshold(2, 180));
    expect(() => driftThreshold(2, 10)).toThrow(expect.objectContaining({ code: 'range' }));
  });
  it('the cut splits where the rate changes', () => {
    expect(bestCut([1, 0, 1, 1, 6, 7, 5], [1, 1, 1, 1, 1, 1, 1]).cut).toBe(4);
    expect(bestCut([0, 0], [1, 1])).toEqual({ statistic: 0, cut: 0 });
  });
  it('weights fall by age and by drift', () => {
    expect(cohortWeight(10, 20, null)).toBeCloseTo(0.995 ** 10, 12);
    expect(cohortWeight(10, 20, 15)).toBe(0);
    expect(cohortWeight(15, 20, 15)).toBeCloseTo(0.995 ** 5, 12);
    expect(() => cohortWeight(21, 20, null)).toThrow(expect.objectContaining({ code: 'order' }));
  });
  const base: DriftCohort = { day: 2, stratum: { channel: 0, step: 0, position: 0 }, totalN: 2, totalY: 1 };
  it.each([
    ['order', [base, { ...base, day: 1 }]],
    ['count', [{ ...base, totalY: 3 }]],
    ['count', [{ ...base, totalN: NaN }]],
  ])('refuses bad cohorts: %s', (code, cohorts) => {
    expect(() => assessDrift({ cohorts })).toThrow(expect.objectContaining({ code }));
  });
});
