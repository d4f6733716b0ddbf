import type { CampaignScores } from '@outcomes/statistics';
import { EVIDENCE_DESIGN } from './evidence-design';
import { strataPages } from './strata-pages';

const [step] = EVIDENCE_DESIGN.dimensions.find(({ kind }) => kind === 'step')?.levels ?? [];
const { width } = EVIDENCE_DESIGN;

/** A campaign with so many messages in each fortnight. */
function campaignOf(campaign: number, first: number, messages: readonly number[]) {
  const levelN = new Float64Array(messages.length * width);
  messages.forEach((n, row) => {
    levelN[row * width + (step ?? 0)] = n;
  });
  const none = new Float64Array(0);
  const scores: CampaignScores = {
    ...{ campaign, first, length: messages.length, levelN },
    ...{ z: none, v: none, featureSums: none, levelY: none },
  };
  return { campaign, campaignId: `${campaign}`, revision: '', kept: null, scores };
}

const pagesOf = (...parameters: Parameters<typeof strataPages>) =>
  [...strataPages(...parameters)].map(({ campaigns, firstFortnight, lastFortnight }) => [
    campaigns.map(({ campaign }) => campaign),
    firstFortnight,
    lastFortnight,
  ]);

describe('pages of campaigns whose strata are counted', () => {
  it('hold some messages each, and a large campaign is cut by its fortnights', () => {
    const campaigns = [
      campaignOf(1, 10, [40, 30]),
      campaignOf(2, 11, [20]),
      campaignOf(3, 5, [50, 40, 0, 90, 500, 1]),
      campaignOf(4, 12, [15]),
    ];
    expect(pagesOf(campaigns, 100)).toEqual([
      [[3], 5, 7],
      [[3], 8, 8],
      [[3], 9, 9],
      [[3], 10, 10],
      [[1, 2], 10, 11],
      [[4], 12, 12],
    ]);
  });

  it('hold 200 campaigns at most, and none where there are none', () => {
    const tiny = Array.from({ length: 450 }, (_, i) => campaignOf(i, 1, [1]));
    expect(pagesOf(tiny).map(([campaigns]) => (campaigns as number[]).length)).toEqual([200, 200, 50]);
    expect(pagesOf([])).toEqual([]);
  });
});
