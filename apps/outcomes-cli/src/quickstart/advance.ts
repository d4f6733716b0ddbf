import { DAY_MS } from '@outcomes/contracts';
import { scopeOf, withInstallation, type OpenInstallation } from '../installation/open-installation';
import { requestAnalysis } from '../installation/request-analysis';
import type { CliConfig } from '../outcomes-cli.config';
import { CliFailure } from '../output/cli-failure';
import { remark } from '../output/terminal';
import { makeDemonstration } from './demonstration';
import { writeSecretJson, type DoneState, type QuickstartState, type SignIn } from './quickstart-state';
import { sendHistory, untilProcessed } from './send-history';

const COMPANY_NAME = 'Demonstration (synthetic data)';
const SEED = 20_260_101;
const OWNER = 'owner@demonstration.example';

/**
 * Goes on from where an earlier call was broken off, to the end.
 * @param file - where every step is noted once it is done
 * @param left - undefined where there is nothing to go on from
 */
export async function advance(
  config: CliConfig,
  file: string,
  left: QuickstartState | undefined,
): Promise<DoneState> {
  return withInstallation(config, async (installation) => {
    let state = left ?? (await newCompany(installation));
    const keep = <Change extends Partial<QuickstartState>>(change: Change) => {
      const kept = { ...state, ...change };
      writeSecretJson(file, kept);
      state = kept;
      return kept;
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
    return keep({ signIn: state.signIn ?? (await newOwner(installation, state.companyId)) });
  });
}

async function newCompany({ administration }: OpenInstallation): Promise<QuickstartState> {
  const { companyId, name, apiKey } = await (await administration).createCompany({ name: COMPANY_NAME });
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
async function newOwner(installation: OpenInstallation, companyId: string): Promise<SignIn> {
  const accounts = await installation.accounts;
  const owner = { email: OWNER, role: 'owner', takesExisting: true } as const;
  const { email, password } = await accounts.createUser(scopeOf(companyId), owner);
  return password === null ? accounts.resetPassword(email) : { email, password };
}
