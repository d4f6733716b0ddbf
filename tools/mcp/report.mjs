// @ts-check
/** @typedef {'PASS' | 'FAIL' | 'NOT RUN'} Verdict */
/** @typedef {{ verdict: Verdict, section: string, promise: string, measured: string }} Line */

/** The lines of a verification, printed as they come. */
export class Report {
  /** @type {Line[]} */
  lines = [];

  /** @param {string} section @param {string} promise @param {boolean} holds @param {string} measured */
  add(section, promise, holds, measured) {
    this.#note({ verdict: holds ? 'PASS' : 'FAIL', section, promise, measured });
  }

  /** @param {string} section @param {string} promise @param {string} reason */
  notRun(section, promise, reason) {
    this.#note({ verdict: 'NOT RUN', section, promise, measured: reason });
  }

  /** What was not run is a failure too. */
  get failures() {
    return this.lines.filter(({ verdict }) => verdict !== 'PASS').length;
  }

  /** @param {Line} line */
  #note(line) {
    this.lines.push(line);
    console.log(`${line.verdict.padEnd(8)}${line.section.padEnd(13)}${line.promise}: ${line.measured}`);
  }
}
