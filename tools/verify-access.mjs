// @ts-check
// `npm run verify:access`: the suites of apps/surfaces-e2e with the numbers as promised, not the slice that
// `npm test` runs: 100 rounds of 400 requests, 10,000 audited calls, 1,000 keys, every probe after every statement.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Failure } from './local/failure.mjs';
import { onProjectNode } from './local/install.mjs';
import { run } from './local/processes.mjs';
import { program } from './local/program.mjs';
import { root } from './local/settings.mjs';

const sections = ['audit', 'cross-tenant', 'keys', 'limits', 'secrets'];
const help = `Usage: npm run verify:access [-- SECTION ...]

Starts a Postgres, a Redis and the built services, and runs the suites across surfaces at full size. The exit code
is 1 where a promise does not hold.

  SECTION   some of: ${sections.join(', ')}; all of them unless told`;

/** @param {readonly string[]} names */
async function verify(names) {
  const chosen = names.length > 0 ? names : sections;
  const pattern = `surfaces-e2e/test/(${chosen.join('|')})\\.`;
  const jest = [
    '--selectProjects',
    'surfaces-e2e',
    '--testPathPatterns',
    pattern,
    '--runInBand',
    '--verbose',
  ];
  const { code } = await run([process.execPath, join(root, 'tools/test.mjs'), ...jest], {
    ...{ cwd: root, env: { ...process.env, ACCESS_FORM: 'full' }, timeout: 3_600_000 },
    output: 'inherit',
  });
  process.exitCode = code ?? 1;
}

await program(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', default: false } },
  });
  if (values.help) return console.log(help);
  const unknown = positionals.find((name) => !sections.includes(name));
  if (unknown) throw new Failure(`There is no section ${unknown}.\n${help}`);
  await onProjectNode(import.meta.filename, process.argv.slice(2), () => verify(positionals));
});
