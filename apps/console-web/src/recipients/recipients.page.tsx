import type { DriftState, RecipientAnalysis } from '@outcomes/contracts';
import { Link } from '@tanstack/react-router';
import { useAnswer } from '../api/console.query';
import { usePlace } from '../api/place.query';
import { AnswerPanel, AnswerPart } from '../shell/answer.panel';
import { ListTable } from '../shell/list.table';
import { TrustLine } from '../shell/trust.panel';
import { inWords } from '../code-words.format';
import { dayOf, plain, rate, whole } from '../words.format';
import { ServedChart } from './served.chart';

/** Who answers: positions with their rates, segments, and the charts that the API serves. */
export function RecipientsPage() {
  const { company } = usePlace();
  const recipients = useAnswer<RecipientAnalysis>(company, 'patterns/recipients');
  const drift = useAnswer<DriftState>(company, 'intelligence/drift');
  return (
    <>
      <h1>Recipients</h1>
      <p className="quiet">
        A share of those who answered is not a reply rate: the rates stand beside it.{' '}
        <Link to="/c/$company/contacts" params={{ company }}>
          Look one contact up
        </Link>
      </p>
      <AnswerPart query={drift} height={24}>
        {(answer) => <TrustLine answer={answer} />}
      </AnswerPart>
      <AnswerPanel title="Who answered" query={recipients} height={320}>
        {(answer) => <Overview answer={answer} />}
      </AnswerPanel>
      <AnswerPanel title="Positions" query={recipients} height={200}>
        {({ position_breakdown, reasons }) =>
          position_breakdown.length === 0 ? (
            <p>
              {plain(
                reasons?.position_breakdown ?? 'No position has three recipients who have answered yet.',
              )}
            </p>
          ) : (
            <Positions rows={position_breakdown} />
          )
        }
      </AnswerPanel>
      <AnswerPanel title="Segments" query={recipients} height={160}>
        {(answer) => <Segments answer={answer} />}
      </AnswerPanel>
      <AnswerPanel title="What stands out" query={recipients} height={120}>
        {({ insights, reasons }) => (
          <>
            {insights.length === 0 && <p>{plain(reasons?.insights ?? 'Nothing stands out.')}</p>}
            {insights.map(({ title, description, sample_size }) => (
              <div key={title}>
                <h3>{plain(title)}</h3>
                <p>
                  {plain(description)} {sample_size > 0 && `n ${whole(sample_size)}.`}
                </p>
              </div>
            ))}
            {reasons?.position_insights !== undefined && <p>{plain(reasons.position_insights)}</p>}
          </>
        )}
      </AnswerPanel>
    </>
  );
}

function Overview({ answer: { overview, charts, reasons } }: { readonly answer: RecipientAnalysis }) {
  const { total_profiled, high_confidence_count, last_updated } = overview;
  if (total_profiled === 0) return <p>{plain(reasons?.overview ?? 'Nobody has answered yet.')}</p>;
  return (
    <>
      <p>
        {whole(total_profiled)} recipients have answered; the position of {whole(high_confidence_count)} of
        them is known with confidence.
        {last_updated !== null && ` As of ${dayOf(last_updated)}.`}
      </p>
      <ServedChart configuration={charts.position_distribution} />
      <ServedChart configuration={charts.confidence_levels} />
    </>
  );
}

function Positions({ rows }: { readonly rows: RecipientAnalysis['position_breakdown'] }) {
  const titles = ['Position', 'Reply rate (95 %)', 'Messages', 'Answered', 'Of those who answered'];
  return (
    <ListTable label="Positions" titles={titles}>
      {rows.map(({ position, reply_rate, messages, count, percentage }) => (
        <tr key={position}>
          <td>{inWords(position)}</td>
          <td>{reply_rate ? rate(reply_rate) : 'not available'}</td>
          <td className="number">{messages === undefined ? 'not available' : whole(messages)}</td>
          <td className="number">{whole(count)}</td>
          <td className="number">{percentage.toFixed(1)} %</td>
        </tr>
      ))}
    </ListTable>
  );
}

function Segments({ answer: { segments, charts, reasons } }: { readonly answer: RecipientAnalysis }) {
  if (segments.length === 0)
    return <p>{plain(reasons?.segments ?? 'No groups with different preferences were found.')}</p>;
  return (
    <>
      <ServedChart configuration={charts.segment_sizes} />
      {segments.map(({ id, name, size, key_insights, stability }) => (
        <div key={id}>
          <h3>{plain(name)}</h3>
          <p>
            {whole(size)} recipients; found again with a similarity of {stability.toFixed(2)} when replies are
            drawn anew.
          </p>
          <ul>
            {key_insights.map((insight) => (
              <li key={insight}>{plain(insight)}</li>
            ))}
          </ul>
        </div>
      ))}
    </>
  );
}
