import type { CampaignRecommendations } from '@outcomes/contracts';
import { ALL_FINDINGS, useAnswer } from '../api/console.query';
import { usePlace } from '../api/place.query';
import { AnswerPanel } from '../shell/answer.panel';
import { TrustLine } from '../shell/trust.panel';
import { FindingLines } from './finding-lines.panel';
import { ForestChart, isMeasured } from './forest.chart';
import { WhyNotYet } from './why-not-yet.panel';

/** Everything that is claimed, and why nothing is claimed of the rest. */
export function FindingsPage() {
  const { company } = usePlace();
  const findings = useAnswer<CampaignRecommendations>(company, ALL_FINDINGS);
  return (
    <>
      <h1>Findings</h1>
      <p className="quiet">
        Confirmed: on average at most 1 in 20 such claims is chance, however often you look. Compared inside
        campaign, fortnight, step, position and channel.
      </p>
      <AnswerPanel title="Effect on the odds of a reply" query={findings} height={480}>
        {(answer) => {
          const measured = answer.recommendations.filter(isMeasured);
          return (
            <>
              <TrustLine answer={answer} />
              {answer.recommendations.length === 0 && <p>Nothing is claimed yet. The reasons are below.</p>}
              {measured.length > 0 && <ForestChart findings={measured} />}
              <FindingLines company={company} findings={answer.recommendations} />
            </>
          );
        }}
      </AnswerPanel>
      {findings.data && <WhyNotYet company={company} undecided={findings.data.undecided} />}
    </>
  );
}
