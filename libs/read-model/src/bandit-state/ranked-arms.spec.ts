import type { ArmRecord } from '@outcomes/contracts';
import { bestArmProbabilities, widen, type BetaShape } from '@outcomes/statistics';
import { rankedArms } from './bandit-state.service';

const arm = (channel: ArmRecord['channel'], position: ArmRecord['position'], alpha: number, beta: number) =>
  ({
    channel,
    position,
    alpha,
    beta,
    posterior_mean: alpha / (alpha + beta),
    forward_sd: 0.1,
    probability_best: 0.25,
  }) as ArmRecord;
const arms = [
  arm('email', 'vp', 5, 95),
  arm('email', 'manager', 9, 91),
  arm('linkedin', 'vp', 20, 80),
  arm('linkedin', 'manager', 5, 95),
];

describe('rankedArms', () => {
  it('puts the best mean first, and equal means in a fixed order', () => {
    expect(rankedArms(arms, {}).map((found) => `${found.channel} ${found.position}`)).toEqual([
      'linkedin vp',
      'email manager',
      'email vp',
      'linkedin manager',
    ]);
  });

  it('keeps what the run computed where all arms match', () => {
    expect(rankedArms(arms, {}).map((found) => found.probability_best)).toEqual([0.25, 0.25, 0.25, 0.25]);
  });

  it('computes the chance of being best anew among those that match', () => {
    const found = rankedArms(arms, { channel: 'email' });
    const [first = 0, second = 0] = found.map((match) => match.probability_best);
    expect(found.map(({ channel }) => channel)).toEqual(['email', 'email']);
    expect(first + second).toBeCloseTo(1, 10);
    expect(first).toBeGreaterThan(0.8);
    expect(rankedArms(arms, { channel: 'email', position: 'vp' })[0]?.probability_best).toBe(1);
  });

  describe('of millions of messages', () => {
    /** What is served of an arm whose known posterior is widened by what may come. */
    const widened = (position: ArmRecord['position'], known: BetaShape, variance: number) => ({
      ...arm('email', position, ...shapeAhead(known, variance)),
      forward_sd: Number(Math.sqrt(variance).toPrecision(6)),
    });
    const shapeAhead = (known: BetaShape, variance: number): [number, number] => {
      const { alpha, beta } = widen(known, variance);
      return [alpha, beta];
    };
    const others = [arm('linkedin', 'vp', 20, 80)];

    it('takes what is known from the document, where nothing is rounded', () => {
      const shapes = {
        vp: { alpha: 480_000, beta: 7_520_000 },
        manager: { alpha: 481_000, beta: 7_519_000 },
      };
      const served = [widened('vp', shapes.vp, 0.3), widened('manager', shapes.manager, 0.3), ...others];
      const known = [
        { channel: 'email', position: 'vp', ...shapes.vp },
        { channel: 'email', position: 'manager', ...shapes.manager },
      ] as const;
      const [better] = bestArmProbabilities([shapes.manager, shapes.vp]);
      const found = rankedArms(served, { channel: 'email' }, known);
      expect(found.map(({ position }) => position)).toEqual(['manager', 'vp']);
      expect(found[0]?.probability_best).toBeCloseTo(better ?? 0, 12);
      // The served spread alone tells it less well: by a third of the messages.
      const rounded = rankedArms(served, { channel: 'email' });
      expect(Math.abs((rounded[0]?.probability_best ?? 0) - (better ?? 0))).toBeGreaterThan(0.001);
    });

    it.each([
      [{ alpha: 6e6, beta: 14e6 }, 1.2],
      [{ alpha: 60e6, beta: 140e6 }, 1.7],
      [{ alpha: 480_000, beta: 7_520_000 }, 0.3],
    ])('answers from a document of an earlier version, of %o with a variance of %f', (known, variance) => {
      // Whichever way the spread was rounded.
      for (const factor of [1 - 1e-6, 1, 1 + 1e-6]) {
        const [first, second] = (['vp', 'manager'] as const).map((position) => {
          const served = widened(position, known, variance);
          return { ...served, forward_sd: served.forward_sd * factor };
        }) as [ArmRecord, ArmRecord];
        const found = rankedArms([first, second, ...others], { channel: 'email' });
        expect(found.map(({ probability_best }) => probability_best)).toEqual([
          expect.closeTo(0.5, 6),
          expect.closeTo(0.5, 6),
        ]);
      }
    });
  });

  it('knows no arm for a position that nobody has', () => {
    expect(rankedArms(arms, { position: 'entry_level' })).toEqual([]);
  });
});
