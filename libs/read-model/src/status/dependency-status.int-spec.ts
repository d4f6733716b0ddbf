import { randomUUID } from 'node:crypto';
import { createLogger } from '@outcomes/platform';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { openReadingDatabase, type ReadingDatabase } from '../../test/reading-database';
import { DependencyStatusRepository } from './dependency-status.repository';

describe('the state of what answers rest on', () => {
  const company = mintTenantScope(randomUUID());
  let database: ReadingDatabase;
  let status: DependencyStatusRepository;

  beforeAll(async () => {
    database = await openReadingDatabase();
    status = new DependencyStatusRepository(database.reader, createLogger('test', 'silent'));
  });
  afterAll(() => database.close());

  it('is told of the database and of the audit rows apart', async () => {
    expect(await status.find(company)).toEqual({ database: 'operational', audit: 'operational' });
    await database.owner.query('REVOKE SELECT ON audit_log FROM outcomes_reader');
    expect(await status.find(company)).toEqual({ database: 'operational', audit: 'degraded' });
    await database.owner.query('GRANT SELECT ON audit_log TO outcomes_reader');
    expect(await status.find(company)).toEqual({ database: 'operational', audit: 'operational' });
  });

  it('is not waited for beyond a second', async () => {
    await database.owner.query('BEGIN');
    await database.owner.query('LOCK TABLE audit_log');
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'Date', 'performance'] });
    try {
      let state: unknown;
      const found = status.find(company).then((told) => (state = told));
      await jest.advanceTimersByTimeAsync(999);
      expect(state).toBeUndefined();
      await jest.advanceTimersByTimeAsync(1);
      expect(await found).toMatchObject({ audit: 'degraded' });
    } finally {
      jest.useRealTimers();
      await database.owner.query('ROLLBACK');
    }
  });
});
