import type { UseQueryResult } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { AnswerPart } from './answer.panel';

/** Where somebody is in a list of pages, as the address says it. */
export interface Pages {
  /** Of the pages so far, without the first. */
  readonly cursors: readonly string[];
  readonly go: (cursors: readonly string[]) => void;
  /** The query of one page of the list, which has so many rows. */
  readonly query: (limit: number) => string;
}

/** The page stands in the address: reloaded, bookmarked or gone back to, it is the same. */
export function usePages(): Pages {
  const asked: unknown = useSearch({ strict: false });
  const { pages: cursors = [] } = asked as { readonly pages?: readonly string[] };
  const navigate = useNavigate();
  const cursor = cursors.at(-1);
  return {
    cursors,
    go: (pages) =>
      void navigate({ to: '.', search: pages.length > 0 ? { pages: [...pages] } : {}, resetScroll: false }),
    query: (limit) =>
      cursor === undefined ? `limit=${limit}` : `limit=${limit}&cursor=${encodeURIComponent(cursor)}`,
  };
}

interface Props<Page> {
  readonly title: string;
  readonly pages: Pages;
  readonly query: UseQueryResult<Page>;
  /** Height of what comes, so that nothing moves when it does. */
  readonly height: number;
  readonly children: (page: Page) => ReactNode;
}

/** A panel with one page of a list. The way to the others is there also where this one cannot be read. */
export function PagedPanel<Page extends { readonly next_cursor: string | null }>(props: Props<Page>) {
  const { title, pages, query, height, children } = props;
  // Nobody goes on from the page before: what follows it is being read.
  const next = query.isPlaceholderData ? null : (query.data?.next_cursor ?? null);
  return (
    <section className="panel">
      <h2>{title}</h2>
      <PageButtons pages={pages} next={next} />
      <AnswerPart query={query} height={height}>
        {children}
      </AnswerPart>
    </section>
  );
}

interface ButtonProps {
  readonly pages: Pages;
  readonly next: string | null;
}

/** Forwards and back through a list. A button at an end stays where it is, so that the focus does not get lost. */
function PageButtons({ pages: { cursors, go }, next }: ButtonProps) {
  if (cursors.length === 0 && next === null) return null;
  return (
    <nav className="row" aria-label="Pages of the list">
      <button
        aria-disabled={cursors.length === 0}
        onClick={() => cursors.length > 0 && go(cursors.slice(0, -1))}
      >
        Previous page
      </button>
      <button aria-disabled={next === null} onClick={() => next !== null && go([...cursors, next])}>
        Next page
      </button>
      <span className="quiet" role="status">
        Page {cursors.length + 1}
      </span>
    </nav>
  );
}
