import { useState, type FormEvent } from 'react';
import {
  isOwnColumn,
  mappingOf,
  NEEDED_COLUMNS,
  OWN_COLUMNS,
  rememberMapping,
  type Plan,
} from './import-plan.query';

interface Props {
  readonly columns: readonly string[];
  readonly sample: readonly Readonly<Record<string, string>>[];
  readonly isBusy: boolean;
  readonly onSend: (plan: Plan) => void;
}

/** Says what the columns of an unknown file are. */
export function ColumnsForm({ columns, sample, isBusy, onSend }: Props) {
  const [mapping, setMapping] = useState(() => mappingOf(columns));
  const missing = NEEDED_COLUMNS.filter((field) => mapping[field] === undefined);
  const place = (field: string, column: string) =>
    setMapping((before) =>
      Object.fromEntries(
        Object.entries({ ...before, [field]: column }).filter(([, chosen]) => chosen !== ''),
      ),
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rememberMapping(columns, mapping);
    onSend({ form: 'columns', columns: mapping });
  };
  const fields = new Set([...OWN_COLUMNS, ...columns.filter(isOwnColumn)]);
  const left = columns.filter((column) => !Object.values(mapping).includes(column));
  return (
    <form className="panel" onSubmit={submit}>
      <h2>What the columns are</h2>
      <p>No tool with these columns is known. Your mapping is remembered for files with the same columns.</p>
      <div className="wide" tabIndex={0} role="region" aria-label="Mapping">
        <table>
          <thead>
            <tr>
              <th>Field</th>
              <th>Column of the file</th>
              <th>First rows</th>
            </tr>
          </thead>
          <tbody>
            {[...fields].map((field) => (
              <tr key={field}>
                <th scope="row">{field}</th>
                <td>
                  <select
                    aria-label={`Column for ${field}`}
                    value={mapping[field] ?? ''}
                    onChange={({ target }) => place(field, target.value)}
                  >
                    <option value="">none</option>
                    {columns.map((column) => (
                      <option key={column}>{column}</option>
                    ))}
                  </select>
                </td>
                <td>{sample.map((row) => row[mapping[field] ?? ''] ?? '').join(' | ')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p>{left.length === 0 ? 'Every column is sent.' : `Not sent: ${left.join(', ')}.`}</p>
      <button className="main" disabled={isBusy || missing.length > 0}>
        Send
      </button>
      {missing.length > 0 && <p className="quiet">Still missing: {missing.join(', ')}.</p>}
    </form>
  );
}
