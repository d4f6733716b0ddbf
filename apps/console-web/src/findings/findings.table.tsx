import { times, whole, plain } from '../words.format';
import type { Measured } from './forest.chart';

/** Every finding with effect, interval, size and what is missing. */
export function FindingsTable({ findings }: { readonly findings: readonly Measured[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th>Finding</th>
          <th>Code</th>
          <th>Effect</th>
          <th>Evidence</th>
          <th className="number">Odds ratio (95 %)</th>
          <th className="number">Messages</th>
          <th className="number">Sends to decide</th>
        </tr>
      </thead>
      <tbody>
        {findings.map(({ code, title, positive, evidence_tier, evidence, sample_size }) => (
          <tr key={code}>
            <td>{plain(title)}</td>
            <td>{code}</td>
            <td className={positive ? 'more' : 'fewer'}>{positive ? '+ more replies' : '− fewer replies'}</td>
            <td>{evidence_tier}</td>
            <td className="number">
              {times(evidence.odds_ratio)} ({times(evidence.odds_ratio_low)} to{' '}
              {times(evidence.odds_ratio_high)})
            </td>
            <td className="number">{whole(sample_size)}</td>
            <td className="number">
              {evidence.sends_to_decide === null
                ? 'more would not decide it'
                : whole(evidence.sends_to_decide)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
