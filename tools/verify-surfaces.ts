// `npm run verify:surfaces`: whether everything that is said of a company agrees, wherever it is asked for.
import { program } from './local/program.mjs';
import { runSections, type Suite } from './suites.ts';
import { foreign, verifyForeign } from './surfaces/foreign.ts';

const suites: Record<string, Suite> = {
  contradictions: ['surfaces-e2e', 'surfaces-e2e/test/one-voice\\.'],
  verdicts: ['surfaces-e2e', 'surfaces-e2e/test/one-verdict\\.'],
  goldens: ['surfaces-e2e', 'surfaces-e2e/test/goldens\\.'],
};
const help = `Usage: npm run verify:surfaces [-- SECTION ...]

Asks every question about more than 1,000 generated companies (none, tiny, healthy, just changed, imported history,
a campaign gone bad, LinkedIn only, no e-mail, opt-outs, erased recipients ...), over REST and over MCP, and holds
what is said of one thing in two places against each other: 0 contradictions. Contradictions that answers once had are
planted as well, and each has to be found. Half an hour or so on two cores; \`npm test\` does the same with one company
of each kind. Closes with a line for every rule and every planted contradiction.

verdicts: eight companies, steady, fallen, risen or silent, are told as one thing by every answer up to a month later,
of the company and of each channel, which \`npm test\` asks on the day of the run alone. goldens:
every field of the kept answers is noticed once it is removed; \`npm test\` tries one of each object.

openapi: Redocly and Spectral find no error in the API descriptions. clients: what openapi-typescript, hey-api and
openapi-python-client generate from them compiles, and takes every kept answer. They come from the registries in pinned
versions; NOT RUN, which is a failure, where one cannot be had. The exit code is 1 where a line does not hold.`;

const others = Object.fromEntries(
  Object.keys(foreign).map((name) => [name, () => verifyForeign(name as keyof typeof foreign)]),
);
await program(() => runSections({ help, suites, longestMinutes: 60, others }));
