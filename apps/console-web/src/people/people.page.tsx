import { ROLES, type Role } from '@outcomes/contracts';
import { useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { useAnswer, useChange, type People } from '../api/console.query';
import { usePlace } from '../api/place.query';
import { AnswerPanel, Failure } from '../shell/answer.panel';
import { dayOf, momentOf, ROLE_WORDS } from '../words.format';
import { InvitationForm } from './invitation.form';

/** Who may enter the company, and who is invited. */
export function PeoplePage() {
  const { company } = usePlace();
  const people = useAnswer<People>(company, 'people');
  return (
    <>
      <h1>People</h1>
      <AnswerPanel title="Who may enter" query={people} height={200}>
        {(answer) => <PeopleTable company={company} answer={answer} />}
      </AnswerPanel>
      <section className="panel">
        <h2>Invite</h2>
        <InvitationForm company={company} />
      </section>
    </>
  );
}

function PeopleTable({ company, answer }: { readonly company: string; readonly answer: People }) {
  const remove = useChange<string, undefined>(company, 'people', (path) => ({
    ...{ path: `/${path}`, method: 'DELETE' },
  }));
  return (
    <div className="wide" tabIndex={0} role="region" aria-label="People">
      {remove.error && <Failure error={remove.error} />}
      <table>
        <thead>
          <tr>
            {['Address', 'Role', 'Since'].map((title) => (
              <th key={title}>{title}</th>
            ))}
            <th>
              <span className="quiet">Remove or withdraw</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {answer.people.map(({ userId, email, role, since }) => (
            <tr key={userId}>
              <td>{email}</td>
              <td>
                <RoleForm company={company} person={{ userId, email, role }} />
              </td>
              <td>{dayOf(since)}</td>
              <td>
                <button
                  disabled={remove.isPending}
                  onClick={() => remove.mutate(userId)}
                  aria-label={`Remove ${email}`}
                >
                  Remove
                </button>
              </td>
            </tr>
          ))}
          {answer.invitations.map(({ invitationId, email, role, expiresAt }) => (
            <tr key={invitationId}>
              <td>{email}</td>
              <td>{ROLE_WORDS[role]}</td>
              <td>invited until {momentOf(expiresAt)}</td>
              <td>
                <button
                  disabled={remove.isPending}
                  onClick={() => remove.mutate(`invitations/${invitationId}`)}
                  aria-label={`Withdraw the invitation of ${email}`}
                >
                  Withdraw
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RoleProps {
  readonly company: string;
  readonly person: Pick<People['people'][number], 'userId' | 'email' | 'role'>;
}

/** A role is changed by a button: choosing in a list with the arrow keys goes through every role on the way. */
function RoleForm({ company, person: { userId, email, role } }: RoleProps) {
  const client = useQueryClient();
  const change = useChange<Role, undefined>(company, 'people', (next) => ({
    ...{ path: `/${userId}`, method: 'PUT', body: { role: next } },
  }));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const next = new FormData(event.currentTarget).get('role') as Role;
    // It may be the own role, which decides what the pages offer.
    change.mutate(next, { onSuccess: () => void client.invalidateQueries({ queryKey: ['me'] }) });
  };
  return (
    <form onSubmit={submit}>
      {change.error && <Failure error={change.error} />}
      <div className="row">
        <select key={role} name="role" defaultValue={role} aria-label={`Role of ${email}`}>
          {ROLES.map((known) => (
            <option key={known} value={known}>
              {ROLE_WORDS[known]}
            </option>
          ))}
        </select>
        <button disabled={change.isPending} aria-label={`Change the role of ${email}`}>
          Change
        </button>
      </div>
    </form>
  );
}
