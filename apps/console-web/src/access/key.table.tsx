import { useRef } from 'react';
import { useChange, type AgentAccess, type KeyOfCompany } from '../api/console.query';
import { Failure } from '../shell/answer.panel';
import { momentOf } from '../words.format';

interface Props {
  readonly company: string;
  readonly access: AgentAccess;
}

export function KeyTable({ company, access: { keys } }: Props) {
  if (keys.length === 0) return <p>There is no key yet. Create one for your agent.</p>;
  return (
    <div className="wide" tabIndex={0} role="region" aria-label="Keys">
      <table>
        <thead>
          <tr>
            {['Name', 'Key id', 'For', 'State', 'Last used', 'Expires'].map((title) => (
              <th key={title}>{title}</th>
            ))}
            <th>
              <span className="quiet">Revoke</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr key={key.keyId}>
              <td>{key.name || 'unnamed'}</td>
              <td>
                <code>{key.keyId}</code>
              </td>
              <td>{key.purpose ?? 'everything'}</td>
              <td>{key.state}</td>
              <td>{momentOf(key.lastUsedAt)}</td>
              <td>{momentOf(key.expiresAt)}</td>
              <td>
                {(key.state === 'active' || key.state === 'locked') && <Revoke company={company} of={key} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Revoke({ company, of }: { readonly company: string; readonly of: KeyOfCompany }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const revoke = useChange<undefined, object>(company, 'keys', () => ({
    path: `/${of.keyId}`,
    method: 'DELETE',
  }));
  const title = `revoke-${of.keyId}`;
  return (
    <>
      <button onClick={() => dialog.current?.showModal()} aria-label={`Revoke ${of.name || of.keyId}`}>
        Revoke
      </button>
      <dialog ref={dialog} aria-labelledby={title}>
        <h2 id={title}>Revoke {of.name || of.keyId}?</h2>
        <p>It is refused everywhere within a second, and cannot be restored.</p>
        {revoke.error && <Failure error={revoke.error} />}
        <div className="row">
          <button className="main" disabled={revoke.isPending} onClick={() => revoke.mutate(undefined)}>
            Revoke
          </button>
          <button onClick={() => dialog.current?.close()}>Keep</button>
        </div>
      </dialog>
    </>
  );
}
