import type { CompanyUsage, KeyUsage } from '@outcomes/contracts';
import { useAnswer } from '../api/console.query';
import { usePlace } from '../api/place.query';
import { AnswerPanel } from '../shell/answer.panel';
import { ListTable } from '../shell/list.table';
import { dayOf, monthOf, percent, whole } from '../words.format';

/** What each key has used of its month. */
export function UsagePage() {
  const { company } = usePlace();
  const usage = useAnswer<CompanyUsage>(company, 'usage');
  return (
    <>
      <h1>Usage</h1>
      <p className="quiet">
        Requests of keys that were answered. What you see here spends none of them, and ingestion counts in no
        month.
      </p>
      <AnswerPanel title="This month" query={usage} height={200}>
        {({ month, resetsAt, writtenEverySeconds, keys }) =>
          keys.length === 0 ? (
            <p>There are no keys yet, so there is no usage.</p>
          ) : (
            <>
              <p className="quiet">
                {monthOf(month)}; counted anew from {dayOf(resetsAt)} (UTC). Requests of the last{' '}
                {writtenEverySeconds} seconds may be missing.
              </p>
              <UsageTable keys={keys} />
            </>
          )
        }
      </AnswerPanel>
      <AnswerPanel title="Earlier months" query={usage} height={120}>
        {({ keys }) => <Earlier keys={keys} />}
      </AnswerPanel>
    </>
  );
}

function UsageTable({ keys }: { readonly keys: readonly KeyUsage[] }) {
  return (
    <ListTable label="Usage of keys" titles={['Key', 'Key id', 'State', 'Used', 'Of', 'Share']}>
      {keys.map(({ keyId, name, state, used, monthlyQuota }) => (
        <tr key={keyId}>
          <td>{name || 'unnamed'}</td>
          <td>
            <code>{keyId}</code>
          </td>
          <td>{state}</td>
          <td className="number" data-used={used}>
            {whole(used)}
          </td>
          <td className="number">{whole(monthlyQuota)}</td>
          <td className={used >= monthlyQuota ? 'number fault' : 'number'}>
            {used >= monthlyQuota ? 'used up' : percent(used / monthlyQuota)}
          </td>
        </tr>
      ))}
    </ListTable>
  );
}

function Earlier({ keys }: { readonly keys: readonly KeyUsage[] }) {
  const rows = keys.flatMap(({ keyId, name, earlier }) => earlier.map((row) => ({ keyId, name, ...row })));
  if (rows.length === 0) return <p>No key was used in the previous five months.</p>;
  rows.sort((one, other) => other.month.localeCompare(one.month));
  return (
    <ListTable label="Earlier months" titles={['Month', 'Key', 'Key id', 'Requests']}>
      {rows.map(({ keyId, name, month, used }) => (
        <tr key={`${month} ${keyId}`}>
          <td>{monthOf(month)}</td>
          <td>{name || 'unnamed'}</td>
          <td>
            <code>{keyId}</code>
          </td>
          <td className="number">{whole(used)}</td>
        </tr>
      ))}
    </ListTable>
  );
}
