import { noteFigures } from '@outcomes/testing';
import type { Answered, EvalQuestion, ToolCall } from './evals/eval-question';
import { gatesOf } from './evals/gates';
import { modelClient, type ListedTool } from './evals/model-client';
import { configuredModel } from './evals/model.config';
import { EVAL_COMPANY_NAMES, PlantedTruth, type EvalCompany } from './evals/planted-truth';
import { questionsOfLeaders } from './evals/questions-of-leaders';
import { questionsOfAuditors, questionsOfProof, questionsOfSalespeople } from './evals/questions-of-others';
import { questionsOfTrouble } from './evals/questions-of-trouble';
import { answered, scriptedClient, type Client } from './evals/scripted-client';
import { WRONG_CLIENTS } from './evals/wrong-clients';
import { exchange, rpc } from './exchange';
import { Installation } from './installation';
import { OptOutServices } from './opt-out-company';
import { madeCompany } from './voices/made-company';

jest.setTimeout(600_000);

/** Every question of people about six companies, with what is true of them. */
describe('evals', () => {
  const questions: EvalQuestion[] = [];
  const keys = new Map<EvalCompany, string>();
  const callsOf = new Map<EvalCompany, number>();
  const heard = new Map<string, string>();
  let installation: Installation;
  let services: OptOutServices;
  let mcp = 0;
  let all: readonly Answered[];

  const callTool = async (company: EvalCompany, { name, arguments: given }: ToolCall): Promise<string> => {
    const params = { name, arguments: given };
    const call = `${company} ${JSON.stringify(params)}`;
    // Nothing comes in meanwhile, so that whoever asks again would be told the same; but each call is one more in the log.
    const known = name === 'get_action_audit_log' ? undefined : heard.get(call);
    if (known !== undefined) return known;
    const { body } = await exchange(rpc(mcp, keys.get(company) ?? '', 'tools/call', params));
    callsOf.set(company, (callsOf.get(company) ?? 0) + 1);
    const text = body.result.content[0].text as string;
    heard.set(call, text);
    return text;
  };
  const askAll = async (client: Client): Promise<Answered[]> => {
    const found: Answered[] = [];
    for (const question of questions) {
      const { company } = question;
      const call = (one: ToolCall) => callTool(company, one);
      found.push(await answered(client, question, call, callsOf.get(company) ?? 0));
    }
    return found;
  };

  beforeAll(async () => {
    installation = await Installation.create();
    services = await OptOutServices.start(installation.database);
    mcp = (await installation.start('mcp-gateway')).port;
    for (const company of EVAL_COMPANY_NAMES) {
      const truth = new PlantedTruth(company, Date.now());
      const { companyId } = await madeCompany(services, truth.plan);
      keys.set(company, (await installation.addKey(companyId)).apiKey);
      const asks = [
        ...questionsOfLeaders(company),
        ...(questionsOfTrouble[company] ?? []),
        ...questionsOfSalespeople(company),
        ...questionsOfAuditors(),
        ...(questionsOfProof[company] ?? []),
      ];
      questions.push(...asks.map((ask) => ({ company, ...ask(truth) })));
    }
    all = await askAll(scriptedClient);
  }, 600_000);
  afterAll(async () => {
    await installation.stopServices();
    await services.stop();
  });

  it('asks at least 40 questions, and answers each', () => {
    for (const { question, told, isRight, isMisleading, calls, bytes, tokens } of all) {
      const verdict = isRight ? 'right' : isMisleading ? 'MISLEADING' : 'not told';
      const cost = `${calls} ${calls === 1 ? 'call' : 'calls'}, ${bytes} bytes, ${tokens} tokens`;
      noteFigures(
        `${question.company}, ${question.asker}: ${question.text} ${told ?? 'cannot tell'} (${verdict}; ${cost})`,
      );
    }
    expect(all.length).toBeGreaterThanOrEqual(40);
    const wrong = all.filter(({ isRight }) => !isRight);
    expect(
      wrong.map(({ question, told, isMisleading }) => ({
        asked: `${question.company}: ${question.text}`,
        told,
        isMisleading,
      })),
    ).toEqual([]);
  });

  it.each(Object.keys(WRONG_CLIENTS))('holds the gate: %s', (name) => {
    const gate = gatesOf(all).find((one) => one.name === name);
    noteFigures(`${gate?.measured}`);
    expect(gate).toMatchObject({ holds: true });
  });

  it.each(Object.entries(WRONG_CLIENTS))('would see the gate broken: %s', async (name, client) => {
    const gate = gatesOf(await askAll(client)).find((one) => one.name === name);
    noteFigures(`${gate?.measured}, which fails`);
    expect(gate).toMatchObject({ holds: false });
  });

  const model = configuredModel();
  if (model) {
    it(`are answered by ${model.model}`, async () => {
      const key = keys.get('healthy') ?? '';
      const { body } = await exchange(rpc(mcp, key, 'tools/list', {}));
      const ofModel = await askAll(modelClient(model, body.result.tools as ListedTool[]));
      for (const { name, measured } of gatesOf(ofModel)) noteFigures(`${name}: ${measured}`);
      expect(gatesOf(ofModel).filter(({ holds }) => !holds)).toEqual([]);
    }, 3_000_000);
  }
});
