import type { DailySeries, DriftState, RateChange } from '@outcomes/contracts';
import { useAnswer } from '../api/console.query';
import { usePlace } from '../api/place.query';
import { AnswerPanel } from '../shell/answer.panel';
import { TrustLine } from '../shell/trust.panel';
import { inWords } from '../code-words.format';
import { dayOf, driftInWords, percent, rate, times, whole } from '../words.format';
import { TimelineChart } from './timeline.chart';

/** Whether replies changed, channel by channel, and every change on record. */
export function DriftPage() {
  const { company } = usePlace();
  const drift = useAnswer<DriftState>(company, 'intelligence/drift');
  const daily = useAnswer<DailySeries>(company, 'daily');
  return (
    <>
      <h1>Drift</h1>
      <p className="quiet">
        A change is reported two to three weeks after it happened, when outcomes have settled.
      </p>
      <AnswerPanel title="Channels" query={drift} height={240}>
        {(answer) => (
          <>
            <TrustLine answer={answer} />
            {answer.tests.length === 0 && <p>No channel has messages yet.</p>}
            {answer.tests.map((test) => (
              <div key={test.channel}>
                <h3>{inWords(test.channel)}</h3>
                <p>
                  {driftInWords(test.state, test.posteriors_trustworthy)}
                  {test.replies_needed > 0 &&
                    ` ${whole(test.replies_needed)} more settled replies are needed.`}
                </p>
                <p className="quiet">
                  {periodOf('Lately', test.recent)} {periodOf('Before', test.reference)}
                </p>
              </div>
            ))}
          </>
        )}
      </AnswerPanel>
      <AnswerPanel title="Day by day" query={daily} height={320}>
        {({ channels }) =>
          channels.length === 0 ? (
            <p>No message has been counted in the last year.</p>
          ) : (
            channels.map((series) => (
              <div key={series.channel}>
                <h3>{inWords(series.channel)}</h3>
                <TimelineChart
                  series={series}
                  changes={(drift.data?.changes ?? []).filter(({ channel }) => channel === series.channel)}
                />
              </div>
            ))
          )
        }
      </AnswerPanel>
      <AnswerPanel title="Changes on record" query={drift} height={160}>
        {({ changes }) =>
          changes.length === 0 ? <p>No change has been found.</p> : <Changes changes={changes} />
        }
      </AnswerPanel>
    </>
  );
}

function periodOf(name: string, { rate: share, n, from, to }: DriftState['tests'][number]['recent']): string {
  if (share === null || from === null || to === null) return `${name}: nothing has settled.`;
  return `${name} (${dayOf(from)} to ${dayOf(to)}): ${percent(share)} of ${whole(n)} messages.`;
}

function Changes({ changes }: { readonly changes: readonly RateChange[] }) {
  return (
    <div className="wide" tabIndex={0} role="region" aria-label="Changes on record">
      <table>
        <thead>
          <tr>
            {['Around', 'Channel', 'Change', 'Concerns', 'Before', 'After', 'Reported on'].map((title) => (
              <th key={title}>{title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {changes.map(({ channel, since, told_at, direction, ratio, before, after, scope }) => (
            <tr key={`${channel} ${since} ${told_at}`}>
              <td>{dayOf(since)}</td>
              <td>{inWords(channel)}</td>
              <td className={direction === 'up' ? 'more' : 'fewer'}>
                {direction === 'up' ? '+ more' : '− fewer'} ({times(ratio)})
              </td>
              <td>
                {scope.kind === 'channel'
                  ? 'the whole channel'
                  : `${inWords(scope.kind)} ${scope.value ?? 'unnamed'}`}
              </td>
              <td>{rate(before)}</td>
              <td>{rate(after)}</td>
              <td>{dayOf(told_at)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
