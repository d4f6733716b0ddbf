import type { ArmRecord } from '@outcomes/contracts';
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

  it('knows no arm for a position that nobody has', () => {
    expect(rankedArms(arms, { position: 'entry_level' })).toEqual([]);
  });
});
