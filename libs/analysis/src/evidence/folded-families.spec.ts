import { familiesOf, pagesOf } from './folded-families';
import { NO_OWN_TEXTS } from './own-texts';

const familyOf = (first: number, size: number) => Array.from({ length: size }, (_, i) => first + i);

describe('pages of families', () => {
  it('hold fifty campaigns at most, and no family is cut', () => {
    const families = [20, 30, 1, 49, 1, 120, 3].map((size, i) => familyOf(1_000 * i, size));
    const pages = [...pagesOf(families)];
    expect(pages.map((page) => page.map(({ length }) => length))).toEqual([
      [20, 30],
      [1, 49],
      [1],
      [120],
      [3],
    ]);
    expect(pages.flat()).toEqual(families);
    expect([...pagesOf([])]).toEqual([]);
  });
});

describe('families', () => {
  const member = (campaign: number, maturedOn: number | null, ...texts: readonly number[]) => ({
    ...{ campaign, revision: '', span: { maturedOn, maturesNext: null }, first: 0 },
    texts: [{ ids: texts, n: texts.map(() => 100) }, NO_OWN_TEXTS] as const,
  });

  it('are campaigns that share texts, of those of which anything has matured', () => {
    const members = [member(1, 10, 7, 8), member(2, 10, 8, 9), member(3, null, 9), member(4, 10, 5)];
    expect(familiesOf(members)).toEqual([[1, 2], [4]]);
    // A subject ties campaigns as a body does; a body of the same id does not.
    const under = ({ texts: [texts], ...own }: (typeof members)[number]) => ({
      ...own,
      texts: [NO_OWN_TEXTS, texts] as const,
    });
    expect(familiesOf(members.map(under))).toEqual([[1, 2], [4]]);
    expect(familiesOf([member(1, 10, 7, 8), under(member(2, 10, 8, 9))])).toEqual([[1], [2]]);
  });
});
