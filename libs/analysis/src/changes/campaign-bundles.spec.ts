import { NO_CAMPAIGN, type CampaignDayRow } from '@outcomes/persistence';
import * as fc from 'fast-check';
import { CampaignBundles, isBundle, MAX_CAMPAIGNS_A_DAY } from './campaign-bundles';

const row = (campaign: number, touches: number, replies = 0): CampaignDayRow => ({
  campaign,
  step: campaign % 3,
  position: campaign % 5,
  touches,
  replies,
});

/** A day of so many campaigns, each with a message or more. */
const dayOf = (campaigns: number) =>
  fc
    .array(fc.tuple(fc.integer({ min: 1, max: 40 }), fc.boolean()), {
      minLength: campaigns,
      maxLength: campaigns,
    })
    .map((sends) =>
      sends.map(([touches, answered], i) => row(1_000_003 * (i + 1), touches, answered ? 1 : 0)),
    );

const sumOf = (rows: readonly CampaignDayRow[], cell: (row: CampaignDayRow) => string) => {
  const sums = new Map<string, number>();
  for (const one of rows) {
    for (const [name, value] of Object.entries({ touches: one.touches, replies: one.replies }))
      sums.set(`${cell(one)} ${name}`, (sums.get(`${cell(one)} ${name}`) ?? 0) + value);
  }
  return sums;
};

describe('the smallest campaigns of a day', () => {
  it('are counted together beyond a bound, and no message is lost', () => {
    fc.assert(
      fc.property(dayOf(MAX_CAMPAIGNS_A_DAY + 150), (rows) => {
        const bundles = new CampaignBundles();
        const bundled = bundles.bundled(7, rows);
        const strata = ({ step, position }: CampaignDayRow) => `${step} ${position}`;
        expect(sumOf(bundled, strata)).toEqual(sumOf(rows, strata));
        const told = bundled.filter(({ campaign }) => !isBundle(campaign));
        expect(new Set(told.map(({ campaign }) => campaign)).size).toBe(MAX_CAMPAIGNS_A_DAY);
        expect(new Set(bundled.map(({ campaign }) => campaign)).size).toBeLessThanOrEqual(
          MAX_CAMPAIGNS_A_DAY + 64,
        );
        expect(bundles.merged.size).toBe(150);
        const smallest = Math.min(...told.map(({ touches }) => touches));
        for (const { campaign, touches } of rows)
          if (bundles.merged.has(campaign)) expect(touches).toBeLessThanOrEqual(smallest);
      }),
      { numRuns: 20 },
    );
  });

  it('are the same whatever order and whatever other days were read', () => {
    fc.assert(
      fc.property(dayOf(MAX_CAMPAIGNS_A_DAY + 20), dayOf(MAX_CAMPAIGNS_A_DAY + 20), (before, rows) => {
        const bundles = new CampaignBundles();
        bundles.bundled(6, before);
        const inOrder = (some: readonly CampaignDayRow[]) =>
          [...some].sort((a, b) => a.campaign - b.campaign || a.step - b.step || a.position - b.position);
        expect(inOrder(bundles.bundled(7, rows))).toEqual(
          inOrder(new CampaignBundles().bundled(7, [...rows].reverse())),
        );
      }),
      { numRuns: 10 },
    );
  });

  it('are left alone up to the bound, and messages without a campaign always', () => {
    const few = Array.from({ length: MAX_CAMPAIGNS_A_DAY }, (_, i) => row(i + 1, 3));
    const bundles = new CampaignBundles();
    const day = [row(NO_CAMPAIGN, 1), ...few];
    expect(bundles.bundled(1, day)).toBe(day);
    expect(bundles.merged.size).toBe(0);
    const more = bundles.bundled(2, [row(NO_CAMPAIGN, 1), ...few, row(9_999, 2)]);
    expect(more[0]).toEqual(row(NO_CAMPAIGN, 1));
    expect([...bundles.merged]).toEqual([[9_999, 2]]);
  });
});
