import type { WorkflowDecision } from '@outcomes/contracts';
import { Link } from '@tanstack/react-router';
import { useAnswer } from '../api/console.query';
import { usePlace } from '../api/place.query';
import { AnswerPanel } from '../shell/answer.panel';
import { patternTitle } from '../findings/pattern-title.format';
import { Properties } from '../shell/properties.table';
import { inWords, sourceInWords } from '../code-words.format';
import { cameOf, momentOf, percent, promisedBy } from '../words.format';
import { Replay } from './replay.panel';

/** One decision: what was advised and why, what was promised, and what came of it. */
export function DecisionPage() {
  const { company, decision } = usePlace();
  const answer = useAnswer<WorkflowDecision>(company, `decisions/${encodeURIComponent(decision)}`);
  return (
    <>
      <Link to="/c/$company/decisions" params={{ company }}>
        All decisions
      </Link>
      <h1>Decision</h1>
      <AnswerPanel title={decision} query={answer} height={360}>
        {(said) => (
          <>
            {said.can_contact === false && (
              <p>
                Must not be contacted now: {said.block_reasons.map(inWords).join(', ')}. That overrules the
                advice.
              </p>
            )}
            <Properties rows={rowsOf(said)} />
            <p>
              <Replay decisionId={said.decision_id} />
            </p>
          </>
        )}
      </AnswerPanel>
    </>
  );
}

function rowsOf(decision: WorkflowDecision) {
  const { action, channel, sequence_step, position, tone, weekday, daypart } = decision;
  const advice = [tone, weekday, daypart].filter((part) => part !== null);
  return [
    ['Decided', momentOf(decision.decided_at)],
    ['Contact', decision.contact_id],
    ['Campaign', decision.campaign_id ?? 'none'],
    [
      'Action',
      `${inWords(action)}, ${inWords(channel)}, step ${sequence_step}, position ${inWords(position)}`,
    ],
    ['Why', decision.rationale],
    ['Chosen to learn', decision.exploration ? 'yes' : 'no'],
    ['Not before', decision.not_before === null ? 'none: it is a stop' : momentOf(decision.not_before)],
    ['Advised besides', advice.length === 0 ? 'nothing' : advice.map(inWords).join(', ')],
    [
      'Patterns applied',
      decision.pattern_codes.length === 0
        ? 'none'
        : decision.pattern_codes.map((code) => `${patternTitle(code)} (${code})`).join(', '),
    ],
    ['Predicted chance of a reply', promisedBy(decision)],
    ['Rests on', `${sourceInWords(decision.data_source)}, ${percent(decision.confidence)} on own outcomes`],
    ['Result', cameOf(decision)],
  ] as const;
}
