// `npm run verify:statistics`: every acceptance line of the statistics, measured at full size. Most of an hour long.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './local/install.mjs';
import { program } from './local/program.mjs';
import { root } from './local/settings.mjs';

const help = `Usage: npm run verify:statistics [-- --scale N] [-- SECTION ...]

Prints every acceptance line of the statistics with its measured value, its limit and PASS or FAIL, wrong
estimators included, and writes the lines to libs/statistics/verification.txt. The section evidence simulates some
10,000 companies, an hour of one processor, divided among those that there are; it tells how far it is. The others are
done beside it and take two thirds of that, more than half of them preferences.

  --scale N   size of the simulations; 1 is the full size, and only its results are written to the file
  SECTION     some of: cost maturity arms evidence health change preferences contact priors
              numerics memory ledger watch

The sections memory and ledger are read from the documents of runs, watch from the counts of young companies. Two lines
of ledger rest on real e-mails, which are no part of the project: REFERENCE_DATA_FOLDER says where they are, and without
them the lines are left out.`;

/** Sections that are measured in what libs/analysis makes of counts; the others in the functions of the statistics alone. */
const served = ['memory', 'ledger', 'watch'];
// Two processes: evidence takes longer than all the others together, and what processors they leave.
const shares = [
  ['cost', 'maturity', 'arms', 'health', 'change', 'contact', 'priors', 'numerics', 'preferences', ...served],
  ['evidence'],
];

async function verifyAll(scale: string, sections: string[]) {
  const results = [];
  for (const [lib, isOwn] of [
    ['statistics', (section: string) => !served.includes(section)],
    ['analysis', (section: string) => served.includes(section)],
  ] as const) {
    const own = sections.filter(isOwn);
    if (own.length > 0) results.push(await verify(lib, scale, own));
  }
  return {
    lines: results.flatMap(({ lines }) => lines),
    failed: results.some(({ failed }) => failed),
  };
}

function verify(
  lib: string,
  scale: string,
  sections: string[],
): Promise<{ lines: string[]; failed: boolean }> {
  return new Promise((resolve, reject) => {
    const lines: string[] = [];
    let rest = '';
    const child = spawn(process.execPath, [join(root, 'libs', lib, 'verify.mjs'), scale, ...sections], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      const parts = (rest + chunk).split('\n');
      rest = parts.pop() ?? '';
      const checks = parts.filter((line) => /^(PASS|FAIL|NOT RUN:?) /.test(line));
      for (const line of checks) console.log(line);
      lines.push(...checks);
    });
    // A simulation that nobody reads any more would take a processor for an hour.
    const end = () => child.kill();
    process.once('exit', end);
    child.once('error', reject);
    child.once('exit', (code) => {
      process.off('exit', end);
      resolve({ lines, failed: code !== 0 });
    });
  });
}

await program(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { scale: { type: 'string', default: '1' }, help: { type: 'boolean', default: false } },
  });
  if (values.help) return console.log(help);
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
  await build(new AbortController().signal);
  const began = Date.now();
  const parts = positionals.length > 0 ? [positionals] : shares;
  const results = await Promise.all(parts.map((sections) => verifyAll(values.scale, sections)));
  const lines = results.flatMap((result) => result.lines);
  const failures = lines.filter((line) => line.startsWith('FAIL')).length;
  const seconds = Math.round((Date.now() - began) / 1_000);
  const measured = lines.filter((line) => !line.startsWith('NOT RUN')).length;
  const closing = `${measured - failures} of ${measured} lines hold (${seconds} s)`;
  console.log(closing);
  if (values.scale === '1' && positionals.length === 0) {
    const head = `Measured by "npm run verify:statistics" at full size, Node ${process.version}.`;
    writeFileSync(
      join(root, 'libs/statistics/verification.txt'),
      `${[head, '', ...lines, '', closing].join('\n')}\n`,
    );
    console.log('Written to libs/statistics/verification.txt.');
  }
  if (failures > 0 || results.some(({ failed }) => failed)) process.exitCode = 1;
});
