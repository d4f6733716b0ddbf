const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'short', year: '2-digit', timeZone: 'UTC' });
/** Pixels that a month's name wants. */
const LEAST_APART = 64;

export const timeOf = (day: string) => Date.parse(`${day}T00:00:00Z`);

interface Props {
  readonly x: (time: number) => number;
  /** Milliseconds. */
  readonly from: number;
  readonly to: number;
  /** Where the lines end and the names stand. */
  readonly bottom: number;
}

/** Beginnings of months below a drawing, as many as there is room for. */
export function TimeTicks({ x, from, to, bottom }: Props) {
  const months = monthsBetween(from, to);
  const apart = months.length > 1 ? Math.abs(x(months[1] ?? 0) - x(months[0] ?? 0)) : LEAST_APART;
  const step = Math.max(1, Math.ceil(LEAST_APART / Math.max(1, apart)));
  return months
    .filter((_, at) => at % step === 0)
    .map((month) => (
      <g key={month}>
        <line className="grid" x1={x(month)} x2={x(month)} y1={0} y2={bottom} />
        <text className="quiet" x={x(month)} y={bottom + 18} textAnchor="middle">
          {MONTH.format(month)}
        </text>
      </g>
    ));
}

function monthsBetween(from: number, to: number): number[] {
  const first = new Date(from);
  const months: number[] = [];
  for (let month = first.getUTCMonth() + 1; ; month += 1) {
    const time = Date.UTC(first.getUTCFullYear(), month, 1);
    if (time > to) return months;
    months.push(time);
  }
}
