// `npm run eval`: what people ask about companies of known truth, answered from tool results alone.
import { parseArgs } from 'node:util';
import { program } from './local/program.mjs';
import { ensureLocalDirectory } from './local/settings.mjs';
import { printResults, runSuite } from './suites.ts';

const LONGEST_MINUTES = 60;
const help = `Usage: npm run eval

Asks what salespeople, leaders and auditors ask about six companies of known truth (healthy, just changed, new, imported
history, one campaign gone bad, LinkedIn only). A scripted client answers from tool results alone, by fixed rules and
without a model. Prints each question with its answer, verdict, calls, bytes and tokens (4 characters each), and the
gates: at least 95 % right, none misleading, medians of at most 2 calls and 1,500 tokens; and for each gate a client that
breaks it. A few minutes. The exit code is 1 where a gate does not hold.

  LLM_BASE_URL, LLM_MODEL, LLM_API_KEY   the same questions go to a model as well (OpenAI-compatible chat completions)`;

await program(async () => {
  const { values } = parseArgs({ options: { help: { type: 'boolean', default: false } } });
  if (values.help) return console.log(help);
  ensureLocalDirectory();
  printResults([await runSuite('evals', ['surfaces-e2e', 'surfaces-e2e/test/evals\\.'], LONGEST_MINUTES)]);
});
