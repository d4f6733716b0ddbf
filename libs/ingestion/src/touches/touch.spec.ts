import { isSameTouch, type Touch } from './touch';

describe('two states of a touch', () => {
  const state = (parts: Partial<Touch>) =>
    ({ touchId: 't', opened: false, sentHour: null, levels: [1, 23], variantId: null, ...parts }) as Touch;

  it.each<[Partial<Touch>, boolean]>([
    [{}, true],
    [{ levels: [1, 23] }, true],
    [{ levels: [12, 3] }, false],
    [{ levels: [1] }, false],
    [{ opened: true }, false],
    [{ sentHour: 0 }, false],
    // A text that reads like nothing is a text.
    [{ variantId: 'null' }, false],
    [{ variantId: '' }, false],
  ])('that differ by %j say the same: %s', (parts, expected) => {
    expect(isSameTouch(state({}), state(parts))).toBe(expected);
    expect(isSameTouch(state(parts), state({}))).toBe(expected);
  });
});
