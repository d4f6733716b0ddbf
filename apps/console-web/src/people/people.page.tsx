import { useAnswer, useChange, type People } from '../api/console.query';
import { usePlace } from '../api/place.query';
import { AnswerPanel, Failure } from '../shell/answer.panel';
import { dayOf, ROLE_WORDS } from '../words.format';
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
              <td>{ROLE_WORDS[role]}</td>
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
              <td>invited until {dayOf(expiresAt)}</td>
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
