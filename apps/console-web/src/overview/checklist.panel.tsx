import { Link } from '@tanstack/react-router';
import { useMe } from '../api/console.query';

/** What a company without data does first. */
export function Checklist({ company }: { readonly company: string }) {
  const me = useMe();
  const own = me.data?.companies.find(({ companyId }) => companyId === company);
  const mayManage = own?.permissions.includes('manage_billing') === true;
  const mayManagePeople = own?.permissions.includes('manage_people') === true;
  return (
    <section className="panel">
      <h2>From nothing to the first finding</h2>
      <ol>
        <li>
          Weekdays and times of day of messages are read in {own?.timeZone ?? 'UTC'}.{' '}
          {mayManagePeople && (
            <Link to="/c/$company/settings" params={{ company }}>
              Choose your time zone
            </Link>
          )}
        </li>
        <li>
          {own?.permissions.includes('import') === true ? (
            <Link to="/c/$company/data/import" params={{ company }}>
              Import history
            </Link>
          ) : (
            'Ask an owner or organization admin to import history.'
          )}
        </li>
        <li>
          The first analysis follows within minutes. Findings then says what can and cannot be told yet.
        </li>
        <li>
          {mayManage ? (
            <Link to="/c/$company/access" params={{ company }}>
              Create a key
            </Link>
          ) : (
            'Ask an owner or organization admin for a key.'
          )}
        </li>
        <li>Connect your agent with the key; its calls appear under Audit.</li>
        {mayManagePeople && (
          <li>
            <Link to="/c/$company/people" params={{ company }}>
              Invite colleagues
            </Link>
          </li>
        )}
      </ol>
    </section>
  );
}
