// @ts-check
// Requests that no caller means, by the description of each surface: nothing of ours fails, and every answer is described.
import { fuzzMcp } from './mcp-fuzz.mjs';
import { fuzzRest, schemathesisMissing } from './schemathesis.mjs';

const SEED = 20_260_501;
/** Enough to find what stands in nearly every answer. */
const MUTATION_CASES = 200;
/** Nobody is refused for having asked too much: that would hide what else there is to find. */
const environment = { ADDRESS_BURST_LIMIT: '100000000' };

/**
 * @typedef {{
 *   installation: import('../reliability/installation.mjs').Installation,
 *   report: import('../reliability/report.mjs').Report, cases: number,
 *   tenant: import('../reliability/installation.mjs').Tenant,
 * }} Fuzzing
 */

/** @type {Record<string, (fuzzing: Fuzzing) => Promise<void>>} */
export const fuzzings = {
  'fuzz-ingest': (fuzzing) => rest('ingest-api', '/openapi.json', fuzzing),
  'fuzz-read': (fuzzing) => rest('read-api', '/v1/openapi.json', fuzzing),
  'fuzz-mcp': async ({ installation, report, cases, tenant }) => {
    const { url } = await installation.start('mcp-gateway', { environment });
    judge('fuzz-mcp', await fuzzMcp({ url, apiKey: tenant.apiKey, cases, seed: SEED }), { report, cases });
  },
};

/** @param {'ingest-api' | 'read-api'} app @param {string} path @param {Fuzzing} fuzzing */
async function rest(app, path, { installation, report, cases, tenant: { apiKey } }) {
  const promise = app === 'read-api' ? 'fuzz-read' : 'fuzz-ingest';
  const missing = await schemathesisMissing();
  if (missing !== undefined) return report.notRun(promise, missing);
  const { url } = await installation.start(app, { environment });
  const options = { description: `${url}${path}`, apiKey, seed: SEED, folder: installation.directory };
  judge(promise, await fuzzRest({ ...options, cases }), { report, cases });
  const mutated = await fuzzRest({ ...options, cases: Math.min(cases, MUTATION_CASES), isBroken: true });
  report.check({
    ...{ promise, what: 'mutation: the description says of no refusal', value: mutated.failures.length },
    limit: { least: 1 },
  });
}

/**
 * @param {string} promise @param {import('./schemathesis.mjs').Fuzzed} fuzzed
 * @param {Pick<Fuzzing, 'report' | 'cases'>} against
 */
function judge(promise, fuzzed, { report, cases }) {
  for (const failure of fuzzed.failures) report.note(`${promise}: ${failure}`);
  report.check({ promise, what: 'requests that were made up', value: fuzzed.cases, limit: { least: cases } });
  report.check({
    ...{ promise, what: 'answers that are a 5xx or not as described', value: fuzzed.failures.length },
    limit: { exactly: 0 },
  });
}
