import { createHash } from 'node:crypto';
import { ENGINE_VERSION } from '@outcomes/analysis';
import type { DecisionBytes } from '@outcomes/contracts';
import type { DecisionResult, Replay } from '@outcomes/statistics';
import { inForm, isFullForm, noteFigures, type Tenant } from '@outcomes/testing';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { accessibilityFaults, chromiumPath, inPage, openBrowser, openPage } from './console-browser';
import { withoutChromium, type Person } from './console-stage';
import { consoleOf, ConsoleVisitor, signedIn } from './console-visitor';
import { Installation } from './installation';
import { nodeOf, replayedOn } from './replay/other-nodes';
import { storeDecisions } from './replay/stored-decisions';
import { variedDecisions, type VariedDecision } from './replay/varied-decisions';

const DECISIONS = inForm(250, 1_000);
const SEED = 20_261_124;
/** Versions of Node that are supported, and the next. */
const NODES = [20, 24, 26];
const EARLIER_ENGINE = '2.1.0';

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const resultOf = ({ row }: VariedDecision) => JSON.parse(row.result) as DecisionResult;

/** The next number that there is. */
function nextAfter(value: number): number {
  const bits = new BigInt64Array(1);
  const number = new Float64Array(bits.buffer);
  number[0] = value;
  bits[0] = (bits[0] ?? 0n) + 1n;
  return number[0];
}

/** The same decision, as an engine would have frozen it that differs in the last bit of one function. */
function movedByABit(decision: VariedDecision): VariedDecision {
  const result = resultOf(decision);
  const probability = nextAfter(result.probability ?? NaN);
  return { ...decision, row: { ...decision.row, result: JSON.stringify({ ...result, probability }) } };
}

/** How many came out as they were frozen, and the first that did not. */
function compared(decisions: readonly VariedDecision[], results: readonly (string | undefined)[]) {
  const others = decisions.flatMap(({ row }, at) =>
    results[at] === row.result ? [] : [{ frozen: row.result, came: results[at] }],
  );
  return { identical: decisions.length - others.length, first: others[0] };
}

