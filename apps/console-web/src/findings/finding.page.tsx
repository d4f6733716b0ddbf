import type { CampaignRecommendations, ClaimRecord } from '@outcomes/contracts';
import { Link } from '@tanstack/react-router';
import { ALL_FINDINGS, useAnswer } from '../api/console.query';
import { usePlace } from '../api/place.query';
import { AnswerPanel } from '../shell/answer.panel';
import { Properties } from '../shell/properties.table';
import { TrustLine } from '../shell/trust.panel';
import { chance, dayOf, plain, rate, times, whole } from '../words.format';
import { ClaimsTable, NewestOf } from '../ledger/claims.table';
import { EvidencePathPanel } from './evidence-path.panel';
import { isMeasured, type Measured } from './forest.chart';
import { LevelsPanel } from './levels.panel';
import { patternTitle } from './pattern-title.format';

/** One finding with all that it rests on, or why there is none. */
export function FindingPage() {
  const { company, code } = usePlace();
  const findings = useAnswer<CampaignRecommendations>(company, ALL_FINDINGS);
  const record = useAnswer<ClaimRecord>(company, `claims/${code}`);
  const finding = findings.data?.recommendations.find((one) => one.code === code);
  const reason = findings.data?.undecided.find(({ codes }) => codes.includes(code));
  return (
    <>
      <Link to="/c/$company/findings" params={{ company }}>
        All findings
      </Link>
      <h1>{finding ? plain(finding.title) : patternTitle(code)}</h1>
      <AnswerPanel title={finding ? 'What it rests on' : 'Why not yet'} query={findings} height={320}>
        {(answer) => (
          <>
            <TrustLine answer={answer} />
            {finding && isMeasured(finding) ? (
              <Evidence finding={finding} />
            ) : (
              <p>
                {finding
                  ? `${finding.evidence_tier}: how large it is follows with the next analysis.`
                  : reason
                    ? plain(reason.message)
                    : 'No message shows this pattern, and nothing is claimed about it.'}
              </p>
            )}
          </>
        )}
      </AnswerPanel>
      <EvidencePathPanel company={company} code={code} />
      <LevelsPanel company={company} code={code} />
      <AnswerPanel title="What was claimed of it" query={record} height={96}>
        {({ total, claims }) => {
          if (total === 0) return <p>Nothing has been claimed about it yet.</p>;
          return (
            <>
              <ClaimsTable company={company} claims={claims} />
              <NewestOf total={total} listed={claims.length} />
            </>
          );
        }}
      </AnswerPanel>
    </>
  );
}

function Evidence({ finding }: { readonly finding: Measured }) {
  const { evidence, effect, expected_gain: gain, message, evidence_tier, positive, sample_size } = finding;
  const rows: readonly (readonly [string, string])[] = [
    ['Evidence', evidence_tier],
    ['Direction', positive ? '+ more replies' : '− fewer replies'],
    [
      'Odds ratio (95 %)',
      `${times(evidence.odds_ratio)} (${times(evidence.odds_ratio_low)} to ${times(evidence.odds_ratio_high)})`,
    ],
    ['Worth', gain === null ? 'not available yet' : worth(gain)],
    ['Reply rate with it', rate(effect.with_rate)],
    ['Reply rate without it', rate(effect.without_rate)],
    [
      'Chance that it helps',
      effect.probability_positive === null ? 'unknown' : chance(effect.probability_positive),
    ],
    ['e-value', evidence.e_value.toPrecision(3)],
    [
      'A hidden cause would need',
      `a risk ratio of ${evidence.confounding_e_value.toFixed(1)} to explain it away`,
    ],
    ['Messages with it', whole(sample_size)],
    ['Campaigns compared', whole(evidence.n_campaigns)],
    [
      'Texts with and without, at least',
      `${evidence.n_texts_with.toFixed(1)} and ${evidence.n_texts_without.toFixed(1)}`,
    ],
    ['Chosen', evidence.basis === 'randomized' ? 'by lot' : 'not by lot: other causes may be in it'],
    ['Counted since', evidence.counted_since === null ? 'the first message' : dayOf(evidence.counted_since)],
    [
      'Sends to decide',
      evidence.sends_to_decide === null
        ? 'none: more of the same would not do'
        : evidence.sends_to_decide === 0
          ? 'none: it is decided'
          : `about ${whole(evidence.sends_to_decide)}`,
    ],
  ];
  return (
    <>
      <p>{plain(message)}</p>
      <Properties rows={rows} />
    </>
  );
}

/** What following it may bring, with its interval and the volume that it is told at. */
function worth({ replies, ci_low, ci_high, days, messages }: NonNullable<Measured['expected_gain']>): string {
  const [low, high] = [ci_low, ci_high].map((value) => value.toFixed(1));
  return `${replies.toFixed(1)} replies in ${days} days (${low} to ${high}), at ${whole(messages)} messages`;
}
