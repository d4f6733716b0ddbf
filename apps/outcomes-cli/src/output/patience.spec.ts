import { Patience } from './patience';

describe('patience', () => {
  let now = 0;
  const patience = () => new Patience(60, () => now);
  beforeEach(() => (now = 0));

  it('lasts as long as something moves, and the stated time after that', () => {
    const waiting = patience();
    for (let pending = 50; pending > 0; pending -= 1) {
      now += 59_000;
      expect(waiting.lasts({ pending })).toBe(true);
    }
    now += 59_999;
    expect(waiting.lasts({ pending: 1 })).toBe(true);
    now += 1;
    expect(waiting.lasts({ pending: 1 })).toBe(false);
  });

  it('lasts while work is known to be under way, although nothing changes', () => {
    const waiting = patience();
    for (let minute = 0; minute < 30; minute += 1) {
      now += 60_000;
      waiting.renew();
      expect(waiting.lasts('the same')).toBe(true);
    }
  });
});
