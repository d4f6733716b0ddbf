// @ts-check
import { spawnSync } from 'node:child_process';

const network = /ENOTFOUND|ECONN(REFUSED|RESET|ABORTED)|ETIMEDOUT|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH/;

/**
 * `npm audit`, failing on what it finds and only on that: a registry without an audit service, or out of
 * reach, is said to be so.
 * @param {string} output What `npm audit --json` printed.
 * @param {number} code How it ended.
 * @returns {{ passed: boolean, line: string }}
 */
export function verdict(output, code) {
  /** @type {any} */
  let report;
  try {
    report = JSON.parse(output);
  } catch {
    return { passed: false, line: `npm audit: unreadable answer, code ${code}` };
  }
  const counts = report.metadata?.vulnerabilities;
  if (counts) {
    const found = ['critical', 'high', 'moderate', 'low']
      .map((level) => `${counts[level] ?? 0} ${level}`)
      .join(', ');
    return { passed: code === 0, line: `npm audit: ${found}` };
  }
  const reason = report.message ?? report.error?.summary ?? report.error?.code;
  const { statusCode } = report;
  // A registry without an audit service answers 404 or 405; a refused log-in or request is ours to fix.
  const unavailable = statusCode
    ? [404, 405, 410].includes(statusCode) || statusCode >= 500
    : network.test(reason);
  const line = String(reason ?? 'no report').split('\n')[0];
  return unavailable
    ? { passed: true, line: `npm audit: NOT RUN, the registry does not answer it (${line})` }
    : { passed: false, line: `npm audit: ${line}` };
}

if (process.argv[1] === import.meta.filename) {
  const { stdout, status } = spawnSync('npm', ['audit', '--json', ...process.argv.slice(2)], {
    encoding: 'utf8',
    timeout: 120_000,
    maxBuffer: 64 * 1024 * 1024,
  });
  const { passed, line } = verdict(stdout ?? '', status ?? 1);
  console.log(line);
  process.exitCode = passed ? 0 : 1;
}
