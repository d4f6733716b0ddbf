import {
  aroundDay,
  type Calibration,
  type CampaignRecommendations,
  type DriftState,
} from '@outcomes/contracts';
import { Link } from '@tanstack/react-router';
import { ALL_FINDINGS, useAnswer } from '../api/console.query';
import { usePlace } from '../api/place.query';
import { FindingLines } from '../findings/finding-lines.panel';
import { ForestChart, isMeasured } from '../findings/forest.chart';
import { AnswerPanel } from '../shell/answer.panel';
import { TrustLine } from '../shell/trust.panel';
import { calibrationLine, dayOf, driftInWords, plain, whole } from '../words.format';
import { Checklist } from './checklist.panel';
import { SinceLastVisit } from './since-last-visit.panel';

const MAX_CONFIRMED = 12;
const MAX_NEXT = 5;

/** What was learned, how sure, what is missing, what changed: in a minute. */
export function OverviewPage() {
  const { company } = usePlace();
  const findings = useAnswer<CampaignRecommendations>(company, ALL_FINDINGS);
  const calibration = useAnswer<Calibration>(company, 'intelligence/calibration');
  // Not the run, which every company has every night: whether there was an outcome to read.
  const isEmpty = findings.data?.newest_outcome_at === null;
  return (
    <>
      <h1>What your outreach has taught so far</h1>
      {isEmpty ? (
        <p className="quiet">Nothing is known yet.</p>
      ) : (
        findings.data && <TrustLine answer={findings.data} />
      )}
      {isEmpty && <Checklist company={company} />}
      <Drift company={company} />
      <SinceLastVisit company={company} />
      <AnswerPanel title="Confirmed" query={findings} height={420}>
        {({ recommendations }) => {
          const confirmed = recommendations.filter(({ evidence_tier }) => evidence_tier === 'confirmed');
          const shown = confirmed.slice(0, MAX_CONFIRMED);
          const measured = shown.filter(isMeasured);
          if (confirmed.length === 0)
            return <p>Nothing is confirmed yet. Findings says why, pattern by pattern.</p>;
          return (
            <>
              {measured.length > 0 && <ForestChart findings={measured} />}
              <FindingLines company={company} findings={shown} />
              {confirmed.length > shown.length && (
                <Link to="/c/$company/findings" params={{ company }}>
                  {whole(confirmed.length - shown.length)} more under Findings
                </Link>
              )}
            </>
          );
        }}
      </AnswerPanel>
      <AnswerPanel title="Next to decide" query={findings} height={120}>
        {({ recommendations }) => <Next recommendations={recommendations} company={company} />}
      </AnswerPanel>
      <AnswerPanel title="How stated probabilities came out" query={calibration} height={48}>
        {(answer) => <p>{calibrationLine(answer)}</p>}
      </AnswerPanel>
    </>
  );
}

/** Whether replies changed: that it is not known is no sign that they did not. */
function Drift({ company }: { readonly company: string }) {
  const drift = useAnswer<DriftState>(company, 'intelligence/drift');
  // The state of a company is that of its gravest channel: a young one must not hide that another changed.
  const changed = drift.data?.tests.filter(({ state }) => state === 'rate').map(({ channel }) => channel);
  const newest = drift.data?.changes.find(({ channel }) => changed?.includes(channel));
  return (
    <AnswerPanel
      title={newest ? `Replies changed ${aroundDay(dayOf(newest.since))}` : 'Whether replies changed'}
      warning={newest !== undefined}
      query={drift}
      height={48}
    >
      {({ drift_state, posteriors_trustworthy, recommended_action }) =>
        newest ? (
          <>
            <p>{recommended_action}</p>
            <Link to="/c/$company/drift" params={{ company }}>
              What changed
            </Link>
          </>
        ) : (
          <>
            <p>{driftInWords(drift_state, posteriors_trustworthy)}</p>
            {!posteriors_trustworthy && <p>{recommended_action}</p>}
          </>
        )
      }
    </AnswerPanel>
  );
}

function Next({
  recommendations,
  company,
}: Pick<CampaignRecommendations, 'recommendations'> & { readonly company: string }) {
  const next = recommendations
    .filter(isMeasured)
    .filter(
      ({ evidence_tier, evidence }) => evidence_tier !== 'confirmed' && evidence.sends_to_decide !== null,
    )
    .sort((one, other) => (one.evidence.sends_to_decide ?? 0) - (other.evidence.sends_to_decide ?? 0))
    .slice(0, MAX_NEXT);
  if (next.length === 0) return <p>No pattern is close to a decision.</p>;
  return (
    <ul>
      {next.map(({ code, title, evidence }) => (
        <li key={code}>
          <Link to="/c/$company/findings/$code" params={{ company, code }}>
            {plain(title)}
          </Link>
          : about {whole(evidence.sends_to_decide ?? 0)} more sends decide it, either way.
        </li>
      ))}
    </ul>
  );
}
