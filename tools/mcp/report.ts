type Verdict = 'PASS' | 'FAIL' | 'NOT RUN';
interface Line {
  verdict: Verdict;
  section: string;
  promise: string;
  measured: string;
}

/** The lines of a verification, printed as they come. */
export class Report {
  lines: Line[] = [];

  add(section: string, promise: string, holds: boolean, measured: string) {
    this.#note({ verdict: holds ? 'PASS' : 'FAIL', section, promise, measured });
  }

  notRun(section: string, promise: string, reason: string) {
    this.#note({ verdict: 'NOT RUN', section, promise, measured: reason });
  }

  /** What was not run is a failure too. */
  get failures() {
    return this.lines.filter(({ verdict }) => verdict !== 'PASS').length;
  }

  #note(line: Line) {
    this.lines.push(line);
    console.log(`${line.verdict.padEnd(8)}${line.section.padEnd(13)}${line.promise}: ${line.measured}`);
  }
}
