import type { BacktestDocument, BacktestScores } from '@outcomes/contracts';
import { ReliabilityChart } from '../calibration/reliability.chart';
import { ListTable } from '../shell/list.table';
import { inWords } from '../code-words.format';
import { dayOf, percent, whole } from '../words.format';

/** Below so many expected replies nothing is said of skill. */
const FEWEST_EXPECTED = 10;

/** Stated rates against what came, together and one by one. */
export function ForecastsPanel({ backtest }: { readonly backtest: BacktestDocument }) {
  const { scores, forecasts } = backtest;
  const bins = scores.bins.map(({ predicted, observed, low, high, n }) => ({
    ...{ predicted, observed: { value: observed, ci_low: low, ci_high: high, n } },
  }));
  const titles = ['Stated on', 'Arm', 'Reply rate of the 30 days after (95 %)', 'Messages', 'Replies'];
  return (
    <>
      <p>{sentenceOf(scores)}</p>
      <p>
        {scores.groups === 0
          ? 'No forecast expected two replies, so intervals cannot be assessed.'
          : `${whole(scores.covered)} of ${whole(scores.groups)} intervals held (sound ones give 95 % or somewhat more).`}
      </p>
      {bins.length > 0 && <ReliabilityChart bins={bins} />}
      <details>
        <summary>Every forecast</summary>
        <ListTable label="Forecasts" titles={titles}>
          {forecasts.map(({ madeOn, channel, position, predicted, low, high, n, y }) => (
            <tr key={`${madeOn} ${channel} ${position}`}>
              <td>{dayOf(madeOn)}</td>
              <td>
                {inWords(channel)}, {inWords(position)}
              </td>
              <td>
                {percent(predicted)} ({percent(low)} to {percent(high)})
              </td>
              <td className="number">{whole(n)}</td>
              <td className="number">{whole(y)}</td>
            </tr>
          ))}
        </ListTable>
      </details>
    </>
  );
}

function sentenceOf({ forecasts, messages, expectedReplies, observedReplies, ...scores }: BacktestScores) {
  const came = `${whole(forecasts)} forecasts about ${whole(messages)} messages: ${whole(observedReplies)} replies came where ${expectedReplies.toFixed(1)} were expected`;
  const ratio = scores.observedOverExpected;
  if (ratio === null || expectedReplies < FEWEST_EXPECTED) return `${came}: inconclusive.`;
  return `${came}: ${ratio.value.toFixed(2)} times as many (${ratio.low.toFixed(2)} to ${ratio.high.toFixed(2)} by chance of replies alone).`;
}
