import { SHORTEST_PASSWORD } from '@outcomes/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { ask } from '../api/console.query';
import { Failure } from '../shell/answer.panel';

/** Another password: all other sessions end with it. */
export function PasswordForm() {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (body: { current: string; next: string }) => ask('account/password', 'PUT', body),
    onSuccess: () => client.invalidateQueries({ queryKey: ['account'] }),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const given = new FormData(form);
    const body = { current: given.get('current') as string, next: given.get('next') as string };
    change.mutate(body, { onSuccess: () => form.reset() });
  };
  return (
    <form onSubmit={submit}>
      {change.error && <Failure error={change.error} />}
      <label htmlFor="current">Current password</label>
      <input id="current" name="current" type="password" autoComplete="current-password" required />
      <label htmlFor="next">New password</label>
      <input
        id="next"
        name="next"
        type="password"
        autoComplete="new-password"
        minLength={SHORTEST_PASSWORD}
        aria-describedby="next-form"
        required
      />
      <p id="next-form" className="quiet">
        At least {SHORTEST_PASSWORD} characters. Wherever else you are signed in, you are signed out.
      </p>
      <div className="row">
        <button className="main" disabled={change.isPending}>
          Change password
        </button>
        <span role="status">{change.isSuccess && 'Changed.'}</span>
      </div>
    </form>
  );
}
