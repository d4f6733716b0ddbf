import type { CampaignHealth } from '@outcomes/contracts';
import { Link } from '@tanstack/react-router';
import { useAnswer } from '../api/console.query';
import { usePlace } from '../api/place.query';
import { AnswerPanel } from '../shell/answer.panel';
import { Properties } from '../shell/properties.table';
import { TrustLine } from '../shell/trust.panel';
import { forPeople, inWords } from '../code-words.format';
import { rate, times, whole } from '../words.format';

/** In place of advice about what an agent asks with. */
const ADVICE: Readonly<Record<string, string>> = {
  campaign_not_found: 'Check the id, or wait for the first events of the campaign.',
  few_matured_sends: 'Wait for more to settle: e-mail settles after 14 days, LinkedIn after 21.',
  few_expected_replies: 'Wait for more to settle: e-mail settles after 14 days, LinkedIn after 21.',
};

/** One campaign: what came, what was to be expected, and what is behind its status. */
export function CampaignPage() {
  const { company, campaign } = usePlace();
  const path = `intelligence/campaigns/${encodeURIComponent(campaign)}/health`;
  const health = useAnswer<CampaignHealth>(company, path);
  return (
    <>
      <Link to="/c/$company/campaigns" params={{ company }}>
        All campaigns
      </Link>
      <h1>{campaign}</h1>
      <AnswerPanel title="Health" query={health} height={240}>
        {(answer) => (
          <>
            <TrustLine answer={answer} />
            {answer.campaign_count === 0 ? (
              <Unknown company={company} similar={answer.similar_campaign_ids} />
            ) : (
              <>
                <p>{answer.summary}</p>
                <Rates answer={answer} />
              </>
            )}
          </>
        )}
      </AnswerPanel>
      <AnswerPanel title="What drives the status" query={health} height={120}>
        {({ issues }) =>
          issues.length === 0 ? (
            <p>Nothing stands out.</p>
          ) : (
            issues.map(({ code, severity, message, suggested_action }) => (
              <div key={code}>
                <h3>
                  {severity}: {message}
                </h3>
                <p>{ADVICE[code] ?? forPeople(suggested_action)}</p>
              </div>
            ))
          )
        }
      </AnswerPanel>
      <AnswerPanel title="Steps" query={health} height={160}>
        {({ by_step }) => (by_step.length === 0 ? <p>No sends in the window.</p> : <Steps steps={by_step} />)}
      </AnswerPanel>
    </>
  );
}

function Unknown({ company, similar }: { readonly company: string; readonly similar: readonly string[] }) {
  if (similar.length === 0) return <p>No message with this campaign id has arrived.</p>;
  return (
    <>
      <p>No message with this campaign id has arrived. These are similar; case matters:</p>
      <ul>
        {similar.map((campaign) => (
          <li key={campaign}>
            <Link to="/c/$company/campaigns/$campaign" params={{ company, campaign }}>
              {campaign}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

function Rates({ answer }: { readonly answer: CampaignHealth }) {
  const { expected, observed, ratio, ci_low, ci_high } = answer.replies;
  const rows = [
    ['Window', `${answer.window.days} days`],
    ['Reply rate', rate(answer.reply_rate)],
    ['Bounce rate', rate(answer.bounce_rate)],
    ['Unsubscribe rate', rate(answer.unsubscribe_rate)],
    [
      'Replies',
      expected === null
        ? whole(observed)
        : `${whole(observed)} where ${expected.toFixed(1)} were to be expected${
            ratio === null || ci_low === null || ci_high === null
              ? ''
              : `: ${times(ratio)} (${times(ci_low)} to ${times(ci_high)})`
          }`,
    ],
    ['Too young to count', whole(answer.pending)],
    ['The company in the same window', rate(answer.baseline.reply_rate)],
  ] as const;
  return <Properties rows={rows} />;
}

function Steps({ steps }: { readonly steps: CampaignHealth['by_step'] }) {
  return (
    <table>
      <thead>
        <tr>
          <th>Step</th>
          <th>Channel</th>
          <th className="number">Settled messages</th>
          <th className="number">Replies</th>
        </tr>
      </thead>
      <tbody>
        {steps.map(({ sequence_step, channel, sent, responded }) => (
          <tr key={`${sequence_step} ${channel}`}>
            <td>{sequence_step}</td>
            <td>{inWords(channel)}</td>
            <td className="number">{whole(sent)}</td>
            <td className="number">{whole(responded)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