describe('replays of decisions', () => {
  let installation: Installation;
  let [own, other] = [] as unknown as [Tenant, Tenant];
  let origin = '';
  let owner: Person;
  let decisions: VariedDecision[];
  let promising: VariedDecision[];

  beforeAll(async () => {
    installation = await Installation.join('console');
    [own, other] = [
      await installation.addTenant({ name: 'Own' }),
      await installation.addTenant({ name: 'Other' }),
    ];
    decisions = variedDecisions(own.companyId, DECISIONS, SEED);
    promising = decisions.filter((one) => resultOf(one).probability !== null);
    await storeDecisions(installation.database, decisions);
    origin = consoleOf(installation);
    owner = await signedIn(installation, origin, own.companyId, 'owner');
  }, 120_000);
  afterAll(() => installation.stop());

  const below = (path: string, companyId = own.companyId) => `/api/c/${companyId}/decisions/${path}`;

  it('are made of decisions of every kind', () => {
    const results = decisions.map(resultOf);
    const counts = (of: (result: DecisionResult) => string) =>
      Object.fromEntries([...Map.groupBy(results, of)].map(([name, { length }]) => [name, length]));
    const actions = counts(({ action }) => action);
    const reasons = counts(({ reason }) => reason);
    noteFigures(`${decisions.length} decisions: ${JSON.stringify(actions)}, ${JSON.stringify(reasons)}`);
    expect(Object.keys(actions).sort()).toEqual(['send', 'stop', 'switch_channel', 'wait']);
    expect(Object.keys(reasons).sort()).toEqual([
      ...['better_channel', 'bounced', 'learning', 'next_step', 'replied', 'resting'],
      ...['sequence_exhausted', 'unsubscribed'],
    ]);
    for (const count of Object.values(reasons)) expect(count).toBeGreaterThan(inForm(2, 10));
    const inputs = decisions.map(({ row }) => row.inputs);
    expect(inputs.filter((text) => text.includes('"campaign"')).length).toBeGreaterThan(inForm(25, 100));
    expect(decisions.filter(({ stored }) => stored.model.contact === null).length).toBeGreaterThan(
      inForm(25, 100),
    );
    expect(new Set(decisions.map(({ row }) => row.decisionId)).size).toBe(DECISIONS);
    // The same seed makes the same, so that a difference that was found is found again.
    expect(variedDecisions(own.companyId, 40, SEED)).toEqual(decisions.slice(0, 40));
  });

  describe('elsewhere', () => {
    // Other versions are fetched, and `npm test` fetches nothing.
    it.each(isFullForm() ? NODES : [Number(process.versions.node.split('.')[0])])(
      'give the frozen bytes on Node %i',
      async (major) => {
        const node = isFullForm() ? await nodeOf(major).catch(notRun(major)) : process.execPath;
        if (node === undefined) return;
        const replayed = await replayedOn(node, decisions);
        const said = compared(
          decisions,
          replayed.results.map(({ result }) => result),
        );
        noteFigures(`Node ${replayed.node}, engine ${replayed.engine}: ${said.identical} of ${DECISIONS}`);
        expect(said).toEqual({ identical: DECISIONS, first: undefined });
        // Mutation: whatever comes out is called identical.
        const moved = await replayedOn(node, promising.map(movedByABit));
        expect(moved.results.filter(({ identical }) => identical)).toEqual([]);
      },
      400_000,
    );

    it('give the frozen bytes whatever the last bits of the platform are', async () => {
      const replayed = await replayedOn(process.execPath, decisions, true);
      const said = compared(
        decisions,
        replayed.results.map(({ result }) => result),
      );
      noteFigures(`with other last bits of Math.exp and its like: ${said.identical} of ${DECISIONS}`);
      // Mutation: an exponential or a logarithm of the platform.
      expect(said).toEqual({ identical: DECISIONS, first: undefined });
    }, 120_000);
  });

  describe('are lent by the console', () => {
    it('as the texts that were frozen, to whoever may read', async () => {
      const member = await signedIn(installation, origin, own.companyId, 'member');
      for (const { row, stored } of decisions.slice(0, 40)) {
        const { status, body, headers } = await member.get(below(`${row.decisionId}/frozen`));
        expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
        const frozen: DecisionBytes = {
          ...{ decisionId: row.decisionId, engineVersion: ENGINE_VERSION },
          ...{ model: stored.body, modelSha256: hashOf(stored.body) },
          ...{ inputs: row.inputs, inputsSha256: hashOf(row.inputs) },
          ...{ result: row.result, resultSha256: hashOf(row.result) },
        };
        expect(body).toEqual(frozen);
      }
    });

    it('to nobody else: not one byte of another company, and nothing without a sign-in', async () => {
      const stranger = await signedIn(installation, origin, other.companyId, 'owner');
      const [{ row }] = decisions as [VariedDecision];
      for (const what of ['frozen', 'replay']) {
        const path = `${row.decisionId}/${what}`;
        // Mutation: a decision is found by its id alone.
        const foreign = await stranger.get(below(path, other.companyId));
        expect([foreign.status, foreign.body.error]).toEqual([404, 'DECISION_NOT_FOUND']);
        const missing = await stranger.get(below(`${other.companyId}/${what}`, other.companyId));
        const plain = ({ body }: typeof foreign) => ({ ...body, requestId: '', timestamp: '' });
        expect(plain(foreign)).toEqual(plain(missing));
        const entered = await stranger.get(below(path));
        expect(entered.status).toBe(404);
        const unknown = await new ConsoleVisitor(origin).get(below(path));
        expect([unknown.status, unknown.body.error]).toEqual([401, 'NOT_SIGNED_IN']);
        for (const { text } of [foreign, entered, unknown])
          for (const secret of [row.result, row.inputs, row.modelSha256, hashOf(row.result), 'contact-0'])
            expect(text).not.toContain(secret);
      }
      for (const id of ['nothing', '%00', `${row.decisionId}x`])
        expect((await owner.get(below(`${id}/frozen`))).status).toBe(404);
    });
  });

  const missing = withoutChromium();
  if (missing) {
    it('need Chromium', missing);
    return;
  }

  describe('in a browser', () => {
    let browser: Browser;
    let signIn: Exclude<BrowserContextOptions['storageState'], string | undefined>;
    beforeAll(async () => {
      browser = await openBrowser(chromiumPath() ?? '');
      const page = await openPage(browser);
      await page.goto(`${origin}/sign-in`);
      await page.getByLabel('E-mail address').fill(owner.email);
      await page.getByLabel('Password').fill(owner.password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { level: 1, name: 'What your outreach has taught so far' }).waitFor();
      signIn = await page.context().storageState();
      await page.leave();
    }, 60_000);
    afterAll(() => browser.close());

    /** A page of the company, and what its console has been asked for since. */
    const opened = async (path: string, before?: string) => {
      const page = await openPage(browser, before === undefined ? undefined : { storageState: signIn });
      if (before === undefined) await page.context().addCookies(signIn.cookies);
      else await page.addInitScript({ content: before });
      await page.goto(`${origin}/c/${own.companyId}/${path}`);
      const button = page.getByRole('button', { name: 'Replay' }).first();
      await button.waitFor();
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      return { page, button, asked };
    };
    const verdictOf = async (page: Page) => {
      const status = page.getByRole('status').filter({ hasText: /\.$/ }).first();
      await status.waitFor();
      return (await status.innerText()).trim();
    };
    /** A decision of its own kind, stored, and what the page says of its replay. */
    const replayed = async (decisionId: string, before?: string) => {
      const { page, button } = await opened(`decisions/${decisionId}`, before);
      await button.click();
      const said = await verdictOf(page);
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(page.faults).toEqual([]);
      await page.leave();
      return said;
    };
    const made = async (seed: number, kind: (result: DecisionResult) => boolean, engine = ENGINE_VERSION) => {
      const all = variedDecisions(own.companyId, 200, seed, engine);
      const one = all.find((decision) => kind(resultOf(decision)));
      if (!one) throw new Error('No decision of this kind.');
      await storeDecisions(installation.database, [one]);
      return one.row;
    };
    const isStop = ({ action }: DecisionResult) => action === 'stop';
    const WHAT = `\\(engine ${ENGINE_VERSION.replaceAll('.', '\\.')}, result [0-9a-f]{12}…\\)`;
    const HASHES = 'Each text has the SHA-256 that the server states\\.';
    const change = (statement: string, ...values: unknown[]) =>
      installation.database.query(statement, values);

    it('give the frozen bytes in Chromium, with the code that the page fetches', async () => {
      const { page, button, asked } = await opened(`decisions/${decisions[0]?.row.decisionId}`);
      await button.click();
      await verdictOf(page);
      const chunk = asked.find((path) => /^\/assets\/replay-[^/]*\.js$/.test(path)) ?? '';
      const came = await inPage<
        { readonly served: string; readonly result: string; readonly there: boolean }[]
      >(
        page,
        `(async () => {
          const { replayDecision } = await import(${JSON.stringify(origin + chunk)});
          const came = [];
          for (const id of ${JSON.stringify(decisions.map(({ row }) => row.decisionId))}) {
            const [frozen, there] = await Promise.all(['frozen', 'replay'].map((what) =>
              fetch('/api/c/${own.companyId}/decisions/' + id + '/' + what).then((answer) => answer.json())));
            came.push({ served: frozen.result, result: replayDecision(frozen).result, there: there.identical });
          }
          return came;
        })()`,
      );
      const here = compared(
        decisions,
        came.map(({ result }) => result),
      );
      noteFigures(`Chromium ${browser.version()} with ${chunk}: ${here.identical} of ${DECISIONS}`);
      expect(came.filter(({ there }) => there)).toHaveLength(DECISIONS);
      expect(came.map(({ served }) => served)).toEqual(decisions.map(({ row }) => row.result));
      expect(here).toEqual({ identical: DECISIONS, first: undefined });
      const moved = promising.map(movedByABit).map(({ row: { inputs, result }, stored }) => ({
        ...{ model: stored.body, inputs, result },
      }));
      // Mutation: whatever comes out is called identical.
      const found = await inPage<Replay[]>(
        page,
        `import(${JSON.stringify(origin + chunk)}).then(({ replayDecision }) =>
          ${JSON.stringify(moved)}.map((decision) => replayDecision(decision)))`,
      );
      expect(found.filter(({ identical }) => identical)).toEqual([]);
      expect(page.faults).toEqual([]);
      await page.leave();
    }, 240_000);

    it('are fetched and made when somebody asks, and said of both', async () => {
      const { row } = promising[0] as VariedDecision;
      const { page, button, asked } = await opened(`decisions/${row.decisionId}`);
      const fetched = await inPage<string[]>(
        page,
        `performance.getEntriesByType('resource').map(({ name }) => name)`,
      );
      // Mutation: the computation comes with the page.
      expect(fetched.filter((name) => /\/replay-[^/]*\.js|\/(frozen|replay)$/.test(name))).toEqual([]);
      expect(await page.getByRole('status').innerText()).toBe('');
      await button.click();
      expect(await verdictOf(page)).toMatch(
        new RegExp(`^This browser and the server each get the bytes that were frozen ${WHAT}\\. ${HASHES}$`),
      );
      expect(asked.filter((path) => /\/replay-[^/]*\.js$/.test(path))).toHaveLength(1);
      expect(asked.filter((path) => /\/(frozen|replay)$/.test(path)).sort()).toEqual(
        ['frozen', 'replay'].map((what) => below(`${row.decisionId}/${what}`)),
      );
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(page.faults).toEqual([]);
      await page.leave();
    }, 60_000);

    it('name the first field that came out otherwise', async () => {
      const row = await made(7, isStop);
      await change(
        `UPDATE workflow_decisions SET result = replace(result, '"waitDays":0', '"waitDays":3')
         WHERE decision_id = $1`,
        row.decisionId,
      );
      // Mutation: only the server is asked.
      expect(await replayed(row.decisionId)).toMatch(
        new RegExp(
          '^This browser does not get the bytes that were frozen: waitDays is 0 here and 3 as frozen\\. ' +
            `Nor does the server: another result comes out ${WHAT}\\. ${HASHES}$`,
        ),
      );
    }, 60_000);

    it('tell a bit that was moved, as they tell a field', async () => {
      const row = await made(8, ({ probability }) => probability !== null);
      const { probability } = JSON.parse(row.result) as DecisionResult;
      const moved = nextAfter(probability ?? NaN);
      await change(
        `UPDATE workflow_decisions SET result = replace(result, $2, $3) WHERE decision_id = $1`,
        row.decisionId,
        `"probability":${probability},`,
        `"probability":${moved},`,
      );
      expect(await replayed(row.decisionId)).toContain(
        `frozen: probability is ${probability} here and ${moved} as frozen. Nor does the server:`,
      );
    }, 60_000);

    it('tell values that were written otherwise', async () => {
      const row = await made(9, isStop);
      await change(
        `UPDATE workflow_decisions SET result = replace(result, '"action":', ' "action":') WHERE decision_id = $1`,
        row.decisionId,
      );
      expect(await replayed(row.decisionId)).toContain(
        'does not get the bytes that were frozen: the values are the same, and are written otherwise. Nor does the server',
      );
    }, 60_000);

    it('tell a model that is another than was frozen, and one that is gone', async () => {
      const row = await made(10, isStop);
      await change(
        `UPDATE decision_models SET body = body || ' ' WHERE company_id = $1 AND model_sha256 = decode($2, 'hex')`,
        own.companyId,
        row.modelSha256,
      );
      expect(await replayed(row.decisionId)).toMatch(
        new RegExp(
          `^This browser gets the bytes that were frozen ${WHAT}\\. The server does not: the model that it was ` +
            'made from is not the one that was frozen\\. Another SHA-256 than the server states: model\\.$',
        ),
      );
      await change(
        `DELETE FROM decision_models WHERE company_id = $1 AND model_sha256 = decode($2, 'hex')`,
        own.companyId,
        row.modelSha256,
      );
      expect(await replayed(row.decisionId)).toContain(
        'This browser does not get the bytes that were frozen: the model is gone. Nor does the server: the model ',
      );
    }, 60_000);

    it('leave what another engine made to the server', async () => {
      const row = await made(11, ({ probability }) => probability !== null, EARLIER_ENGINE);
      // Mutation: the engine of the page replays whatever it is given.
      expect(await replayed(row.decisionId)).toMatch(
        new RegExp(
          `^Engine ${EARLIER_ENGINE} made this decision, and this page brings ${ENGINE_VERSION}: it is replayed on ` +
            'the server, which keeps earlier engines and gets the bytes that were frozen ' +
            `\\(engine ${EARLIER_ENGINE}, result [0-9a-f]{12}…\\)\\. ${HASHES}$`,
        ),
      );
      const unknown = await made(12, isStop, '0.9.0');
      expect(await replayed(unknown.decisionId)).toContain(
        `Engine 0.9.0 made this decision, and this page brings ${ENGINE_VERSION}: it is replayed on the server ` +
          'alone. The server does not get the bytes that were frozen: it cannot be computed any more (',
      );
    }, 60_000);

    it('say nothing of hashes where the browser lends none', async () => {
      const { row } = promising[1] as VariedDecision;
      const without = `Object.defineProperty(Crypto.prototype, 'subtle', { get: () => undefined })`;
      expect(await replayed(row.decisionId, without)).toMatch(
        new RegExp(`^This browser and the server each get the bytes that were frozen ${WHAT}\\.$`),
      );
    }, 60_000);

    it('say why where nothing comes, and can be asked for again', async () => {
      const { row } = promising[2] as VariedDecision;
      const { page, button } = await opened(`decisions/${row.decisionId}`);
      await page.route('**/frozen', (route) =>
        route.fulfill({ status: 403, json: { error: 'X', message: 'Not now.', requestId: 'r-1' } }),
      );
      await button.click();
      await page.getByRole('alert').getByText('Not now.').waitFor();
      expect(await page.getByRole('status').innerText()).toBe('');
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.unroute('**/frozen');
      await button.click();
      expect(await verdictOf(page)).toContain('This browser and the server each get');
      await page.getByRole('alert').waitFor({ state: 'detached' });
      await page.leave();
      const cut = await opened(`decisions/${row.decisionId}`);
      await cut.page.route('**/assets/replay-*.js', (route) => route.abort());
      await cut.button.click();
      await cut.page.getByRole('alert').getByText('could not be loaded. Reload the page.').waitFor();
      await cut.page.leave();
    }, 60_000);

    it('stand beside each decision of the list', async () => {
      const { page, button } = await opened('decisions');
      await button.click();
      expect(await verdictOf(page)).toMatch(/^(This browser|Engine )/);
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.leave();
    }, 60_000);
  });
});

/** What to do where a Node cannot be had: whoever checks a change before it is taken has to run it. */
function notRun(major: number): (error: unknown) => undefined {
  return (error) => {
    if (process.env.CI) throw error;
    process.stderr.write(`NOT RUN: replays on Node ${major}, which cannot be had: ${String(error)}\n`);
    return undefined;
  };
}
