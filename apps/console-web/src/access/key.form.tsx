import type { KeyPurpose } from '@outcomes/contracts';
import type { FormEvent } from 'react';
import { useChange, type AgentAccess } from '../api/console.query';
import { Failure } from '../shell/answer.panel';

export interface CreatedKey {
  readonly keyId: string;
  readonly apiKey: string;
  readonly expiresAt: string;
  readonly purpose: KeyPurpose | null;
}

const PURPOSES: readonly (readonly [KeyPurpose | '', string])[] = [
  ['agent', 'An agent: reads over MCP and the read API'],
  ['ingest', 'A pipe: sends and deletes outcomes'],
  ['read', 'A report: reads over the read API'],
  ['', 'Everything'],
];

interface Props {
  readonly company: string;
  readonly access: AgentAccess;
  readonly onCreated: (key: CreatedKey) => void;
}

export function KeyForm({ company, access: { keys, mostActiveKeys, lifetimeDays }, onCreated }: Props) {
  const create = useChange<{ name: string; purpose?: KeyPurpose }, CreatedKey>(company, 'keys', (body) => ({
    ...{ method: 'POST', body },
  }));
  const active = keys.filter(({ state }) => state === 'active' || state === 'locked').length;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const given = new FormData(form);
    const purpose = (given.get('purpose') as KeyPurpose | '') || undefined;
    create.mutate(
      { name: given.get('name') as string, purpose },
      {
        onSuccess: (key) => {
          onCreated({ ...key, purpose: purpose ?? null });
          // The answer is not kept beside the page's own state.
          create.reset();
          form.reset();
        },
      },
    );
  };
  return (
    <form onSubmit={submit}>
      <h3>New key</h3>
      {create.error && <Failure error={create.error} />}
      {active >= mostActiveKeys && (
        <p>
          {active} of {mostActiveKeys} active keys: revoke one first.
        </p>
      )}
      <label htmlFor="key-name">Name</label>
      <input id="key-name" name="name" maxLength={100} required />
      <label htmlFor="key-purpose">For</label>
      <select id="key-purpose" name="purpose">
        {PURPOSES.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
      <div className="row">
        <button className="main" disabled={create.isPending}>
          Create key
        </button>
        <span className="quiet">
          {active} of {mostActiveKeys} active. A key lives {lifetimeDays} days.
        </span>
      </div>
    </form>
  );
}
