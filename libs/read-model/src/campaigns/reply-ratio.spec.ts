import { replyRatio } from './reply-ratio';

describe('replyRatio', () => {
  it('is observed over expected, shrunk by one expected reply', () => {
    // (1 + 20) / (1 + 10)
    expect(replyRatio(20, 10).ratio).toBeCloseTo(21 / 11, 12);
  });

  it('covers 1 where replies are as expected, and leaves the probability near a half', () => {
    const { low, high, probabilityBelow } = replyRatio(50, 50);
    expect(low).toBeLessThan(1);
    expect(high).toBeGreaterThan(1);
    expect(probabilityBelow).toBeGreaterThan(0.4);
    expect(probabilityBelow).toBeLessThan(0.6);
  });

  it('says with 97.5 % or more that a campaign is below where its interval is', () => {
    const { high, probabilityBelow } = replyRatio(10, 40);
    expect(high).toBeLessThan(1);
    expect(probabilityBelow).toBeGreaterThanOrEqual(0.975);
  });

  it('never claims that no reply will ever come', () => {
    expect(replyRatio(0, 3).high).toBeGreaterThan(0.5);
  });
});
