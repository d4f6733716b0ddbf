import type { ChannelSeries, RateChange } from '@outcomes/contracts';
import { scaleLinear } from 'd3-scale';
import { ChartFrame } from '../chart/frame.chart';
import { timeOf, TimeTicks } from '../chart/time-ticks.chart';
import { inWords } from '../code-words.format';
import { dayOf, percent, whole } from '../words.format';

const HEIGHT = 240;
const BOTTOM = 210;
const LEFT = 48;
/** Days with fewer messages say little: they are drawn, but do not stretch the axis. */
const FEWEST = 20;

interface Props {
  readonly series: ChannelSeries;
  /** Those of this channel, in any order. */
  readonly changes: readonly RateChange[];
}

/** Reply rates of send days, with the level before and after each change. Days that have not settled are grey. */
export function TimelineChart({ series, changes }: Props) {
  const { channel, days, settledThrough } = series;
  return (
    <ChartFrame
      sentence={`Reply rate of ${days.length} send days of ${inWords(channel)}, ${changes.length} changes; days after ${dayOf(settledThrough)} are still to settle.`}
      height={HEIGHT}
      table={
        <table>
          <thead>
            <tr>
              <th>Sent on</th>
              <th className="number">Messages</th>
              <th className="number">Replies</th>
              <th>Settled</th>
            </tr>
          </thead>
          <tbody>
            {days.map(({ day, messages, replies }) => (
              <tr key={day}>
                <td>{dayOf(day)}</td>
                <td className="number">{whole(messages)}</td>
                <td className="number">{whole(replies)}</td>
                <td>{day <= settledThrough ? 'yes' : 'not yet'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      }
    >
      {(width) => <Marks series={series} changes={changes} width={width} />}
    </ChartFrame>
  );
}

function Marks({ series: { days, settledThrough }, changes, width }: Props & { readonly width: number }) {
  const [from, to] = [timeOf(days[0]?.day ?? ''), timeOf(days.at(-1)?.day ?? '')];
  const x = scaleLinear()
    .domain([from, Math.max(to, from + 1)])
    .range([LEFT, width - 8]);
  const rates = days.filter(({ messages }) => messages >= FEWEST).map((own) => own.replies / own.messages);
  const levels = changes.flatMap(({ before, after }) => [before.ci_high ?? 0, after.ci_high ?? 0]);
  const y = scaleLinear()
    .domain([0, Math.max(0.01, ...rates, ...levels)])
    .nice()
    .range([BOTTOM, 8])
    .clamp(true);
  return (
    <>
      <TimeTicks x={x} from={from} to={to} bottom={BOTTOM} />
      {y.ticks(4).map((tick) => (
        <g key={tick}>
          <line className="grid" x1={LEFT} x2={width - 8} y1={y(tick)} y2={y(tick)} />
          <text className="quiet" x={LEFT - 6} y={y(tick) + 4} textAnchor="end">
            {percent(tick)}
          </text>
        </g>
      ))}
      <Bands changes={changes} x={x} y={y} from={from} to={Math.min(to, timeOf(settledThrough))} />
      {days.map(({ day, messages, replies }) => (
        <circle
          key={day}
          className={day <= settledThrough ? 'day-mark' : 'young-mark'}
          r={messages >= FEWEST ? 2.5 : 1.5}
          cx={x(timeOf(day))}
          cy={y(replies / Math.max(1, messages))}
          data-day={day}
          data-replies={replies}
        />
      ))}
    </>
  );
}

interface BandsProps {
  readonly changes: readonly RateChange[];
  readonly x: (time: number) => number;
  readonly y: (rate: number) => number;
  readonly from: number;
  readonly to: number;
}

/** The level before each change, from the one before it on, and that after the last; a line where it changed. */
function Bands({ changes, x, y, from, to }: BandsProps) {
  const inOrder = [...changes].sort((one, other) => one.since.localeCompare(other.since));
  const seen = inOrder.filter(({ since }) => timeOf(since) > from);
  const bands = seen.map(({ before, since }, at) => ({
    ...{ level: before, begin: at === 0 ? from : timeOf(seen[at - 1]?.since ?? since), end: timeOf(since) },
  }));
  const last = inOrder.at(-1);
  if (last) bands.push({ level: last.after, begin: Math.max(from, timeOf(last.since)), end: to });
  return (
    <>
      {bands.map(({ level: { ci_low, ci_high }, begin, end }) => (
        <rect
          key={begin}
          className="band"
          x={x(begin)}
          width={Math.max(0, x(end) - x(begin))}
          y={y(ci_high ?? 0)}
          height={Math.max(0, y(ci_low ?? 0) - y(ci_high ?? 0))}
        />
      ))}
      {seen.map(({ since, direction }) => (
        <g key={since}>
          <line className="axis" x1={x(timeOf(since))} x2={x(timeOf(since))} y1={0} y2={BOTTOM} />
          <text x={x(timeOf(since)) + 4} y={16} data-change={since}>
            {direction === 'up' ? '+ more' : '− fewer'}
          </text>
        </g>
      ))}
    </>
  );
}
