import { AccessError, OutcomesClient } from '@outcomes/client';
import type { CliConfig } from '../outcomes-cli.config';
import { failureLine } from '../output/cli-failure';
import { remark } from '../output/terminal';
import { readFindings } from './found-facts';
import { isDone, readState, writeSecretJson, type DoneState, type QuickstartState } from './quickstart-state';
import { addressReport, findingsReport } from './report';

/**
 * Company, history, analysis, report. Broken off anywhere, the next call goes on there; done once, it only
 * reports, and loads no more than that takes.
 */
export async function runQuickstart(
  config: CliConfig,
  files: { readonly state: string; readonly output: string },
): Promise<void> {
  const left = await usableState(config, files.state);
  const done = isDone(left) ? left : await (await import('./advance.js')).advance(config, files.state, left);
  const { companyId, apiKey, signIn } = done;
  writeSecretJson(files.output, {
    readApi: config.readApiUrl,
    ingestApi: config.ingestApiUrl,
    mcp: config.mcpUrl,
    console: config.consoleUrl,
    ...{ companyId, apiKey, signIn },
  });
  await report(config, done);
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
  { planted, companyId, companyName, apiKey, signIn }: DoneState,
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
