import { cpus, loadavg } from 'node:os';

/**
 * One line of the table. `value` and `floor` are in `unit`; `compared` is what the gate is about: their ratio,
 * or the value itself where there is no floor.
 */
export interface Row {
  id: string;
  metric: string;
  unit: string;
  value: number;
  floor?: number;
  compared: number;
  gate?: number;
  verdict: 'PASS' | 'FAIL' | '';
  rounds: number[];
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/**
 * What the service costs compared with its floor: the median of the rounds' ratios, so that a busy moment of the
 * machine, which hits both sides of a round, does not count.
 */
export function ratioRow(
  line: Pick<Row, 'id' | 'metric' | 'unit' | 'gate'>,
  values: readonly number[],
  floors: readonly number[],
): Row {
  const rounds = values.map((value, round) => value / (floors[round] ?? NaN));
  const compared = median(rounds);
  return {
    ...line,
    value: median(values),
    floor: median(floors),
    compared,
    verdict: verdictOf(compared, line.gate),
    rounds,
  };
}

/** A value that is compared with its gate as it is, or only shown where there is no gate. */
export function valueRow(line: Pick<Row, 'id' | 'metric' | 'unit' | 'gate'>, values: readonly number[]): Row {
  const value = median(values);
  return { ...line, value, compared: value, verdict: verdictOf(value, line.gate), rounds: [...values] };
}

function verdictOf(compared: number, gate: number | undefined): Row['verdict'] {
  if (gate === undefined) return '';
  // NaN is no pass.
  return compared <= gate ? 'PASS' : 'FAIL';
}

export function formatTable(rows: readonly Row[]): string {
  const head = ['', 'metric', 'unit', 'value', 'floor', 'ratio', 'min..max', 'gate', ''];
  const cells = rows.map((row) => {
    const scale = row.floor === undefined ? '' : 'x';
    const range = `${short(Math.min(...row.rounds))}..${short(Math.max(...row.rounds))}`;
    return [
      ...[row.id, row.metric, row.unit, short(row.value), row.floor === undefined ? '' : short(row.floor)],
      ...[row.floor === undefined ? '' : `${row.compared.toFixed(2)}x`, range],
      ...[row.gate === undefined ? '' : `<= ${row.gate}${scale}`, row.verdict],
    ];
  });
  const widths = head.map((title, column) =>
    Math.max(title.length, ...cells.map((line) => line[column]?.length ?? 0)),
  );
  const lines = [head, ...cells].map((line) =>
    line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '),
  );
  return lines.map((line) => `  ${line.trimEnd()}`).join('\n');
}

function short(value: number) {
  return value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2);
}

/** What the figures were measured on, and how busy it was. */
export function machine() {
  return {
    node: process.version,
    processor: cpus()[0]?.model ?? '',
    processors: cpus().length,
    load: loadavg()[0]?.toFixed(2) ?? '',
  };
}
