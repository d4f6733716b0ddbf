import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from './test-database';
import { waitUntil } from './wait-until';
import { waitingForLock } from './waiting-for-lock';

describe('waitingForLock', () => {
  let databases: TestDatabase[] = [];
  beforeEach(async () => {
    databases = [await createTestDatabase(), await createTestDatabase()];
  });
  afterEach(() => Promise.all(databases.map((database) => database.drop())));

  it('finds who waits in this database, by the kind of lock, and nobody who waits in another', async () => {
    const [here, elsewhere] = databases as [TestDatabase, TestDatabase];
    const client = new Client(here.ownerUrl);
    await client.connect();
    const [own] = (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows;
    await here.query('SELECT pg_advisory_lock(1)');
    const waits = client.query('SELECT pg_advisory_lock(1)');
    await waitUntil('the wait', async () => (await waitingForLock(here)).length > 0);
    expect(await waitingForLock(here, 'advisory')).toEqual([own?.pid]);
    expect(await waitingForLock(here, 'relation')).toEqual([]);
    // Mutation: every database of the cluster, as the views show them.
    expect(await waitingForLock(elsewhere)).toEqual([]);
    await here.query('SELECT pg_advisory_unlock(1)');
    await waits;
    await client.end();
  });
});
