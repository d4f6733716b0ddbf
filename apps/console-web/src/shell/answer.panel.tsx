import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Refusal } from '../api/console.query';
import { pathHere } from '../sign-in/return-path.query';
import { momentOf, ROLE_WORDS } from '../words.format';
import type { Role } from '@outcomes/contracts';

interface PartProps<Answer> {
  readonly query: UseQueryResult<Answer>;
  /** Height of what comes, so that nothing moves when it does. */
  readonly height?: number;
  readonly children: (answer: Answer) => ReactNode;
}

interface Props<Answer> extends PartProps<Answer> {
  readonly title: string;
  readonly warning?: boolean;
}

/** A part of a page with one answer: it loads, fails and retries by itself, and keeps an older answer with its date. */
export function AnswerPanel<Answer>({ title, query, height, warning = false, children }: Props<Answer>) {
  return (
    <section className={warning ? 'panel warning' : 'panel'}>
      <h2>{title}</h2>
      <AnswerPart query={query} height={height}>
        {children}
      </AnswerPart>
    </section>
  );
}

/** The same inside a panel that has several answers: what one of them does not tell, the others must not hide. */
export function AnswerPart<Answer>({ query, height = 160, children }: PartProps<Answer>) {
  const { data, error, isFetching, dataUpdatedAt } = query;
  return (
    <div aria-busy={isFetching}>
      {error && <Failure error={error} retry={() => void query.refetch()} />}
      {error && data !== undefined && (
        <p className="quiet">The following is from {momentOf(new Date(dataUpdatedAt).toISOString())}.</p>
      )}
      {data !== undefined && children(data)}
      {data === undefined && !error && <Skeleton height={height} />}
    </div>
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
        <p>
          <Link to="/sign-in" search={{ to: pathHere() }} target="_blank">
            Sign in again
          </Link>{' '}
          in a new tab, and come back: what you entered stays here.
        </p>
      )}
      {refusal?.code === 'NOT_SIGNED_IN' && (
        <Link to="/sign-in" search={{ to: pathHere() }}>
          Sign in
        </Link>
      )}
      {refusal?.requestId && <p className="quiet">Request {refusal.requestId}</p>}
      {retry && refusal?.status !== 403 && refusal?.code !== 'NOT_SIGNED_IN' && (
        <button onClick={retry}>Retry</button>
      )}
    </div>
  );
}
