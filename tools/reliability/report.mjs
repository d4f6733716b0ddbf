// @ts-check

/**
 * What a measured value has to keep to.
 * @typedef {{ most: number } | { least: number } | { exactly: number }} Limit
 * @typedef {{ promise: string, what: string, value: number, limit: Limit, unit?: string }} Measurement
 * @typedef {{ promise: string, what: string, measured: string, limit: string, verdict: 'PASS' | 'FAIL' | 'NOT RUN' }} Line
 */

/** Collects and prints one line per promise, as they are measured. */
export class Report {
  /** @type {Line[]} */
  lines = [];
  #print;

  /** @param {(text: string) => void} print */
  constructor(print) {
    this.#print = print;
  }

  /** A promise that has to hold. @param {Measurement} measurement */
  check({ promise, what, value, limit, unit = '' }) {
    this.#add({
      ...{ promise, what, measured: shown(value, unit), limit: describe(limit, unit) },
      verdict: keeps(value, limit) ? 'PASS' : 'FAIL',
    });
  }

  /** The same measurement of a design that is known to be broken: it has to be seen. @param {Measurement} measurement */
  mutation({ promise, what, value, limit, unit = '' }) {
    // NaN is not "caught": the measurement itself is what failed then.
    const caught = Number.isFinite(value) && !keeps(value, limit);
    this.#add({
      ...{ promise, what: `mutation, ${what}: ${caught ? 'caught' : 'MISSED'}` },
      ...{ measured: shown(value, unit), limit: `not ${describe(limit, unit)}` },
      verdict: caught ? 'PASS' : 'FAIL',
    });
  }

  /** Something that could not be measured, which is a failure. @param {string} promise @param {string} why */
  notRun(promise, why) {
    this.#add({
      promise,
      what: why.split('\n')[0]?.slice(0, 110) ?? '',
      measured: '-',
      limit: '',
      verdict: 'NOT RUN',
    });
  }

  /** Something worth knowing that nothing was promised about. @param {string} text */
  note(text) {
    this.#print(`        ${text}`);
  }

  get failures() {
    return this.lines.filter(({ verdict }) => verdict !== 'PASS').length;
  }

  /** @param {Line} line */
  #add(line) {
    this.lines.push(line);
    this.#print(formatLine(line));
  }
}

/** @param {Line} line @returns {string} */
export function formatLine({ promise, what, measured, limit, verdict }) {
  return `${verdict.padEnd(7)}  ${promise.padEnd(9)}  ${what.padEnd(92)} ${measured.padStart(10)}  ${limit}`.trimEnd();
}

/** @param {number} value @param {Limit} limit @returns {boolean} NaN keeps to nothing. */
function keeps(value, limit) {
  if ('most' in limit) return value <= limit.most;
  return 'least' in limit ? value >= limit.least : value === limit.exactly;
}

/** @param {Limit} limit @param {string} unit */
function describe(limit, unit) {
  if ('most' in limit) return `<= ${shown(limit.most, unit)}`;
  return 'least' in limit ? `>= ${shown(limit.least, unit)}` : `= ${shown(limit.exactly, unit)}`;
}

/** @param {number} value @param {string} unit */
function shown(value, unit) {
  const number = Number.isInteger(value) ? String(value) : value.toFixed(value >= 100 ? 0 : 2);
  return unit ? `${number} ${unit}` : number;
}
