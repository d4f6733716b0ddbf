import {
  aroundDay,
  type ClaimRecord,
  type DriftState,
  type RateChange,
  type RecordedClaim,
} from '@outcomes/contracts';
import { Link } from '@tanstack/react-router';
import { useAnswer, useMe } from '../api/console.query';
import { patternTitle } from '../findings/pattern-title.format';
import { whatOf } from '../ledger/claims.table';
import { AnswerPart } from '../shell/answer.panel';
import { inWords } from '../code-words.format';
import { dayOf, momentOf, whole } from '../words.format';

const MAX_LISTED = 5;

/**
 * What was claimed or taken back since whoever looks was here last, and which changes are dated since; nothing on a first
 * visit. A change carries the day from which it could be told, not the one on which it was found.
 */
export function SinceLastVisit({ company }: { readonly company: string }) {
  const since = useMe().data?.previousVisitAt ?? null;
  return since === null ? null : <Changes company={company} since={since} />;
}

function Changes({ company, since }: { readonly company: string; readonly since: string }) {
  const record = useAnswer<ClaimRecord>(company, 'claims');
  const drift = useAnswer<DriftState>(company, 'intelligence/drift');
  const news = record.data?.claims.filter((claim) => isNewer(claim, since));
  const changes = drift.data?.changes.filter(({ told_at }) => told_at >= since.slice(0, 10));
  // What was not read, or not lately, may hold something new.
  const isKnown = record.error === null && drift.error === null;
  return (
    <section className="panel">
      <h2>Since your last visit</h2>
      <p className="quiet">Your last visit was on {momentOf(since)}.</p>
      {isKnown && news?.length === 0 && changes?.length === 0 ? (
        <p className="quiet">
          Nothing was claimed or retracted since. <NoChanges company={company} />
        </p>
      ) : (
        <>
          <AnswerPart query={drift} height={24}>
            {() => <FoundChanges company={company} changes={changes ?? []} />}
          </AnswerPart>
          <AnswerPart query={record} height={48}>
            {() => <NewClaims company={company} claims={news ?? []} />}
          </AnswerPart>
        </>
      )}
    </section>
  );
}

function FoundChanges({
  company,
  changes,
}: {
  readonly company: string;
  readonly changes: readonly RateChange[];
}) {
  if (changes.length === 0)
    return (
      <p className="quiet">
        <NoChanges company={company} />
      </p>
    );
  return (
    <ul>
      {changes.map(({ channel, since: day }) => (
        <li key={`${channel} ${day}`}>
          <Link to="/c/$company/drift" params={{ company }}>
            Replies changed {aroundDay(dayOf(day))}
          </Link>
          : {inWords(channel)}
        </li>
      ))}
    </ul>
  );
}

function NoChanges({ company }: { readonly company: string }) {
  return (
    <>
      No change of replies is dated since; one that was found late is under{' '}
      <Link to="/c/$company/drift" params={{ company }}>
        Drift
      </Link>
      .
    </>
  );
}

function NewClaims({
  company,
  claims,
}: {
  readonly company: string;
  readonly claims: readonly RecordedClaim[];
}) {
  if (claims.length === 0) return <p className="quiet">Nothing was claimed or retracted since.</p>;
  return (
    <ul>
      {claims.slice(0, MAX_LISTED).map((claim) => (
        <li key={`${claim.code} ${claim.number}`}>
          <Link to="/c/$company/findings/$code" params={{ company, code: claim.code }}>
            {patternTitle(claim.code)}
          </Link>{' '}
          ({claim.code}): {whatOf(claim)}, {dayOf(claim.since)}
        </li>
      ))}
      {claims.length > MAX_LISTED && (
        <li>
          <Link to="/c/$company/ledger" params={{ company }}>
            {whole(claims.length - MAX_LISTED)} more in the ledger
          </Link>
        </li>
      )}
    </ul>
  );
}

/** Rows from before their writing was dated are no news to anybody whose visits are. */
function isNewer({ recordedAt }: RecordedClaim, since: string): boolean {
  return recordedAt !== null && recordedAt > since;
}
