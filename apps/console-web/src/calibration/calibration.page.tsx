import type { Calibration } from '@outcomes/contracts';
import { useAnswer } from '../api/console.query';
import { usePlace } from '../api/place.query';
import { AnswerPanel } from '../shell/answer.panel';
import { TrustLine } from '../shell/trust.panel';
import { calibrationLine, percent } from '../words.format';
import { ReliabilityChart } from './reliability.chart';

export function CalibrationPage() {
  const { company } = usePlace();
  const calibration = useAnswer<Calibration>(company, 'intelligence/calibration');
  return (
    <>
      <h1>Calibration</h1>
      <p className="quiet">Probabilities frozen with decisions, compared with the outcomes.</p>
      <AnswerPanel title="Predicted and observed" query={calibration} height={360}>
        {(answer) => (
          <>
            <TrustLine answer={answer} />
            <p>{calibrationLine(answer)}</p>
            {answer.reliability_bins.length > 0 && <ReliabilityChart bins={answer.reliability_bins} />}
          </>
        )}
      </AnswerPanel>
      <AnswerPanel title="Intervals and claims" query={calibration} height={96}>
        {({ interval_coverage: { covered, groups, share }, patterns }) => (
          <ul>
            <li>
              {groups === 0
                ? 'No group of predictions is large enough to judge its interval.'
                : `${covered} of ${groups} intervals held (${percent(share ?? 0)}; sound ones give 95 %).`}
            </li>
            <li>
              {patterns.ever_confirmed === 0
                ? 'Nothing has been confirmed yet.'
                : `${patterns.retracted} of ${patterns.ever_confirmed} confirmed patterns were retracted.`}
            </li>
          </ul>
        )}
      </AnswerPanel>
    </>
  );
}
