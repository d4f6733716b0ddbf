interface Props {
  /** Of the pages so far, without the first. */
  readonly cursors: readonly string[];
  readonly next: string | null;
  readonly onChange: (cursors: readonly string[]) => void;
}

/** Forwards and back through a list of pages. */
export function PageButtons({ cursors, next, onChange }: Props) {
  if (cursors.length === 0 && next === null) return null;
  return (
    <div className="row">
      <button disabled={cursors.length === 0} onClick={() => onChange(cursors.slice(0, -1))}>
        Back
      </button>
      <button disabled={next === null} onClick={() => next !== null && onChange([...cursors, next])}>
        Next page
      </button>
      <span className="quiet">Page {cursors.length + 1}</span>
    </div>
  );
}
