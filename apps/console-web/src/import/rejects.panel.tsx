import { useEffect, useState } from 'react';
import { whole } from '../words.format';
import type { Reject } from './import-plan.query';

const SHOWN = 20;

/** What was not taken, and why; as a file too. */
export function RejectsPanel({ rejects }: { readonly rejects: readonly Reject[] }) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const lines = rejects.map(({ row, field, code, message }) =>
      [row, field, code, message].map(cell).join(','),
    );
    const made = URL.createObjectURL(
      new Blob([['row,field,code,message', ...lines].join('\r\n')], { type: 'text/csv' }),
    );
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [rejects]);
  if (rejects.length === 0) return null;
  return (
    <section className="panel warning">
      <h2>Rejected</h2>
      <a href={address} download="rejected.csv">
        {whole(new Set(rejects.map(({ row }) => row)).size)} rows as CSV
      </a>
      <div className="wide" tabIndex={0} role="region" aria-label="Rejected rows">
        <table>
          <thead>
            <tr>
              <th className="number">Row</th>
              <th>Field</th>
              <th>Why</th>
            </tr>
          </thead>
          <tbody>
            {rejects.slice(0, SHOWN).map(({ row, field, code, message }, at) => (
              <tr key={at}>
                <td className="number">{row}</td>
                <td>{field}</td>
                <td>
                  {code} {message}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** A cell that no spreadsheet takes for a formula. */
function cell(value: string | number): string {
  const text = String(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
