import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState, type FormEvent } from 'react';
import { ask, Refusal, useMe } from '../api/console.query';
import { usePlace } from '../api/place.query';
import { pathHere } from '../sign-in/return-path.query';
import { ROLE_WORDS } from '../words.format';
import { Failure } from './answer.panel';
import { useTitle } from './title.query';

const PLACES = [
  ['/c/$company', 'Overview'],
  ['/c/$company/findings', 'Findings'],
  ['/c/$company/rates', 'Rates'],
  ['/c/$company/drift', 'Drift'],
  ['/c/$company/ledger', 'Ledger'],
  ['/c/$company/campaigns', 'Campaigns'],
  ['/c/$company/recipients', 'Recipients'],
  ['/c/$company/contacts', 'Contacts'],
  ['/c/$company/decisions', 'Decisions'],
  ['/c/$company/calibration', 'Calibration'],
  ['/c/$company/backtest', 'Backtest'],
  ['/c/$company/data', 'Data'],
  ['/c/$company/audit', 'Audit'],
] as const;
const GUARDED_PLACES = [
  ['/c/$company/data/import', 'Import', 'import'],
  ['/c/$company/access', 'Agent access', 'manage_billing'],
  ['/c/$company/usage', 'Usage', 'manage_billing'],
  ['/c/$company/people', 'People', 'manage_people'],
  ['/c/$company/settings', 'Settings', 'manage_people'],
] as const;

/** Addresses below which other pages of the list lie. */
const EXACT: readonly string[] = ['/c/$company', '/c/$company/data'];

/** Around every page of a company: where one can go, whose data this is, and the way out. */
export function ShellPage() {
  const { company, code, campaign, decision } = usePlace();
  const navigate = useNavigate();
  const me = useMe();
  const isStranger = me.error instanceof Refusal && me.error.status === 401;
  useEffect(() => {
    if (isStranger) void navigate({ to: '/sign-in', search: { to: pathHere() } });
  }, [isStranger, navigate]);
  const own = me.data?.companies.find(({ companyId }) => companyId === company);
  useTitle(code || campaign || decision, usePlaceName(company), own?.name);
  const places = [
    ...PLACES,
    ...GUARDED_PLACES.filter(([, , permission]) => own?.permissions.includes(permission)),
  ];
  return (
    <div className="frame">
      <nav aria-label="Pages">
        <a className="skip" href="#content">
          Skip to content
        </a>
        {me.data && me.data.companies.length > 1 ? (
          <CompanyChoice company={company} />
        ) : (
          <strong>{own?.name}</strong>
        )}
        <ul>
          {places.map(([to, name]) => (
            <li key={to}>
              <Link to={to} params={{ company }} activeOptions={{ exact: EXACT.includes(to) }}>
                {name}
              </Link>
            </li>
          ))}
        </ul>
        {me.data && (
          <p className="quiet">
            <Link to="/account">{me.data.user.email}</Link>
            {own && ROLE_WORDS[own.role]}
          </p>
        )}
        <SignOut />
        <p className="quiet">
          Send days are the sender’s, others UTC’s; times: {Intl.DateTimeFormat().resolvedOptions().timeZone}.
        </p>
      </nav>
      {/* Busy until it is known what this person may do: parts of the pages stand or fall with it. */}
      <main id="content" aria-busy={me.isPending}>
        {me.error && !isStranger && <Failure error={me.error} retry={() => void me.refetch()} />}
        {me.data && !own ? <NoCompany /> : <Outlet />}
      </main>
    </div>
  );
}

/** Of the page that is open, or of the one that it belongs to. */
function usePlaceName(company: string): string | undefined {
  const { pathname } = useLocation();
  return [...PLACES, ...GUARDED_PLACES]
    .map(([to, name]) => ({ path: to.replace('$company', company), name }))
    .filter(({ path }) => pathname === path || pathname.startsWith(`${path}/`))
    .sort((one, other) => other.path.length - one.path.length)[0]?.name;
}

function SignOut() {
  const [error, setError] = useState<Error>();
  const leave = () => ask('session', 'DELETE').then(() => location.assign('/sign-in'), setError);
  return (
    <>
      {error && (
        <>
          <p>You are still signed in:</p>
          <Failure error={error} />
        </>
      )}
      <button onClick={() => void leave()}>Sign out</button>
    </>
  );
}

/** A company is changed by a button: choosing in a list with the arrow keys goes through every company on the way. */
function CompanyChoice({ company }: { readonly company: string }) {
  const me = useMe();
  const navigate = useNavigate();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const chosen = new FormData(event.currentTarget).get('company') as string;
    void navigate({ to: '/c/$company', params: { company: chosen } });
  };
  return (
    <form onSubmit={submit}>
      <label htmlFor="company">Company</label>
      <select key={company} id="company" name="company" defaultValue={company}>
        {me.data?.companies.map(({ companyId, name }) => (
          <option key={companyId} value={companyId}>
            {name}
          </option>
        ))}
      </select>
      <div className="row">
        <button>Go to it</button>
      </div>
    </form>
  );
}

function NoCompany() {
  return (
    <section className="panel">
      <h1>No company at this address</h1>
      <p>You do not have access to it, or it does not exist.</p>
      <Link to="/">Go to one of your companies</Link>
    </section>
  );
}
