import type { EvidencePath } from '@outcomes/contracts';
import { useAnswer } from '../api/console.query';
import { AnswerPanel } from '../shell/answer.panel';
import { ListTable } from '../shell/list.table';
import { dayOf, times, whole } from '../words.format';
import { EvidenceChart } from './evidence.chart';
import { IntervalChart } from './interval.chart';

/** How what is known of a pattern came to be, week by week. It ends with the newest week: nothing is forecast. */
export function EvidencePathPanel({ company, code }: { readonly company: string; readonly code: string }) {
  const path = useAnswer<EvidencePath>(company, `evidence/${code}`);
  return (
    <AnswerPanel title="How the evidence came to be" query={path} height={480}>
      {({ weeks }) => {
        const [first] = weeks;
        if (!first) return <p>No analysis has included its evidence yet. Every analysis records a week.</p>;
        if (weeks.length < 2)
          return (
            <p>
              Written down since {dayOf(first.week)}: a path needs two weeks. Odds ratio then{' '}
              {times(first.oddsRatio)} ({times(first.oddsRatioLow)} to {times(first.oddsRatioHigh)}), n{' '}
              {whole(first.messages)}.
            </p>
          );
        return (
          <>
            {weeks.some(({ foldedLater }) => foldedLater) && (
              <p className="quiet">
                Some weeks had no analysis: they are history that was imported later, folded week by week.
                Claims of these weeks are hollow, and the table says which they are.
              </p>
            )}
            <IntervalChart weeks={weeks} />
            <EvidenceChart weeks={weeks} />
            <details>
              <summary>Show both as a table</summary>
              <WeeksTable weeks={weeks} />
            </details>
          </>
        );
      }}
    </AnswerPanel>
  );
}

function WeeksTable({ weeks }: Pick<EvidencePath, 'weeks'>) {
  const titles = [
    'Week of',
    'Claim',
    'Odds ratio (always-valid 95 %)',
    'Messages',
    'Evidence',
    'Confirmed at',
  ];
  return (
    <ListTable label="Evidence by week" titles={titles}>
      {weeks.map(({ week, tier, foldedLater, ...own }) => (
        <tr key={week}>
          <td>{dayOf(week)}</td>
          <td>
            {tier}
            {foldedLater && ', folded later'}
          </td>
          <td>
            {times(own.oddsRatio)} ({times(own.oddsRatioLow)} to {times(own.oddsRatioHigh)})
          </td>
          <td className="number">{whole(own.messages)}</td>
          <td className="number">{own.logE.toFixed(1)}</td>
          <td className="number">{own.logLimit.toFixed(1)}</td>
        </tr>
      ))}
    </ListTable>
  );
}
