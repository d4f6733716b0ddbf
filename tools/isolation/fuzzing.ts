// Requests that no caller means, by the description of each surface: nothing of ours fails, and every answer is described.
import { waitUntil } from '@outcomes/testing';
import type { Installation, Tenant } from '../reliability/installation.ts';
import type { Report } from '../reliability/report.ts';
import { exchange } from '../reliability/requests.ts';
import { fuzzMcp } from './mcp-fuzz.ts';
import { fuzzRest, schemathesisMissing, type Fuzzed } from './schemathesis.ts';

const SEED = 20_260_501;
/** Enough to find what stands in nearly every answer. */
const MUTATION_CASES = 200;
/** Nobody is refused for having asked too much: that would hide what else there is to find. */
const environment = { ADDRESS_BURST_LIMIT: '100000000' };

interface Fuzzing {
  installation: Installation;
  report: Report;
  cases: number;
  tenant: Tenant;
}

export const fuzzings: Record<string, (fuzzing: Fuzzing) => Promise<void>> = {
  'fuzz-ingest': (fuzzing) => rest('ingest-api', '/openapi.json', fuzzing),
  'fuzz-read': (fuzzing) => rest('read-api', '/v1/openapi.json', fuzzing),
  'fuzz-mcp': async ({ installation, report, cases, tenant }) => {
    const { url } = await installation.start('mcp-gateway', { environment });
    judge('fuzz-mcp', await fuzzMcp({ url, apiKey: tenant.apiKey, cases, seed: SEED }), { report, cases });
  },
};

async function rest(
  app: 'ingest-api' | 'read-api',
  path: string,
  { installation, report, cases, tenant: { apiKey } }: Fuzzing,
) {
  const promise = app === 'read-api' ? 'fuzz-read' : 'fuzz-ingest';
  const missing = await schemathesisMissing();
  if (missing !== undefined) return report.notRun(promise, missing);
  // Of what was posted the worker makes the list of opt-outs: read-api says that it is not made until then.
  await installation.start('analysis-worker');
  const { url } = await installation.start(app, { environment });
  if (app === 'read-api') await untilListed(url, apiKey);
  const options = { description: `${url}${path}`, apiKey, seed: SEED, folder: installation.directory };
  judge(promise, await fuzzRest({ ...options, cases }), { report, cases });
  const mutated = await fuzzRest({ ...options, cases: Math.min(cases, MUTATION_CASES), isBroken: true });
  report.check({
    ...{ promise, what: 'mutation: the description says of no refusal', value: mutated.failures.length },
    limit: { least: 1 },
  });
}

async function untilListed(url: string, apiKey: string) {
  const headers = { Authorization: `Bearer ${apiKey}` };
  await waitUntil('the list of opt-outs is made', async () => {
    const { status } = await exchange(`${url}/v1/suppressions`, { method: 'GET', headers });
    return status === 200;
  });
}

function judge(promise: string, fuzzed: Fuzzed, { report, cases }: Pick<Fuzzing, 'report' | 'cases'>) {
  for (const failure of fuzzed.failures) report.note(`${promise}: ${failure}`);
  report.check({ promise, what: 'requests that were made up', value: fuzzed.cases, limit: { least: cases } });
  report.check({
    ...{ promise, what: 'answers that are a 5xx or not as described', value: fuzzed.failures.length },
    limit: { exactly: 0 },
  });
}
