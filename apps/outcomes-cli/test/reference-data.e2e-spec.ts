import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMCPClient } from '@ai-sdk/mcp';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { BanditDocument, PatternRecord } from '@outcomes/contracts';
import { waitUntil, type App } from '@outcomes/testing';
import { Installation } from './installation';
import { referenceDataFolder, runsInCi } from './reference-data.config';

const eventsFile = join(referenceDataFolder, 'events.csv.gz');
const available = existsSync(eventsFile);
const EVENTS = 63_905;

interface ImportResult {
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
  readonly rejectsFile: string | null;
}
interface Level {
  readonly level: string;
  readonly n: number;
  readonly responded: number;
  readonly rate: number;
}

if (!available) {
  process.stderr.write(`NOT RUN: real cold e-mails: ${eventsFile} is not there\n`);
  it('needs the reference data wherever it is promised (CI)', () => {
    expect(runsInCi).toBe(false);
  });
}

const suite = () => {
  let installation: Installation;
  let stateFolder: string;
  let company: { companyId: string; apiKey: string };

  const importEvents = () =>
    installation.cli<ImportResult>(
      'import',
      eventsFile,
      '--key',
      company.apiKey,
      '--state-folder',
      stateFolder,
    );

  const totals = async () => {
    const [row] = await installation.database.query<Record<string, string>>(
      `SELECT (SELECT count(*) FROM outcome_events) AS events,
              (SELECT count(*) FROM touches) AS touches,
              (SELECT sum(touches) FROM cohort_counts) AS counted,
              (SELECT sum(replies) FROM cohort_counts) AS replies`,
    );
    return Object.fromEntries(Object.entries(row ?? {}).map(([name, value]) => [name, Number(value)]));
  };

  const allProcessed = () =>
    waitUntil(
      'all batches to be processed',
      async () => {
        const [row] = await installation.database.query<{ pending: string }>(
          'SELECT count(*) AS pending FROM ingest_batches WHERE processed_at IS NULL',
        );
        return row?.pending === '0';
      },
      120_000,
    );

  beforeAll(async () => {
    stateFolder = mkdtempSync(join(tmpdir(), 'outcomes-import-'));
    installation = await Installation.start(['ingest-api', 'analysis-worker', 'read-api', 'mcp-gateway']);
    company = await installation.cli('company', 'create', 'Reference');
  }, 60_000);

  afterAll(async () => {
    await installation.stop();
    rmSync(stateFolder, { recursive: true, force: true });
  }, 60_000);

  it('are all accepted, also while every process in turn is killed and restarted', async () => {
    const importing = importEvents();
    const stored = async () => {
      const [row] = await installation.database.query<{ n: string }>(
        'SELECT count(*) AS n FROM outcome_events',
      );
      return Number(row?.n);
    };
    const victims: App[] = ['ingest-api', 'analysis-worker', 'read-api', 'mcp-gateway'];
    for (const [index, victim] of victims.entries()) {
      // Spread over the import by what is stored, not by time.
      await waitUntil('the import to go on', async () => (await stored()) > (index + 1) * 10_000, 120_000);
      await installation.killAndRestart(victim);
    }
    await expect(importing).resolves.toMatchObject({ accepted: EVENTS, rejected: 0, rejectsFile: null });
    await allProcessed();
    // 1,241 of the e-mails were answered: reference.json, "responded".
    expect(await totals()).toEqual({ events: EVENTS, touches: EVENTS, counted: EVENTS, replies: 1_241 });
  }, 240_000);

  it('change nothing when they are imported again', async () => {
    await expect(importEvents()).resolves.toEqual({
      accepted: EVENTS,
      duplicates: EVENTS,
      rejected: 0,
      rejectsFile: null,
      takenAnyway: {},
      faults: [],
      counted: true,
      analysed: true,
    });
    await allProcessed();
    expect(await totals()).toEqual({ events: EVENTS, touches: EVENTS, counted: EVENTS, replies: 1_241 });
  }, 240_000);

  it('give the published reply rates within the stated intervals, and no timing pattern', async () => {
    await expect(
      installation.cli('analyze', '--company', company.companyId, '--wait'),
    ).resolves.toMatchObject({
      state: 'succeeded',
    });
    const { arms } = await read<BanditDocument>('/v1/intelligence/bandit');
    const reference = JSON.parse(readFileSync(join(referenceDataFolder, 'reference.json'), 'utf8')) as {
      dimensions: { position: { levels: Level[] } };
    };
    const bucketOf = {
      'Portfolio Manager': 'manager',
      'Financial Analyst': 'individual_contributor',
    } as const;
    for (const [title, position] of Object.entries(bucketOf)) {
      const truth = reference.dimensions.position.levels.find(({ level }) => level === title);
      const arm = arms.find((candidate) => candidate.channel === 'email' && candidate.position === position);
      expect(arm?.observations).toBe(truth?.n);
      expect(arm?.ci_low).toBeLessThan(truth?.rate ?? 0);
      expect(arm?.ci_high).toBeGreaterThan(truth?.rate ?? 1);
      // With this many e-mails pooling hardly moves the mean: 5 % is 2.5 standard errors of the smaller group.
      expect(Math.abs((arm?.posterior_mean ?? 0) / (truth?.rate ?? 1) - 1)).toBeLessThan(0.05);
    }
    const patterns = await read<PatternRecord[]>('/v1/patterns');
    const timing = patterns.filter(({ code, tier }) => /^(DOW|HOD)-\d/.test(code) && (tier ?? 0) >= 1);
    expect(timing.map(({ code }) => code)).toEqual([]);
  }, 120_000);

  it('are answered about over REST', async () => {
    const health = await read<{ status: string; authentication: { companyId: string } }>('/v1/health');
    expect(health.status).toBe('healthy');
    expect(health.authentication.companyId).toBe(company.companyId);
  });

  it('are answered about through the official MCP client', async () => {
    const client = new Client({ name: 'e2e', version: '1.0.0' });
    const transport = new StreamableHTTPClientTransport(
      new URL(`${installation.service('mcp-gateway').url}/mcp`),
      {
        requestInit: { headers: { Authorization: `Bearer ${company.apiKey}` } },
      },
    );
    await client.connect(transport);
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(7);
    const result = await client.callTool({ name: 'get_bandit_state', arguments: {} });
    expect(result.structuredContent).toMatchObject({ tenant_id: company.companyId, arm_count: 2 });
    await client.close();
  });

  it('are answered about through the AI SDK client', async () => {
    const client = await createMCPClient({
      transport: {
        type: 'http',
        url: `${installation.service('mcp-gateway').url}/mcp`,
        headers: { Authorization: `Bearer ${company.apiKey}` },
      },
    });
    const tools = await client.tools();
    expect(Object.keys(tools)).toHaveLength(7);
    const answer = await tools.get_bandit_state?.execute?.(
      {},
      { toolCallId: '1', messages: [], context: {} },
    );
    expect(JSON.stringify(answer)).toContain('posterior_mean');
    await client.close();
  });

  async function read<Data>(path: string): Promise<Data> {
    const response = await fetch(`${installation.service('read-api').url}${path}`, {
      headers: { Authorization: `Bearer ${company.apiKey}` },
    });
    const body = (await response.json()) as { data: Data };
    expect({ path, status: response.status }).toEqual({ path, status: 200 });
    return body.data;
  }
};

if (available) describe('63,905 real cold e-mails', suite);
