import type { AdministrativeAct } from '@outcomes/contracts';
import { useAnswer } from '../api/console.query';
import { AnswerPanel } from '../shell/answer.panel';
import { ListTable } from '../shell/list.table';
import { actInWords } from '../code-words.format';
import { momentOf } from '../words.format';

/** What was done to the company, its people and its keys; each act is sealed with the one before. */
export function ActsPanel({ company }: { readonly company: string }) {
  const acts = useAnswer<{ readonly acts: readonly AdministrativeAct[] }>(company, 'acts');
  return (
    <AnswerPanel title="Acts of administrators" query={acts} height={240}>
      {({ acts: rows }) =>
        rows.length === 0 ? (
          <p>Nothing has been done yet.</p>
        ) : (
          <ListTable
            label="Acts"
            titles={['When', 'What', 'To', 'By', 'Seal']}
            caption="The newest 50, newest first"
          >
            {rows.map(({ number, occurredAt, action, subject, by, seal }) => (
              <tr key={number}>
                <td>{momentOf(occurredAt)}</td>
                <td>{actInWords(action)}</td>
                <td>{subject ?? 'the company'}</td>
                <td>{by}</td>
                <td>
                  <code>{seal.slice(0, 16)}…</code>
                </td>
              </tr>
            ))}
          </ListTable>
        )
      }
    </AnswerPanel>
  );
}
