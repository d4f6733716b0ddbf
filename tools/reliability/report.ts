/** What a measured value has to keep to. */
type Limit = { most: number } | { least: number } | { exactly: number };

interface Measurement {
  promise: string;
  what: string;
  value: number;
  limit: Limit;
  unit?: string;
}

interface Line {
  promise: string;
  what: string;
  measured: string;
  limit: string;
  verdict: 'PASS' | 'FAIL' | 'NOT RUN';
}

/** Collects and prints one line per promise, as they are measured. */
export class Report {
  lines: Line[] = [];
  #print;

  constructor(print: (text: string) => void) {
    this.#print = print;
  }

  /** A promise that has to hold. */
  check({ promise, what, value, limit, unit = '' }: Measurement) {
    this.#add({
      ...{ promise, what, measured: shown(value, unit), limit: describe(limit, unit) },
      verdict: keeps(value, limit) ? 'PASS' : 'FAIL',
    });
  }

  /** The same measurement of a design that is known to be broken: it has to be seen. */
  mutation({ promise, what, value, limit, unit = '' }: Measurement) {
    // NaN is not "caught": the measurement itself is what failed then.
    const caught = Number.isFinite(value) && !keeps(value, limit);
    this.#add({
      ...{ promise, what: `mutation, ${what}: ${caught ? 'caught' : 'MISSED'}` },
      ...{ measured: shown(value, unit), limit: `not ${describe(limit, unit)}` },
      verdict: caught ? 'PASS' : 'FAIL',
    });
  }

  /** Something that could not be measured, which is a failure. */
  notRun(promise: string, why: string) {
    this.#add({
      promise,
      what: why.split('\n')[0]?.slice(0, 110) ?? '',
      measured: '-',
      limit: '',
      verdict: 'NOT RUN',
    });
  }

  /** Something worth knowing that nothing was promised about. */
  note(text: string) {
    this.#print(`        ${text}`);
  }

  get failures() {
    return this.lines.filter(({ verdict }) => verdict !== 'PASS').length;
  }

  #add(line: Line) {
    this.lines.push(line);
    this.#print(formatLine(line));
  }
}

export function formatLine({ promise, what, measured, limit, verdict }: Line): string {
  return `${verdict.padEnd(7)}  ${promise.padEnd(9)}  ${what.padEnd(92)} ${measured.padStart(10)}  ${limit}`.trimEnd();
}

/** @returns NaN keeps to nothing. */
function keeps(value: number, limit: Limit): boolean {
  if ('most' in limit) return value <= limit.most;
  return 'least' in limit ? value >= limit.least : value === limit.exactly;
}

function describe(limit: Limit, unit: string) {
  if ('most' in limit) return `<= ${shown(limit.most, unit)}`;
  return 'least' in limit ? `>= ${shown(limit.least, unit)}` : `= ${shown(limit.exactly, unit)}`;
}

function shown(value: number, unit: string) {
  const number = Number.isInteger(value) ? String(value) : value.toFixed(value >= 100 ? 0 : 2);
  return unit ? `${number} ${unit}` : number;
}
