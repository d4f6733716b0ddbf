import type { EvidenceOfWeek } from '@outcomes/contracts';
import { scaleLinear } from 'd3-scale';
import { ChartFrame } from '../chart/frame.chart';
import { timeOf, TimeTicks } from '../chart/time-ticks.chart';

const HEIGHT = 180;
const BOTTOM = 150;
const LEFT = 48;

interface Props {
  readonly weeks: readonly EvidenceOfWeek[];
}

/** Log e-values by week, and as a step line the limit of that week: above it the code was confirmed. */
export function EvidenceChart({ weeks }: Props) {
  return (
    <ChartFrame
      sentence={`Evidence against no effect in ${weeks.length} weeks, as the logarithm of its e-value, and the limit of each week as a dashed line.`}
      height={HEIGHT}
    >
      {(width) => <Marks weeks={weeks} width={width} />}
    </ChartFrame>
  );
}

function Marks({ weeks, width }: Props & { readonly width: number }) {
  const moments = weeks.map(({ week }) => timeOf(week));
  const [from, to] = [moments[0] ?? 0, moments.at(-1) ?? 1];
  const x = scaleLinear()
    .domain([from, to])
    .range([LEFT, width - 8]);
  const y = scaleLinear()
    .domain([
      Math.min(0, ...weeks.map(({ logE }) => logE)),
      Math.max(...weeks.flatMap(({ logE, logLimit }) => [logE, logLimit])),
    ])
    .nice()
    .range([BOTTOM, 8]);
  const limits = weeks.flatMap(({ logLimit }, at) => [
    `${x(moments[at] ?? 0)},${y(logLimit)}`,
    `${x(moments[at + 1] ?? to)},${y(logLimit)}`,
  ]);
  const path = weeks.map(({ logE }, at) => `${x(moments[at] ?? 0)},${y(logE)}`);
  return (
    <>
      <TimeTicks x={x} from={from} to={to} bottom={BOTTOM} />
      {y.ticks(4).map((tick) => (
        <g key={tick}>
          <line className="grid" x1={LEFT} x2={width - 8} y1={y(tick)} y2={y(tick)} />
          <text className="quiet" x={LEFT - 6} y={y(tick) + 4} textAnchor="end">
            {tick}
          </text>
        </g>
      ))}
      <polyline className="limit" points={limits.join(' ')} />
      <polyline className="path" points={path.join(' ')} />
      {weeks.map(({ week, logE, tier, foldedLater }, at) => (
        <circle
          key={week}
          className={tier === 'confirmed' && !foldedLater ? 'path-mark' : 'open-mark'}
          r={2.5}
          cx={x(moments[at] ?? 0)}
          cy={y(logE)}
          data-log-e={logE}
        />
      ))}
    </>
  );
}
