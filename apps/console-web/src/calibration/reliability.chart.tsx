import type { Calibration } from '@outcomes/contracts';
import { scaleLinear } from 'd3-scale';
import { ChartFrame } from '../chart/frame.chart';
import { percent, rate } from '../words.format';

const HEIGHT = 320;
const MARGIN = 44;

type Bins = Calibration['reliability_bins'];

/** Sound predictions lie on the diagonal, within their intervals. */
export function ReliabilityChart({ bins }: { readonly bins: Bins }) {
  return (
    <ChartFrame
      sentence={`Observed reply rates of ${bins.length} groups of predictions, beside what was predicted.`}
      height={HEIGHT}
      table={
        <table>
          <thead>
            <tr>
              <th className="number">Predicted</th>
              <th>Observed (95 %)</th>
            </tr>
          </thead>
          <tbody>
            {bins.map(({ predicted, observed }) => (
              <tr key={predicted}>
                <td className="number">{percent(predicted)}</td>
                <td>{rate(observed)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      }
    >
      {(width) => <Marks bins={bins} width={width} />}
    </ChartFrame>
  );
}

function Marks({ bins, width }: { readonly bins: Bins; readonly width: number }) {
  const most = Math.max(
    0.02,
    ...bins.flatMap(({ predicted, observed }) => [predicted, observed.ci_high ?? 0]),
  );
  const x = scaleLinear()
    .domain([0, most])
    .nice()
    .range([MARGIN, width - 8]);
  const y = scaleLinear()
    .domain(x.domain())
    .range([HEIGHT - MARGIN, 8]);
  const end = x.domain()[1] ?? most;
  return (
    <>
      <line className="axis" x1={x(0)} y1={y(0)} x2={x(end)} y2={y(end)} strokeDasharray="4 4" />
      {x.ticks(width < 480 ? 3 : 5).map((tick) => (
        <g key={tick}>
          <line className="grid" x1={x(0)} x2={x(end)} y1={y(tick)} y2={y(tick)} />
          <text className="quiet" x={x(tick)} y={HEIGHT - MARGIN + 18} textAnchor="middle">
            {percent(tick)}
          </text>
          <text className="quiet" x={MARGIN - 6} y={y(tick) + 4} textAnchor="end">
            {percent(tick)}
          </text>
        </g>
      ))}
      <text className="quiet" x={(width + MARGIN) / 2} y={HEIGHT - 6} textAnchor="middle">
        predicted
      </text>
      {bins.map(({ predicted, observed: { value, ci_low, ci_high } }) =>
        value === null ? null : (
          <g key={predicted}>
            <line
              className="axis"
              x1={x(predicted)}
              x2={x(predicted)}
              y1={y(ci_low ?? value)}
              y2={y(ci_high ?? value)}
            />
            <circle className="more-mark" r={4} cx={x(predicted)} cy={y(value)} data-observed={value} />
          </g>
        ),
      )}
    </>
  );
}
