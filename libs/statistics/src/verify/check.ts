/** One acceptance line of the statistics design with what was measured. */
export interface Check {
  readonly section: string;
  readonly claim: string;
  readonly measured: number;
  readonly limit: string;
  readonly pass: boolean;
}

const within = (measured: number, low: number, high: number): boolean => measured >= low && measured <= high;

export function atMost(section: string, claim: string, measured: number, limit: number): Check {
  return { section, claim, measured, limit: `<= ${limit}`, pass: measured <= limit };
}

export function atLeast(section: string, claim: string, measured: number, limit: number): Check {
  return { section, claim, measured, limit: `>= ${limit}`, pass: measured >= limit };
}

export function between(section: string, claim: string, measured: number, low: number, high: number): Check {
  return { section, claim, measured, limit: `${low}..${high}`, pass: within(measured, low, high) };
}

/** A deliberately wrong estimator: the check passes when the wrong one would have failed the acceptance line. */
export function mustFail(check: Check): Check {
  return {
    ...check,
    claim: `[mutation must fail] ${check.claim}`,
    limit: `not ${check.limit}`,
    pass: !check.pass,
  };
}

export function formatCheck({ section, claim, measured, limit, pass }: Check): string {
  const value =
    Math.abs(measured) >= 1e-3 || measured === 0 ? measured.toPrecision(4) : measured.toExponential(2);
  return `${pass ? 'PASS' : 'FAIL'}  ${section.padEnd(10)} ${claim.padEnd(86)} ${value.padStart(10)}  ${limit}`;
}
