import type { OwnAccount } from '@outcomes/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ask, Refusal, useMe } from '../api/console.query';
import { AnswerPanel, Failure } from '../shell/answer.panel';
import { ListTable } from '../shell/list.table';
import { useTitle } from '../shell/title.query';
import { pathHere } from '../sign-in/return-path.query';
import { momentOf, ROLE_WORDS } from '../words.format';
import { PasswordForm } from './password.form';

/** Who is signed in, where, and as what. */
export function AccountPage() {
  const navigate = useNavigate();
  const client = useQueryClient();
  const me = useMe();
  const account = useQuery({ queryKey: ['account'], queryFn: () => ask<OwnAccount>('account') });
  const isStranger = account.error instanceof Refusal && account.error.status === 401;
  useEffect(() => {
    if (isStranger) void navigate({ to: '/sign-in', search: { to: pathHere() } });
  }, [isStranger, navigate]);
  useTitle('Your account');
  const [leaving, setLeaving] = useState<Error>();
  const leaveEverywhere = () =>
    void ask('sessions', 'DELETE').then(() => {
      client.clear();
      return navigate({ to: '/sign-in' });
    }, setLeaving);
  return (
    <main className="still">
      <Link to="/">Back to the overview</Link>
      <h1>Your account</h1>
      <AnswerPanel title="Companies" query={me} height={80}>
        {({ user, companies }) => (
          <>
            <p>{user.email}</p>
            {companies.length === 0 && <p>You do not have access to a company yet. Ask for an invitation.</p>}
            <ul>
              {companies.map(({ companyId, name, role }) => (
                <li key={companyId}>
                  <Link to="/c/$company" params={{ company: companyId }}>
                    {name}
                  </Link>
                  , {ROLE_WORDS[role]}
                </li>
              ))}
            </ul>
          </>
        )}
      </AnswerPanel>
      <AnswerPanel title="Where you are signed in" query={account} height={120}>
        {({ sessions }) => (
          <>
            <ListTable label="Sessions" titles={['Signed in', 'Last used']}>
              {sessions.map(({ signedInAt, lastUsedAt, isThis }) => (
                <tr key={`${signedInAt} ${lastUsedAt}`}>
                  <td>{momentOf(signedInAt)}</td>
                  <td>
                    {momentOf(lastUsedAt)}
                    {isThis && ', here'}
                  </td>
                </tr>
              ))}
            </ListTable>
            {leaving && (
              <>
                <p>You are still signed in everywhere:</p>
                <Failure error={leaving} />
              </>
            )}
            <div className="row">
              <button onClick={leaveEverywhere}>Sign out everywhere</button>
            </div>
          </>
        )}
      </AnswerPanel>
      <AnswerPanel title="Password" query={account} height={200}>
        {({ hasPassword }) =>
          hasPassword ? (
            <PasswordForm />
          ) : (
            <p>There is no password here: you sign in at your identity provider, and change it there.</p>
          )
        }
      </AnswerPanel>
    </main>
  );
}
