import { AccessError, OutcomesClient } from '@outcomes/client';
import { DAY_MS } from '@outcomes/contracts';
import { scopeOf, withInstallation, type OpenInstallation } from '../installation/open-installation';
import { requestAnalysis } from '../installation/request-analysis';
import type { CliConfig } from '../outcomes-cli.config';
import { CliFailure, failureLine } from '../output/cli-failure';
import { remark } from '../output/terminal';
import { makeDemonstration } from './demonstration';
import { readFindings } from './found-facts';
import { readState, writeSecretJson, type QuickstartState, type SignIn } from './quickstart-state';
import { addressReport, findingsReport } from './report';
import { sendHistory, untilProcessed } from './send-history';

const COMPANY_NAME = 'Demonstration (synthetic data)';
const SEED = 20_260_101;
const OWNER = 'owner@demonstration.example';

/**
 * Company, history, analysis, report. Broken off anywhere, the next call goes on there; done once, it only
 * reports.
 */
export async function runQuickstart(
  config: CliConfig,
  files: { readonly state: string; readonly output: string },
): Promise<void> {
  await withInstallation(config, async (installation) => {
    let state = (await usableState(config, files.state)) ?? (await newCompany(installation));
    const keep = (change: Partial<QuickstartState>) => {
      state = { ...state, ...change };
      writeSecretJson(files.state, state);
    };
    keep({});
    const scope = scopeOf(state.companyId);
    if (!state.sent) {
      const { events, planted } = makeDemonstration(state.today, state.seed);
      await sendHistory(config.ingestApiUrl, state.apiKey, events);
      keep({ planted, sent: true });
    }
    if (!state.analysed) {
      await untilProcessed(installation, scope);
      remark('analysing …');
      const run = await requestAnalysis(installation, scope, { untilEnd: true });
      if (run.state !== 'succeeded')
        throw new CliFailure('the analysis failed; see the log of analysis-worker.');
      keep({ analysed: true });
    }
    const signIn = state.signIn ?? (await newOwner(installation, state.companyId));
    keep({ signIn });
    writeSecretJson(files.output, {
      readApi: config.readApiUrl,
      ingestApi: config.ingestApiUrl,
      mcp: config.mcpUrl,
      console: config.consoleUrl,
      companyId: state.companyId,
      apiKey: state.apiKey,
      signIn,
    });
    await report(config, state, signIn);
  });
}

async function newCompany({ administration }: OpenInstallation): Promise<QuickstartState> {
  const { companyId, name, apiKey } = await administration.createCompany({ name: COMPANY_NAME });
  return {
    companyId,
    companyName: name,
    apiKey,
    seed: SEED,
    today: Math.floor(Date.now() / DAY_MS),
    planted: null,
    sent: false,
    analysed: false,
  };
}

/** Somebody who may sign in to the console. Another password where the address is known from an earlier demonstration. */
async function newOwner({ accounts }: OpenInstallation, companyId: string): Promise<SignIn> {
  const { email, password } = await accounts.createUser(scopeOf(companyId), { email: OWNER, role: 'owner' });
  return password === null ? accounts.resetPassword(email) : { email, password };
}

/** What an earlier call left, unless its key no longer works (expired, or another database). */
async function usableState(config: CliConfig, file: string): Promise<QuickstartState | undefined> {
  const state = readState(file);
  if (!state) return undefined;
  const client = new OutcomesClient({
    readUrl: config.readApiUrl,
    apiKey: state.apiKey,
    attempts: 1,
    timeoutMs: 10_000,
  });
  const fault = await client.read('health').catch((error: unknown) => error);
  if (!(fault instanceof AccessError && fault.status === 401)) return state;
  remark('The key of the earlier demonstration no longer works: creating a new company.');
  return undefined;
}

async function report(
  config: CliConfig,
  { planted, companyId, companyName, apiKey }: QuickstartState,
  signIn: SignIn,
): Promise<void> {
  process.stdout.write(`\n${companyName}\n`);
  try {
    const found = await readFindings(config.readApiUrl, apiKey);
    if (planted) process.stdout.write(`${findingsReport(planted, found)}\n`);
  } catch (error) {
    // A used-up quota must not keep a running installation from being used.
    remark(`The findings cannot be shown now: ${failureLine(error)}`);
  }
  const { readApiUrl: readApi, ingestApiUrl: ingestApi, mcpUrl: mcp, consoleUrl } = config;
  process.stdout.write(
    `${addressReport({ readApi, ingestApi, mcp, companyId, apiKey, consoleUrl, signIn })}\n`,
  );
}
