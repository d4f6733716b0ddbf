import { randomUUID } from 'node:crypto';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { mintSystemScope } from '@outcomes/tenancy/system';
import { channelDrift, driftOf } from '../../test/planted-drift';
import { plantRun, plantSnapshot, plantTouch } from '../../test/planted-rows';
import { openReadingDatabase, type ReadingDatabase } from '../../test/reading-database';
import { RunRepository } from './run.repository';

const NEVER = { dataAsOf: null, analysedAt: null, newestOutcomeAt: null, lastRunFailed: false };

describe('RunRepository', () => {
  let database: ReadingDatabase;
  let repository: RunRepository;

  beforeAll(async () => {
    database = await openReadingDatabase();
    repository = new RunRepository(database.reader);
  });
  afterAll(() => database.close());

  it('tells the newest finished run that succeeded, and that a later one failed', async () => {
    const scope = mintTenantScope(randomUUID());
    await plantRun(database.owner, scope.companyId, 'succeeded', '2026-01-01T00:00:00Z');
    await plantRun(database.owner, scope.companyId, 'succeeded', '2026-01-02T00:00:00Z');
    await plantRun(database.owner, scope.companyId, 'failed', '2026-01-03T00:00:00Z');
    await plantRun(database.owner, scope.companyId, 'running', '2026-01-04T00:00:00Z');
    const { freshness, frame } = await repository.read(scope);
    expect(freshness).toEqual({
      ...NEVER,
      dataAsOf: new Date('2026-01-02T00:00:00Z'),
      analysedAt: new Date('2026-01-02T00:00:00Z'),
      lastRunFailed: true,
      hasEvents: false,
    });
    expect(frame).toBeUndefined();
  });

  it('goes by when runs began in the database, whatever the clocks of the processes say', async () => {
    const scope = mintTenantScope(randomUUID());
    // From before runs were dated by the database.
    await plantRun(database.owner, scope.companyId, 'succeeded', '2026-01-09T00:00:00Z');
    await database.owner.query('UPDATE analysis_runs SET begun_at = NULL WHERE company_id = $1', [
      scope.companyId,
    ]);
    await plantRun(database.owner, scope.companyId, 'failed', '2026-01-05T00:00:00Z');
    await plantRun(database.owner, scope.companyId, 'succeeded', '2026-01-02T00:00:00Z');
    expect((await repository.read(scope)).freshness).toMatchObject({
      dataAsOf: new Date('2026-01-02T00:00:00Z'),
      lastRunFailed: false,
    });
  });

  it('does not count a failure that was made good', async () => {
    const scope = mintTenantScope(randomUUID());
    await plantRun(database.owner, scope.companyId, 'failed', '2026-01-01T00:00:00Z');
    await plantRun(database.owner, scope.companyId, 'succeeded', '2026-01-02T00:00:00Z');
    expect((await repository.read(scope)).freshness.lastRunFailed).toBe(false);
  });

  it('knows of events before the first run, processed or not', async () => {
    const processed = mintTenantScope(randomUUID());
    const waiting = mintTenantScope(randomUUID());
    await plantTouch(database.owner, { companyId: processed.companyId });
    await database.owner.query(
      'INSERT INTO ingest_batches (company_id, batch_id, event_ids) VALUES ($1, $2, $3)',
      [waiting.companyId, randomUUID(), [randomUUID()]],
    );
    expect((await repository.read(processed)).freshness).toEqual({ ...NEVER, hasEvents: true });
    expect((await repository.read(waiting)).freshness.hasEvents).toBe(true);
  });

  it('reads documents with the run, and of the frame the newest outcome', async () => {
    const scope = mintTenantScope(randomUUID());
    const frame = {
      ...driftOf([channelDrift()], '2026-01-20T20:00:00.000Z'),
      analysed_at: '2026-02-01T00:00:00.000Z',
    };
    await plantSnapshot(database.owner, scope.companyId, 'bandit', { of: 'arms' }, '2026-02-01T03:00:00Z');
    await plantSnapshot(database.owner, scope.companyId, 'frame', frame);
    await plantSnapshot(database.owner, scope.companyId, 'drift', driftOf([]));
    const read = await repository.read(scope, ['bandit', 'variants']);
    expect(read.document('bandit')).toEqual({ of: 'arms' });
    expect(read.documentAsOf('bandit')).toEqual(new Date('2026-02-01T03:00:00Z'));
    expect([read.document('variants'), read.documentAsOf('variants')]).toEqual([undefined, null]);
    expect(read.frame).toEqual(frame);
    expect(read.freshness.newestOutcomeAt).toEqual(new Date('2026-01-20T20:00:00Z'));
  });

  it('takes the ledger for the frame that an earlier version has not left', async () => {
    const scope = mintTenantScope(randomUUID());
    await plantSnapshot(database.owner, scope.companyId, 'drift', driftOf([channelDrift()]));
    const { frame, freshness } = await repository.read(scope);
    expect(frame).toEqual(driftOf([channelDrift()]));
    expect(freshness.newestOutcomeAt).toEqual(new Date('2026-01-31T20:00:00Z'));
  });

  it('mixes no two runs, however often one ends meanwhile', async () => {
    const scope = mintTenantScope(randomUUID());
    const { companyId } = scope;
    const publish = async (run: number) => {
      const at = new Date(Date.UTC(2026, 0, 1, 0, run)).toISOString();
      const body = JSON.stringify({ ...driftOf([], at), analysed_at: at });
      await database.owner.query(
        `WITH closed AS (
           INSERT INTO analysis_runs (company_id, run_id, run_key, state, engine_version, data_as_of, started_at, finished_at)
           VALUES ($1, gen_random_uuid(), $2, 'succeeded', 'test', $3, $3, $3))
         INSERT INTO snapshots (company_id, document, run_id, data_as_of, updated_at, etag, body)
         SELECT $1, document, gen_random_uuid(), $3, $3, $2, $4 FROM unnest(ARRAY['frame', 'bandit']) AS document
         ON CONFLICT (company_id, document) DO UPDATE SET body = excluded.body, data_as_of = excluded.data_as_of`,
        [companyId, `run-${run}`, at, body],
      );
    };
    await publish(0);
    let isOver = false;
    const seen = new Set<string>();
    const runs = (async () => {
      // However slow reading is: some runs end between readings.
      for (let run = 1; !isOver && (run <= 150 || seen.size <= 3); run += 1) await publish(run);
      isOver = true;
    })();
    try {
      do {
        const { freshness, document } = await repository.read(scope, ['bandit']);
        const times = [
          freshness.analysedAt?.toISOString(),
          freshness.dataAsOf?.toISOString(),
          freshness.newestOutcomeAt?.toISOString(),
          document<{ analysed_at: string }>('bandit')?.analysed_at,
        ];
        // Mutation: with documents and run in two statements, some of these are of two runs.
        expect(new Set(times).size).toBe(1);
        seen.add(times[0] ?? '');
      } while (!isOver);
    } finally {
      isOver = true;
      await runs;
    }
    expect(seen.size).toBeGreaterThan(3);
  });

  it("sees neither runs nor events of tenant B in tenant A's state", async () => {
    const tenantA = mintTenantScope(randomUUID());
    const tenantB = mintTenantScope(randomUUID());
    await plantRun(database.owner, tenantB.companyId, 'failed', '2026-01-03T00:00:00Z');
    await plantTouch(database.owner, { companyId: tenantB.companyId });
    await plantSnapshot(database.owner, tenantB.companyId, 'frame', driftOf([channelDrift()]));
    const read = await repository.read(tenantA, ['frame', 'bandit']);
    expect(read.freshness).toEqual({ ...NEVER, hasEvents: false });
    expect(read.frame).toBeUndefined();
  });

  it('leaves no tenant behind on the connection', async () => {
    const scope = mintTenantScope(randomUUID());
    await plantSnapshot(database.owner, scope.companyId, 'frame', driftOf([channelDrift()]));
    await repository.read(scope);
    const seen = await database.reader.statement<{ count: number }>(mintSystemScope(), {
      name: 'all_snapshots',
      text: 'SELECT count(*)::integer AS count FROM snapshots',
      values: [],
    });
    expect(seen).toEqual([{ count: 0 }]);
  });
});
