import type { ClaimEntry } from '@outcomes/contracts';
import { Link } from '@tanstack/react-router';
import { ListTable } from '../shell/list.table';
import { dayOf, times, whole } from '../words';

const STANDS: readonly (string | null)[] = ['confirmed', 'likely'];

/** Whether a row begins or ends a claim; hints come and go without one. */
export const concernsClaims = ({ tier, previousTier }: ClaimEntry) =>
  STANDS.includes(tier) || STANDS.includes(previousTier);

const TIER_WORDS: Readonly<Record<ClaimEntry['tier'], string>> = {
  confirmed: 'Confirmed',
  likely: 'Likely',
  directional: 'A hint',
  none: 'Not claimed any more',
};

const REASON_WORDS: Readonly<Record<string, string>> = {
  found: 'The evidence reached what is asked of such a claim.',
  stronger: 'More evidence came in.',
  weaker: 'Later replies bear it less.',
  reversed: 'Later replies went the other way.',
  erased: 'Messages that it rested on were erased.',
  no_data: 'There are no messages left to compare.',
  varies_between_campaigns: 'No campaign sends both, so audience and message cannot be told apart.',
  few_texts: 'It rests on too few texts.',
  changed: 'The effect ended; evidence counts anew since.',
  survivors: 'Steps are described only: whoever answered gets no next one.',
  undecided: 'Later replies do not bear it any more.',
};

interface Props {
  readonly company: string;
  readonly claims: readonly ClaimEntry[];
}

/** Rows of the record of claims, newest first. */
export function ClaimsTable({ company, claims }: Props) {
  return (
    <ListTable label="Claims" titles={['Date', 'Pattern', 'What', 'Odds ratio (95 %)', 'Why']}>
      {claims.map((claim) => (
        <tr key={`${claim.code} ${claim.number}`} data-claim={`${claim.code} ${claim.number}`}>
          <td>{dayOf(claim.since)}</td>
          <td>
            <Link to="/c/$company/findings/$code" params={{ company, code: claim.code }}>
              {claim.code}
            </Link>
          </td>
          <td className={classOf(claim)}>{whatOf(claim)}</td>
          <td>{effectOf(claim)}</td>
          <td>{reasonOf(claim)}</td>
        </tr>
      ))}
    </ListTable>
  );
}

function classOf({ isMore }: ClaimEntry): string | undefined {
  if (isMore === null) return undefined;
  return isMore ? 'more' : 'fewer';
}

/** What was claimed before is in words, too: a retraction says what it takes back. */
export function whatOf({ tier, previousTier, isMore }: ClaimEntry): string {
  const direction = isMore === null ? '' : isMore ? ': + more replies' : ': − fewer replies';
  const isRetraction = STANDS.includes(previousTier) && !STANDS.includes(tier);
  if (isRetraction)
    return `Retracted (${previousTier} before)${tier === 'none' ? '' : `; a hint is left${direction}`}`;
  return `${TIER_WORDS[tier]}${direction}`;
}

/** No odds ratio without its interval and the messages that it rests on. */
function effectOf({ oddsRatio, oddsRatioLow, oddsRatioHigh, messages }: ClaimEntry): string {
  if (messages === null) return 'not told: of a time when messages were not counted here';
  return `${times(oddsRatio)} (${times(oddsRatioLow)} to ${times(oddsRatioHigh)}), n ${whole(messages)}`;
}

function reasonOf({ reason, goesWith }: ClaimEntry): string {
  if (reason === 'goes_with') return `${goesWith ?? 'A stronger pattern'} explains it.`;
  return REASON_WORDS[reason] ?? reason;
}
