import type { WorkflowDecision, WorkflowDecisions } from '@outcomes/contracts';
import { Link } from '@tanstack/react-router';
import { usePageOf } from '../api/console.query';
import { usePlace } from '../api/place.query';
import { PagedPanel, usePages } from '../shell/paged.panel';
import { TrustLine } from '../shell/trust.panel';
import { inWords } from '../code-words.format';
import { cameOf, counted, momentOf, promisedBy } from '../words.format';
import { Replay } from './replay.panel';

/** What was decided about contacts, what was promised, and what came. */
export function DecisionsPage() {
  const { company } = usePlace();
  const pages = usePages();
  const decisions = usePageOf<WorkflowDecisions>(company, `intelligence/decisions?${pages.query(20)}`);
  return (
    <>
      <h1>Decisions</h1>
      <p className="quiet">
        A decision is frozen with all that it was made from. Replay makes it again from those bytes, in this
        browser and on the server, and compares.
      </p>
      <PagedPanel title="Newest first" pages={pages} query={decisions} height={480}>
        {(answer) => (
          <>
            <TrustLine answer={answer} />
            {answer.decisions.length === 0 ? (
              <p>Nothing has been decided yet.</p>
            ) : (
              <DecisionTable company={company} rows={answer.decisions} count={answer.decision_count} />
            )}
          </>
        )}
      </PagedPanel>
    </>
  );
}

function DecisionTable({
  company,
  rows,
  count,
}: {
  readonly company: string;
  readonly rows: readonly WorkflowDecision[];
  readonly count: number;
}) {
  return (
    <div className="wide" tabIndex={0} role="region" aria-label="Decisions">
      <table>
        <caption>{counted(count, 'decision')}</caption>
        <thead>
          <tr>
            {['Decided', 'Contact', 'Action', 'Why', 'Promised', 'Result', 'Replay'].map((title) => (
              <th key={title}>{title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((decision) => (
            <tr key={decision.decision_id}>
              <td>
                <Link
                  to="/c/$company/decisions/$decision"
                  params={{ company, decision: decision.decision_id }}
                >
                  {momentOf(decision.decided_at)}
                </Link>
              </td>
              <td>{decision.contact_id}</td>
              <td>
                {inWords(decision.action)}, {inWords(decision.channel)}
                {decision.can_contact === false &&
                  `; must not be written to now: ${decision.block_reasons.map(inWords).join(', ')}`}
              </td>
              <td>{decision.rationale}</td>
              <td>{promisedBy(decision)}</td>
              <td>{cameOf(decision)}</td>
              <td>
                <Replay decisionId={decision.decision_id} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
