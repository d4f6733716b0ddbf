import type { Recommendation } from '@outcomes/contracts';
import { scaleLog } from 'd3-scale';
import { ChartFrame } from '../chart/frame.chart';
import { plain, whole } from '../words.format';
import { FindingsTable } from './findings.table';

/** A finding whose effect is known. */
export type Measured = Recommendation & { readonly evidence: NonNullable<Recommendation['evidence']> };

export const isMeasured = (finding: Recommendation): finding is Measured => finding.evidence !== null;

const ROW = 34;
const NARROW_ROW = 48;
const NARROW = 560;
const AXIS = 28;
const TICKS = [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10];

/** Odds ratios on a logarithmic axis, so that twice and half lie equally far; one row for each contrast. */
export function ForestChart({ findings }: { readonly findings: readonly Measured[] }) {
  return (
    <ChartFrame
      sentence={`Odds ratios of ${findings.length} findings with 95 % intervals; right of the line is more replies.`}
      height={findings.length * NARROW_ROW + AXIS}
      table={<FindingsTable findings={findings} />}
    >
      {(width) => <Rows findings={findings} width={width} />}
    </ChartFrame>
  );
}

function Rows({ findings, width }: { readonly findings: readonly Measured[]; readonly width: number }) {
  const isNarrow = width < NARROW;
  const row = isNarrow ? NARROW_ROW : ROW;
  const [left, right] = isNarrow ? [8, width - 8] : [width * 0.36, width - 170];
  const ends = findings.flatMap(({ evidence }) => [evidence.odds_ratio_low, evidence.odds_ratio_high]);
  const low = Math.max(0.02, Math.min(0.5, ...ends));
  const high = Math.min(50, Math.max(2, ...ends));
  const x = scaleLog().domain([low, high]).range([left, right]).clamp(true);
  const bottom = findings.length * row;
  const ticks = TICKS.filter((tick) => tick >= low && tick <= high).filter(
    (tick) => tick === 1 || Math.abs(x(tick) - x(1)) > 44,
  );
  return (
    <>
      {ticks.map((tick) => (
        <g key={tick}>
          <line className={tick === 1 ? 'axis' : 'grid'} x1={x(tick)} x2={x(tick)} y1={0} y2={bottom} />
          <text className="quiet" x={x(tick)} y={bottom + 18} textAnchor="middle">
            ×{tick}
          </text>
        </g>
      ))}
      {findings.map((finding, at) => (
        <Row key={finding.code} finding={finding} x={x} y={at * row} isNarrow={isNarrow} width={width} />
      ))}
    </>
  );
}

interface RowProps {
  readonly finding: Measured;
  readonly x: (value: number) => number;
  readonly y: number;
  readonly isNarrow: boolean;
  readonly width: number;
}

function Row({ finding: { evidence, evidence_tier, title }, x, y, isNarrow, width }: RowProps) {
  const { odds_ratio, odds_ratio_low, odds_ratio_high, sends_to_decide } = evidence;
  const isConfirmed = evidence_tier === 'confirmed';
  const mark = isConfirmed ? (odds_ratio >= 1 ? 'more-mark' : 'fewer-mark') : 'open-mark';
  const middle = isNarrow ? y + 32 : y + ROW / 2;
  const words =
    isConfirmed || sends_to_decide === null ? evidence_tier : `~${whole(sends_to_decide)} sends to decide`;
  return (
    <g>
      <text x={0} y={isNarrow ? y + 16 : middle + 4}>
        {shortened(plain(title), isNarrow ? width : width * 0.35)}
      </text>
      <line
        className={mark}
        strokeWidth={isConfirmed ? 3 : 1.5}
        strokeDasharray={evidence_tier === 'directional' ? '3 3' : undefined}
        x1={x(odds_ratio_low)}
        x2={x(odds_ratio_high)}
        y1={middle}
        y2={middle}
      />
      <circle
        className={mark}
        strokeWidth={1.5}
        cx={x(odds_ratio)}
        cy={middle}
        r={5}
        data-odds-ratio={odds_ratio}
      />
      {!isNarrow && (
        <text className="quiet" x={width} y={middle + 4} textAnchor="end">
          {words}
        </text>
      )}
    </g>
  );
}

/** About 7 pixels a letter. */
function shortened(text: string, pixels: number): string {
  const most = Math.floor(pixels / 7);
  return text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`;
}
