import { Client, type QueryResultRow } from 'pg';
import type { TestDatabase } from './test-database';

/** A test database that another process made, as its owner. */
export interface AttachedDatabase extends Pick<TestDatabase, 'query'> {
  detach(): Promise<void>;
}

/** @param ownerUrl - `ownerUrl` of the TestDatabase */
export async function attachDatabase(ownerUrl: string): Promise<AttachedDatabase> {
  const owner = new Client({ connectionString: ownerUrl });
  await owner.connect();
  return {
    async query<Row extends QueryResultRow>(text: string, parameters: readonly unknown[] = []) {
      return (await owner.query<Row>(text, [...parameters])).rows;
    },
    detach: () => owner.end(),
  };
}
