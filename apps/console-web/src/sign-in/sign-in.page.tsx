import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { ask } from '../api/console.query';
import { useSignInSearch } from '../api/place.query';
import { Failure } from '../shell/answer.panel';
import { useTitle } from '../shell/title.query';
import { returnPath } from './return-path.query';

const REFUSED: Readonly<Record<string, string>> = {
  IDENTITY_REFUSED:
    'The identity provider signed you in, but there is no account for you here, or it did not ask you to sign in again when it had to. Ask for an invitation, or try again.',
  INVITATION_NOT_FOUND: 'The invitation is for another address, was used, or has ended.',
  ACCOUNT_EXISTS:
    'The account of this address belongs to another identity at the provider. Ask whoever runs this service for an invitation that relinks it (outcomes user invite --relink).',
};

/** Where whoever is not signed in ends up. */
export function SignInPage() {
  const kind = useQuery({ queryKey: ['sign-in'], queryFn: () => ask<{ kind: 'local' | 'oidc' }>('sign-in') });
  const { to, refused } = useSignInSearch();
  useTitle('Sign in');
  return (
    <main className="alone">
      <h1>Sign in</h1>
      {refused !== undefined && <p role="alert">{REFUSED[refused] ?? 'The sign-in was refused.'}</p>}
      {kind.error && <Failure error={kind.error} retry={() => void kind.refetch()} />}
      {kind.data?.kind === 'oidc' && <ElsewhereForm />}
      {kind.data?.kind === 'local' && <PasswordForm to={returnPath(to)} />}
    </main>
  );
}

export function ElsewhereForm({ invitation }: { readonly invitation?: string }) {
  const [error, setError] = useState<Error>();
  const leave = () =>
    ask<{ location: string }>('oidc/start', 'POST', { invitation }).then(
      ({ location: there }) => location.assign(there),
      setError,
    );
  return (
    <>
      {error && <Failure error={error} />}
      <button className="main" onClick={() => void leave()}>
        Continue at your identity provider
      </button>
    </>
  );
}

function PasswordForm({ to }: { readonly to: string }) {
  const [error, setError] = useState<Error>();
  const [isBusy, setBusy] = useState(false);
  const { history } = useRouter();
  const client = useQueryClient();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    setBusy(true);
    setError(undefined);
    ask('session', 'POST', { email: given.get('email'), password: given.get('password') })
      .then(() => {
        client.clear();
        history.replace(to);
      })
      .catch(setError)
      .finally(() => setBusy(false));
  };
  return (
    <form onSubmit={submit}>
      {error && <Failure error={error} />}
      <label htmlFor="email">E-mail address</label>
      <input id="email" name="email" type="email" autoComplete="username" required />
      <label htmlFor="password">Password</label>
      <input id="password" name="password" type="password" autoComplete="current-password" required />
      <div className="row">
        <button className="main" disabled={isBusy}>
          Sign in
        </button>
      </div>
    </form>
  );
}
