import type { EvidenceOfWeek } from '@outcomes/contracts';
import { scaleLinear, scaleLog } from 'd3-scale';
import { ChartFrame } from '../chart/frame.chart';
import { timeOf, TimeTicks } from '../chart/time-ticks.chart';

const HEIGHT = 220;
const BOTTOM = 190;
const LEFT = 48;
const TICKS = [0.1, 0.25, 0.5, 1, 2, 4, 10];

interface Props {
  readonly weeks: readonly EvidenceOfWeek[];
}

/** The confidence sequence: each week's interval holds at all weeks at once, however often one looks. */
export function IntervalChart({ weeks }: Props) {
  return (
    <ChartFrame
      sentence={`Odds ratio with its always-valid 95 % interval in ${weeks.length} weeks; above the line is more replies.`}
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
  const ends = weeks.flatMap(({ oddsRatioLow, oddsRatioHigh }) => [oddsRatioLow, oddsRatioHigh]);
  const [low, high] = [Math.max(0.1, Math.min(0.5, ...ends)), Math.min(10, Math.max(2, ...ends))];
  const y = scaleLog().domain([low, high]).range([BOTTOM, 8]).clamp(true);
  const band = [
    ...weeks.map(({ oddsRatioHigh }, at) => `${x(moments[at] ?? 0)},${y(oddsRatioHigh)}`),
    ...weeks.map(({ oddsRatioLow }, at) => `${x(moments[at] ?? 0)},${y(oddsRatioLow)}`).reverse(),
  ];
  const middle = weeks.map(({ oddsRatio }, at) => `${x(moments[at] ?? 0)},${y(oddsRatio)}`);
  return (
    <>
      <TimeTicks x={x} from={from} to={to} bottom={BOTTOM} />
      {TICKS.filter((tick) => tick >= low && tick <= high).map((tick) => (
        <g key={tick}>
          <line className={tick === 1 ? 'axis' : 'grid'} x1={LEFT} x2={width - 8} y1={y(tick)} y2={y(tick)} />
          <text className="quiet" x={LEFT - 6} y={y(tick) + 4} textAnchor="end">
            ×{tick}
          </text>
        </g>
      ))}
      <polygon className="band" points={band.join(' ')} />
      <polyline className="path" points={middle.join(' ')} />
      {weeks.map(({ week, oddsRatio, tier, foldedLater }, at) => (
        <circle
          key={week}
          className={markOf(tier, oddsRatio, foldedLater)}
          r={tier === 'confirmed' ? 4 : 2.5}
          cx={x(moments[at] ?? 0)}
          cy={y(oddsRatio)}
          data-week={week}
          data-odds-ratio={oddsRatio}
        />
      ))}
    </>
  );
}

/** Colour is for claims, and hollow for weeks that had no analysis. */
function markOf(tier: EvidenceOfWeek['tier'], oddsRatio: number, isHollow: boolean): string {
  if (tier !== 'confirmed') return 'open-mark';
  const mark = oddsRatio >= 1 ? 'more-mark' : 'fewer-mark';
  return isHollow ? `${mark} hollow` : mark;
}
