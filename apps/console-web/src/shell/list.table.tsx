import type { ReactNode } from 'react';

interface Props {
  /** What the rows are, for whoever does not see the table. */
  readonly label: string;
  readonly titles: readonly string[];
  readonly caption?: string;
  readonly children: ReactNode;
}

/** A table of rows that has a place of its own to be moved in where the page is narrow. */
export function ListTable({ label, titles, caption, children }: Props) {
  return (
    <div className="wide" tabIndex={0} role="region" aria-label={label}>
      <table>
        {caption !== undefined && <caption>{caption}</caption>}
        <thead>
          <tr>
            {titles.map((title) => (
              <th key={title}>{title}</th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
