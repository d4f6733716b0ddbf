import type { BanditState } from '@outcomes/contracts';
import { useAnswer } from '../api/console.query';
import { usePlace } from '../api/place.query';
import { AnswerPanel } from '../shell/answer.panel';
import { TrustLine } from '../shell/trust.panel';
import { percent } from '../words.format';
import { ArmsChart } from './arms.chart';

/** Reply rates per channel and position, as far as they are known. */
export function RatesPage() {
  const { company } = usePlace();
  const rates = useAnswer<BanditState>(company, 'intelligence/bandit?top_n=100');
  return (
    <>
      <h1>Rates</h1>
      <p className="quiet">Mean reply rate of the next 30 days, per channel and position.</p>
      <AnswerPanel title="Reply rate by channel and position" query={rates} height={480}>
        {(answer) => (
          <>
            <TrustLine answer={answer} />
            {answer.arms.length === 0 ? (
              <p>
                No message has been counted yet.
                {answer.prior.expected_rate !== null &&
                  ` Before any outcome, a rate of ${percent(answer.prior.expected_rate)} is assumed: it is a prior, not a measurement.`}
              </p>
            ) : (
              <ArmsChart arms={answer.arms} />
            )}
          </>
        )}
      </AnswerPanel>
    </>
  );
}
