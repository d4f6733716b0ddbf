import { concernsClaims, type BacktestDocument, type NoBacktestReason } from '@outcomes/contracts';
import { useAnswer } from '../api/console.query';
import { usePlace } from '../api/place.query';
import { ClaimsTable } from '../ledger/claims.table';
import { AnswerPanel } from '../shell/answer.panel';
import { dayOf, momentOf, whole } from '../words.format';
import { ForecastsPanel } from './forecasts.panel';

const NONE: Readonly<Record<NoBacktestReason, string>> = {
  no_history: 'There is no history to evaluate: it takes four weeks of messages before the first analysis.',
  too_many_campaigns: 'There are more than 2,000 campaigns, too many to evaluate week by week.',
  counts_are_rebuilt:
    'The counts are being rebuilt after an upgrade. The backtest follows the next analysis.',
};

/** Imported history, as if it had been followed all along. */
export function BacktestPage() {
  const { company } = usePlace();
  const answer = useAnswer<{ readonly backtest: BacktestDocument | null }>(company, 'backtest');
  return (
    <>
      <h1>Backtest</h1>
      <p className="quiet">
        History that was there before the first analysis, folded week by week: what would have been claimed
        when, and how the stated rates came out. Nobody saw these claims at the time; the ledger has those
        that were made. Replies count that came before their messages had settled: within 14 days by email, 21
        on LinkedIn.
      </p>
      <AnswerPanel title="What would have been claimed when" query={answer} height={240}>
        {({ backtest }) => <Claims company={company} backtest={backtest} />}
      </AnswerPanel>
      <AnswerPanel title="How stated rates came out" query={answer} height={320}>
        {({ backtest }) =>
          backtest === null || backtest.reason !== null ? (
            <p>There are none; the reason is above.</p>
          ) : backtest.forecasts.length === 0 ? (
            <p>No rate was stated early enough for the 30 days after it to have settled.</p>
          ) : (
            <ForecastsPanel backtest={backtest} />
          )
        }
      </AnswerPanel>
    </>
  );
}

function Claims({
  company,
  backtest,
}: {
  readonly company: string;
  readonly backtest: BacktestDocument | null;
}) {
  if (backtest === null) return <p>There is no backtest yet: it follows the first analysis.</p>;
  if (backtest.reason !== null) return <p>{NONE[backtest.reason]}</p>;
  const { from, through, weeks, claims, made_at } = backtest;
  const shown = claims.filter(concernsClaims);
  return (
    <>
      <p className="quiet">
        {whole(weeks)} weeks, from {dayOf(from ?? made_at)} to that of {dayOf(through ?? made_at)}; folded{' '}
        {momentOf(made_at)}. Texts and replies are those that are known today.
      </p>
      {shown.length === 0 ? (
        <p>Nothing would have been claimed in any of them.</p>
      ) : (
        <ClaimsTable company={company} claims={shown} />
      )}
    </>
  );
}
