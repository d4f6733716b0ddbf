import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Refusal } from '../api/console.query';
import { pathHere } from '../sign-in/return-path.query';
import { momentOf, ROLE_WORDS } from '../words.format';
import type { Role } from '@outcomes/contracts';

interface Props<Answer> {
  readonly title: string;
  readonly query: UseQueryResult<Answer>;
  /** Height of what comes, so that nothing moves when it does. */
  readonly height?: number;
  readonly warning?: boolean;
  readonly children: (answer: Answer) => ReactNode;
}

/** A part of a page with one answer: it loads, fails and retries by itself, and keeps an older answer with its date. */
export function AnswerPanel<Answer>({
  title,
  query,
  height = 160,
  warning = false,
  children,
}: Props<Answer>) {
  const { data, error, isFetching, dataUpdatedAt } = query;
  return (
    <section className={warning ? 'panel warning' : 'panel'} aria-busy={isFetching}>
      <h2>{title}</h2>
      {error && <Failure error={error} retry={() => void query.refetch()} />}
      {error && data !== undefined && (
        <p className="quiet">The following is from {momentOf(new Date(dataUpdatedAt).toISOString())}.</p>
      )}
      {data !== undefined && children(data)}
      {data === undefined && !error && <Skeleton height={height} />}
    </section>
  );
}

function Skeleton({ height }: { readonly height: number }) {
  return (
    <svg className="skeleton" width="100%" height={height} role="img" aria-label="Loading">
      <title>Loading</title>
    </svg>
  );
}

/** Why there is nothing, for whoever can do something about it. */
export function Failure({ error, retry }: { readonly error: Error; readonly retry?: () => void }) {
  const refusal = error instanceof Refusal ? error : undefined;
  const holders = refusal?.holders.map((holder) => ROLE_WORDS[holder as Role] ?? holder) ?? [];
  return (
    <div role="alert">
      <p className="fault">
        {error.message}
        {holders.length > 0 && ` Ask: ${holders.join(' or ')}.`}
      </p>
      {refusal?.code === 'RECENT_SIGN_IN_REQUIRED' && (
        <Link to="/sign-in" search={{ to: pathHere() }}>
          Sign in again
        </Link>
      )}
      {refusal?.requestId && <p className="quiet">Request {refusal.requestId}</p>}
      {retry && refusal?.status !== 403 && <button onClick={retry}>Retry</button>}
    </div>
  );
}
