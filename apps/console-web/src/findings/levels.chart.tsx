import type { RateEstimate } from '@outcomes/contracts';
import { scaleLinear } from 'd3-scale';
import { ChartFrame } from '../chart/frame.chart';
import { percent, rate, whole } from '../words.format';

const ROW = 44;
const AXIS = 28;

export interface Level {
  readonly level: string;
  readonly label: string;
  readonly code: string | null;
  readonly messages: number;
  readonly replies: number;
  readonly reply_rate: RateEstimate;
}

interface Props {
  /** In their natural order, which is kept: a ranking would name a winner. */
  readonly levels: readonly Level[];
  /** Whose level is drawn filled. */
  readonly code: string;
}

/** An interval per level. */
export function LevelsChart({ levels, code }: Props) {
  return (
    <ChartFrame
      sentence={`Reply rates of ${levels.length} levels with 95 % intervals, in their natural order.`}
      height={levels.length * ROW + AXIS}
      table={
        <table>
          <thead>
            <tr>
              <th>Level</th>
              <th>Reply rate (95 %)</th>
              <th className="number">Replies</th>
            </tr>
          </thead>
          <tbody>
            {levels.map(({ level, label, replies, reply_rate }) => (
              <tr key={level}>
                <td>{label}</td>
                <td>{rate(reply_rate)}</td>
                <td className="number">{whole(replies)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      }
    >
      {(width) => <Rows levels={levels} code={code} width={width} />}
    </ChartFrame>
  );
}

function Rows({ levels, code, width }: Props & { readonly width: number }) {
  const most = Math.max(0.01, ...levels.map(({ reply_rate }) => reply_rate.ci_high ?? 0));
  const x = scaleLinear()
    .domain([0, most])
    .nice()
    .range([8, width - 24]);
  const bottom = levels.length * ROW;
  return (
    <>
      {x.ticks(width < 480 ? 3 : 5).map((tick) => (
        <g key={tick}>
          <line className="grid" x1={x(tick)} x2={x(tick)} y1={0} y2={bottom} />
          <text className="quiet" x={x(tick)} y={bottom + 18} textAnchor="middle">
            {percent(tick)}
          </text>
        </g>
      ))}
      {levels.map(({ level, label, code: own, reply_rate: { value, ci_low, ci_high, n } }, at) => {
        const middle = at * ROW + 32;
        return (
          <g key={level}>
            <text x={0} y={at * ROW + 18}>
              {label}, n {whole(n)}
            </text>
            <line className="axis" x1={x(ci_low ?? 0)} x2={x(ci_high ?? 0)} y1={middle} y2={middle} />
            <circle
              className={own === code ? 'path-mark' : 'open-mark'}
              r={4}
              cx={x(value ?? 0)}
              cy={middle}
              data-level={level}
              data-rate={value}
            />
          </g>
        );
      })}
    </>
  );
}
