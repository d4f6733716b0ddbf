import type { ArmRecord } from '@outcomes/contracts';
import { betaQuantile } from '@outcomes/statistics';
import { scaleLinear } from 'd3-scale';
import { ChartFrame } from '../chart/frame.chart';
import { inWords } from '../code-words.format';
import { chance, percent, whole } from '../words.format';

const DOTS = 20;
const ROW = 56;
const AXIS = 28;
const NARROW = 560;
const RADIUS = 3.5;

/** Twenty dots of the posterior each: of twenty equally likely rates, so many lie there. */
export function ArmsChart({ arms }: { readonly arms: readonly ArmRecord[] }) {
  return (
    <ChartFrame
      sentence={`Posterior reply rates of ${arms.length} arms, twenty dots and a 95 % interval each.`}
      height={arms.length * ROW + AXIS}
      table={<ArmsTable arms={arms} />}
    >
      {(width) => <Rows arms={arms} width={width} />}
    </ChartFrame>
  );
}

function Rows({ arms, width }: { readonly arms: readonly ArmRecord[]; readonly width: number }) {
  const isNarrow = width < NARROW;
  const [left, right] = isNarrow ? [4, width - 4] : [170, width - 160];
  const most = Math.max(0.02, ...arms.map(({ alpha, beta }) => betaQuantile(0.99, alpha, beta)));
  const x = scaleLinear().domain([0, most]).nice().range([left, right]);
  const bottom = arms.length * ROW;
  return (
    <>
      {x.ticks(isNarrow ? 3 : 5).map((tick) => (
        <g key={tick}>
          <line className="grid" x1={x(tick)} x2={x(tick)} y1={0} y2={bottom} />
          <text className="quiet" x={x(tick)} y={bottom + 18} textAnchor="middle">
            {percent(tick)}
          </text>
        </g>
      ))}
      {arms.map((arm, at) => (
        <g key={`${arm.channel} ${arm.position}`}>
          <text x={0} y={at * ROW + (isNarrow ? 14 : ROW - 14)}>
            {inWords(arm.channel)}, {inWords(arm.position)}
          </text>
          <Dots arm={arm} x={x} y={at * ROW + ROW - 14} />
          {!isNarrow && (
            <text className="quiet" x={width} y={at * ROW + ROW - 14} textAnchor="end">
              {percent(arm.posterior_mean)} ({percent(arm.ci_low)} to {percent(arm.ci_high)})
            </text>
          )}
        </g>
      ))}
    </>
  );
}

interface DotsProps {
  readonly arm: ArmRecord;
  readonly x: (value: number) => number;
  readonly y: number;
}

function Dots({ arm: { alpha, beta, ci_low, ci_high, posterior_mean }, x, y }: DotsProps) {
  const piled = new Map<number, number>();
  const dots = Array.from({ length: DOTS }, (_, at) => {
    const column = Math.round(x(betaQuantile((at + 0.5) / DOTS, alpha, beta)) / (2 * RADIUS));
    const height = piled.get(column) ?? 0;
    piled.set(column, height + 1);
    return { cx: column * 2 * RADIUS, cy: y - RADIUS - 2 - height * 2 * RADIUS };
  });
  return (
    <>
      {dots.map(({ cx, cy }) => (
        <circle
          key={`${cx} ${cy}`}
          className="more-mark"
          r={RADIUS - 0.5}
          cx={cx}
          cy={Math.max(cy, y - ROW + 20)}
        />
      ))}
      <line
        className="axis"
        x1={x(ci_low)}
        x2={x(ci_high)}
        y1={y}
        y2={y}
        data-mean={posterior_mean}
        data-low={ci_low}
        data-high={ci_high}
      />
    </>
  );
}

function ArmsTable({ arms }: { readonly arms: readonly ArmRecord[] }) {
  const titles = ['Rate (95 %)', 'Messages', 'Replies', 'Own data', 'Still open', 'Best'];
  return (
    <table>
      <thead>
        <tr>
          <th>Arm</th>
          {titles.map((title) => (
            <th key={title} className="number">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {arms.map((arm) => (
          <tr key={`${arm.channel} ${arm.position}`}>
            <td>
              {inWords(arm.channel)}, {inWords(arm.position)}
            </td>
            <td className="number">
              {percent(arm.posterior_mean)} ({percent(arm.ci_low)} to {percent(arm.ci_high)})
            </td>
            <td className="number">{whole(arm.observations)}</td>
            <td className="number">{whole(arm.replies)}</td>
            <td className="number">{percent(arm.own_data_share)}</td>
            <td className="number">{percent(arm.immature_share)}</td>
            <td className="number">{chance(arm.probability_best)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
