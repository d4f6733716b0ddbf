import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { OutcomesClient, type OutcomeEvent } from '@outcomes/client';
import { DAY_MS } from '@outcomes/contracts';
import { faultyProxy, waitUntil, type Tenant } from '@outcomes/testing';
import { Installation } from './installation';

const run = promisify(execFile);
const RECIPES = join(__dirname, '../../../docs/recipes');

describe('the recipes', () => {
  let installation: Installation;
  let tenant: Tenant;
  let folder: string;
  let urls: { readonly ingestUrl: string; readonly readUrl: string; readonly mcpUrl: string };
  let outcomes: OutcomesClient;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'outcomes-recipes-'));
    installation = await Installation.join('ingestion');
    urls = {
      ingestUrl: installation.urlOf('ingest-api'),
      readUrl: `${installation.urlOf('read-api')}/v1`,
      mcpUrl: `${installation.urlOf('mcp-gateway')}/mcp`,
    };
    tenant = await installation.addTenant();
    outcomes = new OutcomesClient({ ...urls, apiKey: tenant.apiKey });
    await outcomes.postEvents(history());
    await installation.cli('analyze', '--company', tenant.companyId, '--wait');
  }, 180_000);

  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await installation?.stop();
  });

  const recipe = (name: string, environment: Readonly<Record<string, string>>, ...args: readonly string[]) =>
    run(process.execPath, [join(RECIPES, name), ...args], {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        OUTCOMES_API_KEY: tenant.apiKey,
        READ_API_URL: urls.readUrl,
        ...environment,
      },
      timeout: 60_000,
    });

  it('are all run here', () => {
    const files = readdirSync(RECIPES).filter((name) => name.endsWith('.mjs'));
    expect(files.sort()).toEqual(['agent-loop.mjs', 'drift-to-slack.mjs', 'nightly-export.mjs']);
    const words = readFileSync(join(RECIPES, 'README.md'), 'utf8');
    for (const name of files) expect(words).toContain(`(${name.replace('.mjs', '.md')})`);
  });

  it('write to whom may be written to alone, and report what came of it', async () => {
    // Away for longer than the queue tries at the end of a round.
    const way = await faultyProxy(urls.ingestUrl, (request) => (request < 7 ? 'dropped' : 'none'));
    const settings = {
      ...{ ...urls, ingestUrl: way.url, apiKey: tenant.apiKey, retryMs: 100 },
      ...{ willing: 'person-1', optedOut: 'person-out' },
    };
    const { stdout, stderr } = await run(process.execPath, [join(__dirname, 'recipes/scripted-agent.mjs')], {
      env: { PATH: process.env['PATH'], AGENT_SETTINGS: JSON.stringify(settings) },
      timeout: 60_000,
    }).finally(() => way.close());
    // Mutation: a round that ends with the first failure has forgotten whom it wrote to.
    expect(way.met).toMatchObject({ dropped: 7, none: 2 });
    expect(stderr).toContain('1 reports are not stored yet');
    const { text, sent, results } = JSON.parse(stdout);
    expect([text, sent]).toEqual(['Done.', ['person-1']]);
    // Mutation: a send_email that does not ask would have written to both.
    const [, , first, second] = results.map(({ value }: { value: unknown }) => value);
    expect(first).toEqual({ sent: true, message_ref: '<1@mailer.example>' });
    expect(second).toEqual({ sent: false, because: expect.arrayContaining(['unsubscribed']) });
    const { companyId } = tenant;
    const tools = await installation.database.query(
      'SELECT tool FROM audit_log WHERE company_id = $1 ORDER BY sequence',
      [companyId],
    );
    expect(tools).toEqual([{ tool: 'get_workflow_decisions' }, { tool: 'get_recipient_intelligence' }]);
    // The reply has found the message that it is an answer to.
    await waitUntil('the reply to be counted', async () => {
      const { data } = await outcomes.read('contact', { contactId: 'person-1' });
      return data.history.outcomes.responded === 1;
    });
  }, 120_000);

  it('export every campaign, as text where a spreadsheet would calculate', async () => {
    const exports = join(folder, 'exports');
    const { stdout } = await recipe('nightly-export.mjs', {}, exports);
    expect(stdout).toMatch(/^campaigns\.csv: 4 rows\ndue-today\.csv: \d+ rows\npatterns\.csv: \d+ rows\n/);
    const [header, ...rows] = readFileSync(join(exports, 'campaigns.csv'), 'utf8').trimEnd().split('\r\n');
    expect(header).toBe('campaign_id,status,settled_messages,reply_rate,reply_rate_low,reply_rate_high');
    const { data } = await outcomes.read('campaigns');
    expect(rows.map((row) => row.split(',')[0]).sort()).toEqual(["'=1+1", 'autumn', 'spring', 'summer']);
    expect(rows).toHaveLength(data.campaign_count);
    const rates = data.campaigns.map(({ reply_rate }) => String(reply_rate.value ?? ''));
    expect(rows.map((row) => row.split(',')[3])).toEqual(rates);
    expect(readdirSync(exports).sort()).toEqual(['campaigns.csv', 'due-today.csv', 'patterns.csv']);
    // Too little has settled, which is no change of replies.
    const { data: drift } = await outcomes.read('drift');
    expect(drift.posteriors_trustworthy).toBe(false);
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(drift.recommended_action);
  }, 120_000);

  it('say once in Slack that the verdict on drift has changed, and again where Slack did not hear', async () => {
    const [heard, answers] = [[] as string[], [500, 200]];
    let api: Server | undefined;
    const slack: Server = createServer((request, response) => {
      void textOf(request).then((body) => {
        heard.push(String(JSON.parse(body).text));
        response.writeHead(answers[heard.length - 1] ?? 200).end('ok');
      });
    });
    await new Promise<void>((resolve) => slack.listen(0, '127.0.0.1', resolve));
    try {
      const webhook = `http://127.0.0.1:${(slack.address() as AddressInfo).port}`;
      const environment = { SLACK_WEBHOOK_URL: webhook };
      const { data } = await outcomes.read('drift');
      // Too little data to be judged: another verdict than none.
      expect(data.drift_state).not.toBe('none');
      await expect(recipe('drift-to-slack.mjs', environment)).rejects.toThrow('Slack answered 500');
      expect((await recipe('drift-to-slack.mjs', environment)).stdout).toContain(
        `none → ${data.drift_state}: told, with 0 new changes.`,
      );
      expect((await recipe('drift-to-slack.mjs', environment)).stdout).toBe(`Still ${data.drift_state}.\n`);
      expect(heard).toHaveLength(2);
      expect(heard[1]).toContain(data.recommended_action);

      // Another channel changes, and the verdict goes on to be that of the one that is too young.
      const change = {
        ...{ channel: 'linkedin', direction: 'down', since: '2026-10-05', told_at: '2026-10-26' },
        scope: { kind: 'campaign', value: 'spring' },
      };
      const answer = JSON.stringify({ success: true, data: { ...data, changes: [change] } });
      api = createServer((_request, response) => {
        response.setHeader('Content-Type', 'application/json').end(answer);
      });
      await new Promise<void>((resolve) => api?.listen(0, '127.0.0.1', resolve));
      const changed = {
        ...environment,
        READ_API_URL: `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
      };
      expect((await recipe('drift-to-slack.mjs', changed)).stdout).toContain('with 1 new change');
      expect(heard[2]).toContain('• linkedin, campaign spring: down around 2026-10-05');
      expect((await recipe('drift-to-slack.mjs', changed)).stdout).toBe(`Still ${data.drift_state}.\n`);
      expect(heard).toHaveLength(3);
    } finally {
      api?.close();
      slack.close();
    }
  }, 120_000);
});

/** Messages of four campaigns, one of them named like a formula, and somebody who opted out. */
function history(): OutcomeEvent[] {
  const sent = new Date(Date.now() - 30 * DAY_MS).toISOString();
  const answered = new Date(Date.now() - 29 * DAY_MS).toISOString();
  const message = (n: number, recipient_id: string): OutcomeEvent => ({
    ...{ channel: 'email', sequence_step: 0, recipient_id, sent_at: sent },
    ...{
      outcome: n === 0 ? 'unsubscribed' : n % 9 === 2 ? 'responded' : 'no_response',
      outcome_at: answered,
    },
    metadata: { campaign_id: ['spring', 'summer', 'autumn', '=1+1'][n % 4] },
  });
  const people = Array.from({ length: 60 }, (_nothing, n) => message(n + 1, `person-${n + 1}`));
  return [message(0, 'person-out'), ...people];
}
