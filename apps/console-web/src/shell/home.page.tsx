import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Refusal, useMe } from '../api/console.query';
import { Failure } from './answer.panel';

/** Leads to the first company of whoever is signed in, or to the sign-in. */
export function HomePage() {
  const navigate = useNavigate();
  const me = useMe();
  const first = me.data?.companies[0]?.companyId;
  const isStranger = me.error instanceof Refusal && me.error.status === 401;
  useEffect(() => {
    if (first !== undefined) void navigate({ to: '/c/$company', params: { company: first }, replace: true });
    else if (isStranger) void navigate({ to: '/sign-in', replace: true });
  }, [first, isStranger, navigate]);
  return (
    <main className="alone">
      <h1>Outcomes</h1>
      {me.error && !isStranger && <Failure error={me.error} retry={() => void me.refetch()} />}
      {me.data?.companies.length === 0 && (
        <p>You do not have access to a company yet. Ask for an invitation.</p>
      )}
    </main>
  );
}
