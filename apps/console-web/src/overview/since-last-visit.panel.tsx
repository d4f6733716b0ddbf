import type { ClaimRecord, DriftState, RecordedClaim } from '@outcomes/contracts';
import { Link } from '@tanstack/react-router';
import { useAnswer, useMe } from '../api/console.query';
import { concernsClaims, whatOf } from '../ledger/claims.table';
import { AnswerPanel } from '../shell/answer.panel';
import { dayOf, momentOf, whole } from '../words.format';

const MAX_LISTED = 5;

/** What was claimed, taken back or found to have changed since whoever looks was here last; nothing on a first visit. */
export function SinceLastVisit({ company }: { readonly company: string }) {
  const since = useMe().data?.previousVisitAt ?? null;
  return since === null ? null : <Changes company={company} since={since} />;
}

function Changes({ company, since }: { readonly company: string; readonly since: string }) {
  const record = useAnswer<ClaimRecord>(company, 'claims');
  const drift = useAnswer<DriftState>(company, 'intelligence/drift');
  const changes = drift.data?.changes.filter(({ told_at }) => told_at >= since.slice(0, 10)) ?? [];
  return (
    <AnswerPanel title="Since your last visit" query={record} height={96}>
      {({ claims }) => {
        const news = claims.filter((claim) => concernsClaims(claim) && isNewer(claim, since));
        const before = `Your last visit was on ${momentOf(since)}.`;
        if (news.length + changes.length === 0)
          return (
            <p className="quiet">{before} Nothing was claimed, retracted or found to have changed since.</p>
          );
        return (
          <>
            <p className="quiet">{before}</p>
            <ul>
              {changes.map(({ channel, since: day }) => (
                <li key={`change ${channel} ${day}`}>
                  <Link to="/c/$company/drift" params={{ company }}>
                    Replies changed on {dayOf(day)}
                  </Link>
                  : {channel}
                </li>
              ))}
              {news.slice(0, MAX_LISTED).map((claim) => (
                <li key={`${claim.code} ${claim.number}`}>
                  <Link to="/c/$company/findings/$code" params={{ company, code: claim.code }}>
                    {claim.code}
                  </Link>
                  : {whatOf(claim)}, {dayOf(claim.since)}
                </li>
              ))}
              {news.length > MAX_LISTED && (
                <li>
                  <Link to="/c/$company/ledger" params={{ company }}>
                    {whole(news.length - MAX_LISTED)} more in the ledger
                  </Link>
                </li>
              )}
            </ul>
          </>
        );
      }}
    </AnswerPanel>
  );
}

/** Rows from before their writing was dated are no news to anybody whose visits are. */
function isNewer({ recordedAt }: RecordedClaim, since: string): boolean {
  return recordedAt !== null && recordedAt > since;
}
