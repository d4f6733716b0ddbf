import { Link, Outlet, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ask, Refusal, useMe } from '../api/console.query';
import { usePlace } from '../api/place.query';
import { pathHere } from '../sign-in/return-path.query';
import { ROLE_WORDS } from '../words.format';
import { Failure } from './answer.panel';

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
  const { company } = usePlace();
  const navigate = useNavigate();
  const me = useMe();
  const isStranger = me.error instanceof Refusal && me.error.status === 401;
  useEffect(() => {
    if (isStranger) void navigate({ to: '/sign-in', search: { to: pathHere() } });
  }, [isStranger, navigate]);
  const own = me.data?.companies.find(({ companyId }) => companyId === company);
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
        <button onClick={() => void ask('session', 'DELETE').then(() => location.assign('/sign-in'))}>
          Sign out
        </button>
      </nav>
      {/* Busy until it is known what this person may do: parts of the pages stand or fall with it. */}
      <main id="content" aria-busy={me.isPending}>
        {me.error && !isStranger && <Failure error={me.error} retry={() => void me.refetch()} />}
        {me.data && !own ? <NoCompany /> : <Outlet />}
      </main>
    </div>
  );
}

function CompanyChoice({ company }: { readonly company: string }) {
  const me = useMe();
  const navigate = useNavigate();
  return (
    <>
      <label htmlFor="company">Company</label>
      <select
        id="company"
        value={company}
        onChange={({ target }) => void navigate({ to: '/c/$company', params: { company: target.value } })}
      >
        {me.data?.companies.map(({ companyId, name }) => (
          <option key={companyId} value={companyId}>
            {name}
          </option>
        ))}
      </select>
    </>
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
