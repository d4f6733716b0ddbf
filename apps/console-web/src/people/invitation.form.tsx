import { ROLES, type Role } from '@outcomes/contracts';
import { useState, type FormEvent } from 'react';
import { useChange } from '../api/console.query';
import { Failure } from '../shell/answer.panel';
import { ROLE_WORDS } from '../words.format';

/** Makes an invitation, and shows its address this once. */
export function InvitationForm({ company }: { readonly company: string }) {
  const [made, setMade] = useState<{ readonly email: string; readonly token: string }>();
  const invite = useChange<{ email: string; role: Role }, { token: string }>(company, 'people', (body) => ({
    ...{ method: 'POST', body },
  }));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const email = given.get('email') as string;
    setMade(undefined);
    invite.mutate(
      { email, role: given.get('role') as Role },
      {
        onSuccess: ({ token }) => {
          setMade({ email, token });
          invite.reset();
        },
      },
    );
  };
  return (
    <form onSubmit={submit}>
      {invite.error && <Failure error={invite.error} />}
      <label htmlFor="invited">E-mail address</label>
      <input id="invited" name="email" type="email" required />
      <label htmlFor="role">Role</label>
      <select id="role" name="role" defaultValue="member">
        {ROLES.map((role) => (
          <option key={role} value={role}>
            {ROLE_WORDS[role]}
          </option>
        ))}
      </select>
      <div className="row">
        <button className="main" disabled={invite.isPending}>
          Invite
        </button>
      </div>
      {made && (
        <>
          <p>Send {made.email} this address. It is shown once, works once, and expires after 7 days.</p>
          <pre tabIndex={0} data-testid="invitation">
            {`${location.origin}/invite#${made.token}`}
          </pre>
        </>
      )}
    </form>
  );
}
