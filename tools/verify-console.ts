// `npm run verify:console`: what the console promises, in a browser and over its API, with its budgets in time.
import { parseArgs } from 'node:util';
import { runMutations } from './console/mutants.ts';
import { Failure } from './local/failure.mjs';
import { program } from './local/program.mjs';
import { ensureLocalDirectory } from './local/settings.mjs';
import { printResults, runSuite, type Suite } from './suites.ts';

/** How long a section may take. */
const LONGEST_MINUTES = 20;

const sections: Record<string, Suite> = Object.fromEntries([
  ...['api', 'company', 'pages', 'sign-in', 'import', 'access', 'walk', 'replay', 'budgets'].map((name) => [
    name,
    ['surfaces-e2e', `surfaces-e2e/test/console-${name}\\.`],
  ]),
  ['accounts', ['accounts', '\\.int-spec']],
]);
const MUTATIONS = 'mutations';
const names = [...Object.keys(sections), MUTATIONS];
const help = `Usage: npm run verify:console [-- SECTION ... [--only TEXT]]

Clicks through the console in a real Chromium over the running services, and asks its API what nobody may: a key made,
copied, used over REST and MCP, a fourth refused, revoked; every page with axe, in both themes and at 320 pixels, without
a report of the page's policy; marks of charts against the API's numbers; other companies, members, stolen and reused
invitations, planted cookies, an identity provider that lies; every page while Redis is away; the walk of a new owner
from an empty company by a file to the first finding, with the time of each step, within five minutes; a thousand
decisions of every kind made again, byte for byte, on Node 20, 24 and 26 (fetched from the registry into .local/nodes)
and in Chromium by the code that the page fetches; and the budgets of bytes, answers and first screen, of which \`npm
test\` holds the bytes alone.

mutations puts a fault into a copy of the project for each of these promises (\`console/mutations.ts\`), builds it and
runs the test that has to fail of it: caught, or MISSED. What could not be built or run, or fails without the fault or of
something else, is NOT RUN, and counts as a failure.

It wants a machine that does nothing else, for some five minutes, and for mutations twenty more. Closes with a line for
every promise and its figures. The exit code is 1 where one does not hold, and where Chromium is missing.

  SECTION       some of: ${names.join(', ')}; all of them unless told
  --only TEXT   of mutations, those that have TEXT in their name`;

async function verify(chosen: readonly string[], only: string) {
  ensureLocalDirectory();
  // Without it, suites would say that nothing was looked at, and pass.
  process.env.CI = 'true';
  const outcomes = [];
  for (const name of chosen) {
    const suite = sections[name];
    outcomes.push(
      await (suite ? runSuite(name, suite, LONGEST_MINUTES) : runMutations(LONGEST_MINUTES, only)),
    );
  }
  printResults(outcomes);
}

await program(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
  });
  if (values.help) return console.log(help);
  const unknown = positionals.find((name) => !names.includes(name));
  if (unknown) throw new Failure(`There is no section ${unknown}.\n${help}`);
  const chosen = names.filter((name) => positionals.length === 0 || positionals.includes(name));
  await verify(chosen, values.only);
});
