import type { ActionAuditLog } from '@outcomes/contracts';
import { useMe, usePageOf } from '../api/console.query';
import { usePlace } from '../api/place.query';
import { PagedPanel, usePages } from '../shell/paged.panel';
import { inWords } from '../code-words.format';
import { momentOf, percent, whole } from '../words.format';
import { ActsPanel } from './acts.panel';

/** Who called which tool, when, and how it ended. */
export function AuditPage() {
  const { company } = usePlace();
  const me = useMe();
  const own = me.data?.companies.find(({ companyId }) => companyId === company);
  const pages = usePages();
  const log = usePageOf<ActionAuditLog>(company, `intelligence/audit?${pages.query(25)}`);
  return (
    <>
      <h1>Audit</h1>
      <p className="quiet">
        Calls of agents, with hashes of what was asked and answered; what they said is not kept.
      </p>
      <PagedPanel title="Newest first" pages={pages} query={log} height={480}>
        {({ entries, total_count, error_rate }) =>
          entries.length === 0 ? (
            <p>No agent has called yet.</p>
          ) : (
            <AuditTable entries={entries} count={total_count} errors={error_rate} />
          )
        }
      </PagedPanel>
      {own?.permissions.includes('manage_people') === true && <ActsPanel company={company} />}
    </>
  );
}

interface TableProps {
  readonly entries: ActionAuditLog['entries'];
  readonly count: number;
  readonly errors: number;
}

function AuditTable({ entries, count, errors }: TableProps) {
  return (
    <div className="wide" tabIndex={0} role="region" aria-label="Audit log">
      <table>
        <caption>
          {whole(count)} calls, {percent(errors)} of them failed
        </caption>
        <thead>
          <tr>
            {['When', 'Tool', 'Ended', 'Who', 'Key id', 'Input SHA-256'].map((title) => (
              <th key={title}>{title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.entry_id}>
              <td>{momentOf(entry.timestamp)}</td>
              <td>{entry.tool}</td>
              <td>{inWords(entry.error_type ?? entry.status)}</td>
              <td>
                {entry.actor_type} {entry.actor_id}
              </td>
              <td>{entry.key_id ?? 'a key of another company'}</td>
              <td>
                <code>{entry.input_sha256.slice(0, 16)}…</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
