import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DOCUMENTS } from '@outcomes/contracts';
import { waitUntil } from '@outcomes/testing';
import { Installation } from './installation';

const HEADER = 'channel,sequence_step,recipient_id,sent_at,outcome_at,outcome';

interface Imported {
  readonly accepted: number;
  readonly counted: boolean | null;
  readonly analysed: boolean | null;
}

describe('the first day on the command line', () => {
  let installation: Installation;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'outcomes-first-day-'));
    installation = await Installation.start(['ingest-api', 'analysis-worker']);
    // Were a company in that run whose import is half counted, the analysis of the rest would have to wait for a minute.
    await installation.dailyRunMadeUpFor();
    analysed = company('Daily').then(async (daily) => {
      await installation.cli(...importArguments(fileOf('most.csv', 100), daily.apiKey));
      return daily;
    });
    // It is the test that fails of it.
    analysed.catch(() => undefined);
  }, 60_000);
  afterAll(async () => {
    await installation.stop();
    rmSync(folder, { recursive: true, force: true });
  }, 30_000);

  /** Begun before the first test, so that both do not wait for their analyses one after the other. */
  let analysed: ReturnType<typeof company>;
  const company = (name: string) => installation.addTenant({ name });
  const fileOf = (name: string, rows: number) => {
    const file = join(folder, name);
    const row = (_: unknown, n: number) =>
      `email,0,${name}-${n},2026-01-05T09:00:00Z,2026-01-06T09:00:00Z,${n % 10 === 0 ? 'responded' : 'no_response'}`;
    writeFileSync(file, `${HEADER}\n${Array.from({ length: rows }, row).join('\n')}\n`);
    return file;
  };
  const importArguments = (file: string, apiKey: string, ...more: string[]) => [
    ...['import', file, '--key', apiKey, '--state-folder', join(folder, 'state')],
    ...more,
  ];
  const analysedMessages = async (companyId: string) => {
    const [document] = await installation.database.query<{ body: string }>(
      'SELECT body FROM snapshots WHERE company_id = $1 AND document = $2',
      [companyId, DOCUMENTS.contactInsights],
    );
    return (JSON.parse(document?.body ?? '{}') as { total_messages?: number }).total_messages;
  };

  it('imports until everything is counted and analysed, and shows both', async () => {
    const { companyId, apiKey } = await company('Import');
    const file = fileOf('whole.csv', 4_000);
    const { code, stdout, stderr } = await installation.cliOutcome(
      ...importArguments(file, apiKey, '--json'),
    );
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      {
        accepted: 4_000,
        duplicates: 0,
        rejected: 0,
        takenAnyway: {},
        faults: [],
        rejectsFile: null,
        counted: true,
        analysed: true,
      },
    ]);
    expect(stderr).toMatch(/importing 100%[\s\S]*analysing 100% done/);
    expect(await analysedMessages(companyId)).toBe(4_000);
    // Sent again there is nothing to wait for.
    const again = await installation.cli<Imported>(...importArguments(file, apiKey));
    expect(again).toMatchObject({ accepted: 4_000, duplicates: 4_000, counted: true, analysed: true });
  }, 120_000);

  it('says what comes where the analysis is left to the daily run', async () => {
    const { companyId, apiKey } = await analysed;
    await installation.database.query(
      'UPDATE analysis_plans SET daily_since = now(), messages = 100 WHERE company_id = $1',
      [companyId],
    );
    const outcome = await installation.cliOutcome(...importArguments(fileOf('few.csv', 5), apiKey, '--json'));
    expect(outcome.code).toBe(0);
    expect(JSON.parse(outcome.stdout)).toMatchObject({ accepted: 5, counted: true, analysed: false });
    expect(outcome.stderr).toContain('the analysis runs with the next daily run (');
  }, 120_000);

  describe('while the worker is kept from its work', () => {
    it('stops after sending with --no-wait', async () => {
      const { companyId, apiKey } = await company('No wait');
      const release = await hold(companyId);
      const result = await installation.cli<Imported>(
        ...importArguments(fileOf('unwatched.csv', 10), apiKey, '--no-wait'),
      );
      expect(result).toMatchObject({ accepted: 10, counted: null, analysed: null });
      await release();
    });

    it('import gives up when nothing moves, ends with 1 and says what to check', async () => {
      const { companyId, apiKey } = await company('Stuck');
      const release = await hold(companyId);
      const { code, stdout, stderr } = await installation.cliOutcome(
        ...importArguments(fileOf('stuck.csv', 10), apiKey, '--json', '--patience', '1'),
      );
      expect(code).toBe(1);
      expect(JSON.parse(stdout)).toMatchObject({ accepted: 10, counted: false, analysed: false });
      expect(stderr).toContain(
        'Everything is stored. 10 events are not counted, and nothing has moved for 1 s: check that analysis-worker is running.',
      );
      await release();
    });

    it('analyze --wait says what it waits for, and waits while another company is analysed', async () => {
      const [busy, small] = [await company('Busy'), await company('Small')];
      const release = await hold(busy.companyId);
      for (const name of ['busy-1.csv', 'busy-2.csv'])
        await installation.cli(...importArguments(fileOf(name, 10), busy.apiKey, '--no-wait'));
      const waiting = ['--wait', '--json', '--patience', '5'];
      const analyze = ({ companyId }: typeof busy) =>
        installation.startCommand(['analyze', '--company', companyId, ...waiting]);
      const others = [await analyze(busy), await analyze(busy)];
      for (const other of others)
        await waitUntil('the batches', () =>
          other.stderr().includes('waiting: 2 batches (20 events) to count'),
        );
      // Both places of the worker are taken, by runs that wait for the company that is held.
      const last = await analyze(small);
      await waitUntil('the wait', () =>
        last.stderr().includes('waiting: the worker is analysing another company'),
      );
      await release();
      for (const followed of [...others, last]) {
        const { code, stdout } = await followed.ended;
        expect([code, (JSON.parse(stdout) as { state: string }).state]).toEqual([0, 'succeeded']);
      }
    }, 60_000);
  });

  it('analyze gives up where no worker does anything, and says what to check', async () => {
    const { companyId } = await company('No worker');
    await installation.stopServices({ app: 'analysis-worker' });
    const { code, stdout, stderr } = await installation.cliOutcome(
      ...['analyze', '--company', companyId, '--wait', '--json', '--patience', '1'],
    );
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('waiting: for a worker to pick up the analysis');
    expect(stderr).toContain('no worker has done anything for 1 s. Check that analysis-worker is running');
  }, 60_000);

  /** Nothing of the company is counted until the function that comes back is called. */
  async function hold(companyId: string): Promise<() => Promise<unknown>> {
    const { database } = installation;
    await database.query('SELECT pg_advisory_lock($1, hashtext($2))', [0x7f01, companyId]);
    return () => database.query('SELECT pg_advisory_unlock($1, hashtext($2))', [0x7f01, companyId]);
  }
});
