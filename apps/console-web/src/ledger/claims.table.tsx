import { isClaim, type ClaimEntry } from '@outcomes/contracts';
import { Link } from '@tanstack/react-router';
import { patternTitle } from '../findings/pattern-title.format';
import { ListTable } from '../shell/list.table';
import { dayOf, times, whole } from '../words.format';

const TIER_WORDS: Readonly<Record<ClaimEntry['tier'], string>> = {
  confirmed: 'Confirmed',
  likely: 'Likely',
  directional: 'A hint',
  none: 'No longer claimed',
};

const REASON_WORDS: Readonly<Record<string, string>> = {
  found: 'The evidence reached the level required for such a claim.',
  stronger: 'More evidence arrived.',
  weaker: 'Later replies support it less.',
  reversed: 'Later replies contradict it.',
  erased: 'Messages it was based on were erased.',
  no_data: 'There are no messages left to compare.',
  varies_between_campaigns:
    'No campaign sends both, so the effects of audience and message cannot be separated.',
  few_texts: 'It is based on too few texts.',
  changed: 'The effect ended; evidence has been counted from scratch since.',
  survivors: 'Steps are only described: people who answered get no next step.',
  undecided: 'Later replies no longer support it.',
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
              {patternTitle(claim.code)}
            </Link>{' '}
            ({claim.code})
          </td>
          <td className={classOf(claim)}>{whatOf(claim)}</td>
          <td>{effectOf(claim)}</td>
          <td>{reasonOf(claim)}</td>
        </tr>
      ))}
    </ListTable>
  );
}

/** That there are more rows than those that are listed. */
export function NewestOf({ total, listed }: { readonly total: number; readonly listed: number }) {
  if (listed >= total) return null;
  return (
    <p>
      These are the newest {whole(listed)} of {whole(total)} changes.
    </p>
  );
}

function classOf({ isMore }: ClaimEntry): string | undefined {
  if (isMore === null) return undefined;
  return isMore ? 'more' : 'fewer';
}

/** What was claimed before is in words, too: a retraction says what it takes back. */
export function whatOf({ tier, previousTier, isMore }: ClaimEntry): string {
  const direction = isMore === null ? '' : isMore ? ': + more replies' : ': − fewer replies';
  const isRetraction = isClaim(previousTier) && !isClaim(tier);
  if (isRetraction)
    return `Retracted (${previousTier} before)${tier === 'none' ? '' : `; a hint is left${direction}`}`;
  return `${TIER_WORDS[tier]}${direction}`;
}

/** No odds ratio without its interval and the messages that it rests on. */
function effectOf({ oddsRatio, oddsRatioLow, oddsRatioHigh, messages }: ClaimEntry): string {
  if (messages === null) return 'not available for claims made before messages were counted';
  return `${times(oddsRatio)} (${times(oddsRatioLow)} to ${times(oddsRatioHigh)}), n ${whole(messages)}`;
}

function reasonOf({ reason, goesWith }: ClaimEntry): string {
  if (reason === 'goes_with')
    return `${goesWith === null ? 'A stronger pattern' : `${patternTitle(goesWith)} (${goesWith})`} explains it.`;
  return REASON_WORDS[reason] ?? reason;
}
