import type { CampaignScores } from '@outcomes/statistics';
import { EVIDENCE_DESIGN } from './evidence-design';
import type { RegisteredCampaign, StrataRange } from './evidence-source';

/** A statement looks at about so many messages and campaigns, so that none runs into its time limit. */
const MAX_MESSAGES = 200_000;
const MAX_CAMPAIGNS = 200;

/** Every message has a step. */
const STEPS = EVIDENCE_DESIGN.dimensions.find(({ kind }) => kind === 'step')?.levels ?? [];

type Scored = Pick<RegisteredCampaign, 'campaign' | 'campaignId'> & { readonly scores: CampaignScores };

/** Ranges that together hold all matured messages of the campaigns once; a large campaign is cut by fortnights. */
export function* strataPages(
  campaigns: readonly Scored[],
  mostMessages = MAX_MESSAGES,
): Iterable<StrataRange> {
  let page: Scored[] = [];
  let messages = 0;
  for (const own of campaigns) {
    const more = messagesBetween(own, 0, own.scores.length);
    if (more > mostMessages) {
      yield* fortnightPages(own, mostMessages);
      continue;
    }
    if (page.length > 0 && (messages + more > mostMessages || page.length >= MAX_CAMPAIGNS)) {
      yield rangeOf(page);
      [page, messages] = [[], 0];
    }
    page.push(own);
    messages += more;
  }
  if (page.length > 0) yield rangeOf(page);
}

function* fortnightPages(own: Scored, mostMessages: number): Iterable<StrataRange> {
  const { first, length } = own.scores;
  for (let from = 0; from < length;) {
    let to = from + 1;
    while (to < length && messagesBetween(own, from, to + 1) <= mostMessages) to += 1;
    yield { campaigns: [own], firstFortnight: first + from, lastFortnight: first + to - 1 };
    from = to;
  }
}

function rangeOf(campaigns: readonly Scored[]): StrataRange {
  return {
    campaigns,
    firstFortnight: Math.min(...campaigns.map(({ scores }) => scores.first)),
    lastFortnight: Math.max(...campaigns.map(({ scores }) => scores.first + scores.length - 1)),
  };
}

/** Messages of some of a campaign's fortnights, counted from its first. */
function messagesBetween({ scores }: Scored, from: number, to: number): number {
  let sum = 0;
  for (let row = from; row < to; row += 1) {
    for (const level of STEPS) sum += scores.levelN[row * EVIDENCE_DESIGN.width + level] ?? 0;
  }
  return sum;
}
