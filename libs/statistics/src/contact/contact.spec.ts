import { betaInterval } from '../numerics';
import { calibrate, type ContactSnapshot, decideContact, fitContactModel, predictContact } from '.';

const arm = { alpha: 5, beta: 95 };
const model = fitContactModel([
  { armMean: 0.05, x: [1, 0], n: 2000, y: 60 },
  { armMean: 0.05, x: [0, 1], n: 300, y: 40 },
]);

describe('predictContact', () => {
  it('gives a contact without history the arm posterior, exactly', () => {
    expect(predictContact(model, arm, [0, 0])).toEqual({
      probability: 0.05,
      ...betaInterval(5, 95, 0.95),
      basis: 'arm',
    });
  });
  it('moves with the history, inside a wider interval', () => {
    const worse = predictContact(model, arm, [1, 0]);
    const better = predictContact(model, arm, [0, 1]);
    expect(worse.probability).toBeLessThan(0.05);
    expect(better.probability).toBeGreaterThan(0.09);
    for (const { low, probability, high } of [worse, better]) {
      expect(low).toBeLessThan(probability);
      expect(probability).toBeLessThan(high);
    }
  });
  it('knows no model without history, and refuses features that do not match', () => {
    expect(fitContactModel([{ armMean: 0.05, x: [0], n: 100, y: 5 }])).toBeNull();
    expect(() => predictContact(model, arm, [1])).toThrow(expect.objectContaining({ code: 'size' }));
  });
});

describe('decideContact', () => {
  const promise = (probability: number) => ({
    probability,
    low: probability / 2,
    high: probability * 2,
    basis: 'contact' as const,
  });
  const snapshot: ContactSnapshot = {
    ended: null,
    currentChannel: 'email',
    nextStep: 1,
    maxSteps: 4,
    daysSinceLastTouch: 5,
    minGapDays: 3,
    options: [
      { channel: 'email', prediction: promise(0.04) },
      { channel: 'linkedin', prediction: promise(0.045) },
    ],
  };
  it.each([
    [{ ended: 'replied' as const }, 'stop', null],
    [{ ended: 'bounced' as const }, 'stop', null],
    [{ nextStep: 4 }, 'stop', null],
    [{ daysSinceLastTouch: 1 }, 'wait', 'email'],
    [{}, 'send', 'email'],
    [
      { options: [...snapshot.options.slice(0, 1), { channel: 'linkedin', prediction: promise(0.06) }] },
      'switch_channel',
      'linkedin',
    ],
    [{ currentChannel: null, daysSinceLastTouch: null, nextStep: 0 }, 'send', 'linkedin'],
  ])('%j: %s', (change, action, channel) => {
    expect(decideContact({ ...snapshot, ...change })).toMatchObject({ action, channel });
  });
  it('gives the same bytes from a copy of the snapshot', () => {
    expect(JSON.stringify(decideContact(structuredClone(snapshot)))).toBe(
      JSON.stringify(decideContact(snapshot)),
    );
  });
});

describe('calibrate', () => {
  it('counts by hand: expected .8, observed 1', () => {
    const { observedOverExpected, brier, baseRate } = calibrate([0.1, 0.1, 0.3, 0.3], [0, 0, 1, 0]);
    expect(observedOverExpected).toBeCloseTo(1 / 0.8, 12);
    expect(baseRate).toBe(0.25);
    // (.01 + .01 + .49 + .09) / 4
    expect(brier).toBeCloseTo(0.15, 12);
  });
  it('a constant has no slope, and the order of equal predictions does not matter', () => {
    expect(calibrate([0.1, 0.1, 0.1], [0, 1, 0]).slope).toBeNull();
    expect(calibrate([0.1, 0.1, 0.2], [0, 1, 0]).ece).toBe(calibrate([0.1, 0.1, 0.2], [1, 0, 0]).ece);
  });
  it('refuses certain predictions', () => {
    expect(() => calibrate([0, 0.5], [0, 1])).toThrow(expect.objectContaining({ code: 'mass' }));
  });
});
