import type { ReactNode } from 'react';

/** Names and values of one thing, a row each. */
export function Properties({ rows }: { readonly rows: readonly (readonly [string, ReactNode])[] }) {
  return (
    <table className="properties">
      <tbody>
        {rows.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
