import { useNavigate, useSearch } from '@tanstack/react-router';

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

interface Props {
  readonly pages: Pages;
  readonly next: string | null;
}

/** Forwards and back through a list. A button at an end stays where it is, so that the focus does not get lost. */
export function PageButtons({ pages: { cursors, go }, next }: Props) {
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
