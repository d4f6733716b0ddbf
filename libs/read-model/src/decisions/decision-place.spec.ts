import { mintTenantScope } from '@outcomes/tenancy/mint';
import { markOf, placeIn } from './decision-place';

const company = mintTenantScope('00000000-0000-4000-8000-000000000001');
const neighbour = mintTenantScope('00000000-0000-4000-8000-000000000002');
const ID = '00000000-0000-8000-8000-00000000000a';
const TIME = '2026-01-30T02:00:00.123456Z';
const REFUSED = 'cursor must be the next_cursor of the page before';

describe('the mark of a page of decisions', () => {
  it('holds the place behind which the next one goes on, of one company', () => {
    const mark = markOf(company, `${TIME}/${ID}`);
    expect(placeIn(company, mark)).toEqual({ decidedAt: TIME, decisionId: ID });
    expect(() => placeIn(neighbour, mark)).toThrow(REFUSED);
  });

  it.each([
    ['a day that no month has', `2026-02-30T02:00:00.123456Z/${ID}`],
    ['an hour that no day has', `2026-01-30T24:00:00.000000Z/${ID}`],
    ['a month too many', `2026-13-30T02:00:00.123456Z/${ID}`],
    ['milliseconds', `2026-01-30T02:00:00.123Z/${ID}`],
    ['another time zone', `2026-01-30T02:00:00.123456+02/${ID}`],
    ['no time', `/${ID}`],
    ['no id', `${TIME}/anna`],
    ['nothing behind the time', TIME],
    ['more than a place', `${TIME}/${ID}/${ID}`],
  ])('is none with %s', (_what, place) => {
    expect(() => placeIn(company, markOf(company, place))).toThrow(REFUSED);
  });
});
