import { randomUUID } from 'node:crypto';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { waitUntil } from '@outcomes/testing';
import { plantSnapshot } from '../../test/planted-rows';
import { openReadingDatabase, type ReadingDatabase } from '../../test/reading-database';
import { SnapshotCache } from './snapshot-cache.service';
import { SnapshotRepository, type StoredBody } from './snapshot.repository';

describe('SnapshotCache', () => {
  let database: ReadingDatabase;
  let repository: SnapshotRepository;
  let cache: SnapshotCache;
  let nowMs: number;
  let find: jest.SpyInstance;

  beforeAll(async () => {
    database = await openReadingDatabase();
  });
  afterAll(() => database.close());

  // The clock stands still unless a test moves it, so that what is forgotten was told of.
  beforeEach(() => {
    nowMs = Date.parse('2026-02-01T00:00:00Z');
    repository = new SnapshotRepository(database.reader);
    cache = new SnapshotCache(repository, database.reader, { now: () => new Date(nowMs) });
    find = jest.spyOn(repository, 'find');
  });
  afterEach(() => cache.onApplicationShutdown());

  const planted = async (document = 'patterns', value: unknown = { of: 'then' }) => {
    const scope = mintTenantScope(randomUUID());
    await plantSnapshot(database.owner, scope.companyId, document, value);
    return scope;
  };
  const remembered = (scope: ReturnType<typeof mintTenantScope>, document = 'patterns') =>
    waitUntil('the document is held', async () => {
      await cache.find(scope, document);
      return cache.held(scope, document) !== undefined;
    });
  const change = (companyId: string, body: string) =>
    database.owner.query('UPDATE snapshots SET body = $2, etag = $2 WHERE company_id = $1', [
      companyId,
      body,
    ]);

  it('reads a document once', async () => {
    const scope = await planted();
    await remembered(scope);
    find.mockClear();
    expect(await cache.find(scope, 'patterns')).toMatchObject({ json: '{"of":"then"}' });
    expect(find).not.toHaveBeenCalled();
  });

  it('has the document of a new run without waiting for the old one to age', async () => {
    const scope = await planted();
    await remembered(scope);
    await change(scope.companyId, '"now"');
    // Mutation: without the message, or with one that is not acted upon, this is the old one for ever.
    await waitUntil(
      'the newer document',
      async () => (await cache.find(scope, 'patterns'))?.json === '"now"',
    );
  });

  it('forgets a document that is deleted', async () => {
    const scope = await planted();
    await remembered(scope);
    await database.owner.query('DELETE FROM snapshots WHERE company_id = $1', [scope.companyId]);
    await waitUntil('no document', async () => (await cache.find(scope, 'patterns')) === undefined);
  });

  it('believes for a second at most where the message is lost', async () => {
    const scope = await planted();
    await remembered(scope);
    await database.owner.query('ALTER TABLE snapshots DISABLE TRIGGER tell_snapshots');
    await change(scope.companyId, '"now"');
    await database.owner.query('ALTER TABLE snapshots ENABLE TRIGGER tell_snapshots');
    nowMs += 999;
    expect((await cache.find(scope, 'patterns'))?.json).toBe('{"of":"then"}');
    nowMs += 1;
    expect((await cache.find(scope, 'patterns'))?.json).toBe('"now"');
  });

  it('remembers nothing while no messages arrive, and again once they do', async () => {
    const scope = await planted();
    await remembered(scope);
    await database.owner.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE 'LISTEN %'`,
    );
    await waitUntil('nothing is held', () => cache.held(scope, 'patterns') === undefined);
    await remembered(scope);
  });

  it('does not remember what was read before a change and came after it', async () => {
    const scope = await planted();
    await plantSnapshot(database.owner, scope.companyId, 'bandit', {});
    const before = await repository.find(scope, 'patterns');
    await remembered(scope, 'bandit');
    let arrive: (found: StoredBody | undefined) => void = () => undefined;
    find.mockReturnValueOnce(new Promise((resolve) => (arrive = resolve)));
    const underWay = cache.find(scope, 'patterns');
    await change(scope.companyId, '"now"');
    await waitUntil('the message is here', () => cache.held(scope, 'bandit') === undefined);
    arrive(before);
    expect((await underWay)?.json).toBe('{"of":"then"}');
    // Mutation: held without looking whether the company was forgotten meanwhile, this is the old one.
    expect((await cache.find(scope, 'patterns'))?.json).toBe('"now"');
  });

  it('gives a company nothing of another, whichever came first', async () => {
    const [tenantA, tenantB] = [await planted('patterns', 'of A'), await planted('patterns', 'of B')];
    const nobody = mintTenantScope(randomUUID());
    await remembered(tenantA);
    expect((await cache.find(tenantB, 'patterns'))?.json).toBe('"of B"');
    expect(await cache.find(nobody, 'patterns')).toBeUndefined();
    await remembered(tenantB);
    expect((await cache.find(tenantA, 'patterns'))?.json).toBe('"of A"');
    expect(await cache.find(tenantA, 'bandit')).toBeUndefined();
    await change(tenantA.companyId, '"of A, newer"');
    await waitUntil(
      'the newer document',
      async () => (await cache.find(tenantA, 'patterns'))?.json === '"of A, newer"',
    );
    expect((await cache.find(tenantB, 'patterns'))?.json).toBe('"of B"');
  });

  it('holds 32 MiB at most, and lets the company that came first go', async () => {
    const [first, second, third] = [await planted(), await planted(), await planted()];
    await remembered(first);
    const large = 'x'.repeat(6 * 1_048_576);
    find.mockImplementation((_scope: unknown, document: string) =>
      Promise.resolve({ body: large, etag: `e of ${document}`, frame: null }),
    );
    await cache.find(second, 'patterns');
    await cache.find(third, 'patterns');
    const all = [first, second, third];
    expect(all.map((scope) => cache.held(scope, 'patterns') !== undefined)).toEqual([true, true, true]);
    await cache.find(third, 'bandit');
    // Mutation: without a bound all are held.
    expect(all.map((scope) => cache.held(scope, 'patterns') !== undefined)).toEqual([false, false, true]);
    expect(cache.held(third, 'bandit')).toBeDefined();
  });

  /** Documents of this size in memory, two bytes a character, whatever is asked for. */
  const ofMebibytes = (size: number) =>
    find.mockResolvedValue({ body: 'x'.repeat(size * 524_288), etag: 'e', frame: null });

  it('counts a document that is read again once, and one that was forgotten not at all', async () => {
    const [small, large] = [await planted(), await planted()];
    await remembered(small);
    ofMebibytes(12);
    for (let second = 0; second < 5; second += 1) {
      nowMs += 1_000;
      await cache.find(large, 'patterns');
      expect(cache.held(large, 'patterns')).toBeDefined();
    }
    find.mockRestore();
    find = jest.spyOn(repository, 'find');
    await remembered(small);
    ofMebibytes(12);
    for (let changes = 0; changes < 3; changes += 1) {
      await cache.find(large, 'patterns');
      await change(large.companyId, `${changes}`);
      await waitUntil('it is forgotten', () => cache.held(large, 'patterns') === undefined);
    }
    expect(cache.held(small, 'patterns')).toBeDefined();
  });

  it('has one frame for all documents of a run, and another for the next', async () => {
    const frame = (run: number) =>
      JSON.stringify({ data_as_of: `2026-01-0${run}T00:00:00.000Z`, channels: [] });
    const frameOf = async (scope: ReturnType<typeof mintTenantScope>, document: string) => {
      nowMs += 1_000;
      return (await cache.find(scope, document))?.frame;
    };
    const scope = await planted();
    find.mockResolvedValue({ body: '{}', etag: 'e', frame: frame(1) });
    const first = await frameOf(scope, 'patterns');
    expect(first).toBeDefined();
    expect(await frameOf(scope, 'chunks')).toBe(first);
    // Of 500 companies they are kept; that of the one that came first goes first.
    const others = Array.from({ length: 499 }, () => mintTenantScope(randomUUID()));
    for (const other of others) await frameOf(other, 'patterns');
    expect(await frameOf(scope, 'patterns')).toBe(first);
    await frameOf(mintTenantScope(randomUUID()), 'patterns');
    expect(await frameOf(scope, 'patterns')).not.toBe(first);
    const again = await frameOf(scope, 'patterns');
    find.mockResolvedValue({ body: '{}', etag: 'e', frame: frame(2) });
    expect(await frameOf(scope, 'patterns')).not.toBe(again);
  });
});
