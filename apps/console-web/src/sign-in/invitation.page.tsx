import { SHORTEST_PASSWORD, type Role } from '@outcomes/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { ask, Refusal, useMe } from '../api/console.query';
import { Failure } from '../shell/answer.panel';
import { useTitle } from '../shell/title.query';
import { ROLE_WORDS } from '../words.format';
import { ElsewhereForm } from './sign-in.page';

/** The text of the invitation stands behind the # of the address: browsers send that nowhere. */
const tokenOf = () => location.hash.slice(1);

export function InvitationPage() {
  const [token] = useState(tokenOf);
  const me = useMe();
  useTitle('Invitation');
  const kind = useQuery({ queryKey: ['sign-in'], queryFn: () => ask<{ kind: 'local' | 'oidc' }>('sign-in') });
  const invitation = useQuery({
    queryKey: ['invitation'],
    queryFn: () => ask<{ email: string; role: Role }>('invitations/read', 'POST', { token }),
  });
  return (
    <main className="alone">
      <h1>Invitation</h1>
      {invitation.error && <Failure error={invitation.error} />}
      {invitation.data && (
        <>
          <p>
            For {invitation.data.email}, as {ROLE_WORDS[invitation.data.role]}.
          </p>
          {me.data && (
            <AcceptButton token={token} invited={invitation.data.email} email={me.data.user.email} />
          )}
          {kind.data?.kind === 'oidc' && <ElsewhereForm invitation={token} />}
          {kind.data?.kind === 'local' && !me.data && <AcceptForm token={token} />}
        </>
      )}
    </main>
  );
}

/** For whoever is signed in, wherever that was. */
function AcceptButton({ token, invited, email }: Readonly<Record<'token' | 'invited' | 'email', string>>) {
  const [error, setError] = useState<Error>();
  const accept = () =>
    ask('invitations/accept', 'POST', { token }).then(() => location.assign('/'), setError);
  if (invited !== email)
    return (
      <p>
        You are signed in as {email}. To accept as {invited}, sign out and open this page again.
      </p>
    );
  return (
    <>
      {error && <Failure error={error} />}
      <button className="main" onClick={() => void accept()}>
        Accept as {email}
      </button>
    </>
  );
}

function AcceptForm({ token }: { readonly token: string }) {
  const [error, setError] = useState<Error>();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const password = new FormData(event.currentTarget).get('password') as string;
    void ask('invitations/accept', 'POST', { token, password }).then(() => location.assign('/'), setError);
  };
  return (
    <form onSubmit={submit}>
      {error && <Failure error={error} />}
      {error instanceof Refusal && error.code === 'ACCOUNT_EXISTS' && <a href="/sign-in">Sign in first</a>}
      <label htmlFor="password">Choose a password</label>
      <input
        id="password"
        name="password"
        type="password"
        autoComplete="new-password"
        minLength={SHORTEST_PASSWORD}
        aria-describedby="password-form"
        required
      />
      <p id="password-form" className="quiet">
        At least {SHORTEST_PASSWORD} characters.
      </p>
      <div className="row">
        <button className="main">Accept</button>
      </div>
    </form>
  );
}
