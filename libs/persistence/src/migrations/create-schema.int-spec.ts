import { createTestDatabase, type TestDatabase } from '@outcomes/testing';
import { createDataSource } from '../database/data-source';
import { migrateDatabase } from '../database/migrate';

/** Everything a migration can make, as text: columns, constraints, indexes, policies, grants. */
async function describeSchema(database: TestDatabase): Promise<unknown> {
  const statements = [
    `SELECT table_name, column_name, data_type, udt_name, is_nullable, column_default, collation_name
       FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, ordinal_position`,
    `SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2`,
    `SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`,
    `SELECT tablename, policyname, roles, cmd, qual, with_check FROM pg_policies ORDER BY 1, 2`,
    `SELECT relname, relrowsecurity, relforcerowsecurity,
        ARRAY(SELECT unnest(relacl)::text ORDER BY 1) AS relacl FROM pg_class
      WHERE relnamespace = 'public'::regnamespace ORDER BY 1`,
    `SELECT attrelid::regclass::text, attname, attacl::text FROM pg_attribute
      WHERE attacl IS NOT NULL AND attrelid >= 16384 ORDER BY 1, 2`,
  ];
  const parts = [];
  for (const statement of statements) parts.push(await database.query(statement));
  return parts;
}

describe('the migrations', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const owner = () =>
    createDataSource({
      url: database.ownerUrl,
      applicationName: 'migration-test',
      poolSize: 1,
      statementTimeoutMs: 30_000,
      connectTimeoutMs: 2_000,
    }).initialize();

  it('go up, down and up again, and leave the same schema', async () => {
    const before = await describeSchema(database);
    const dataSource = await owner();
    for (let n = dataSource.migrations.length; n > 0; n -= 1) await dataSource.undoLastMigration();
    const left = await database.query<{ relname: string }>(
      `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'v', 'S')
        AND relname NOT LIKE 'schema\\_migrations%'`,
    );
    expect(left).toEqual([]);
    await dataSource.destroy();
    expect(await migrateDatabase(database.ownerUrl)).not.toEqual([]);
    expect(await describeSchema(database)).toEqual(before);
  });

  it('are harmless to repeat, also by ten at once', async () => {
    const ran = await Promise.all(Array.from({ length: 10 }, () => migrateDatabase(database.ownerUrl)));
    expect(ran.flat()).toEqual([]);
  });

  it('make the columns that the entities name', async () => {
    const dataSource = await owner();
    const columns = await database.query<{ name: string; nullable: boolean; type: string }>(
      `SELECT table_name || '.' || column_name AS name, is_nullable = 'YES' AS nullable,
              CASE WHEN data_type = 'ARRAY' THEN ltrim(udt_name, '_')
                   WHEN data_type = 'timestamp with time zone' THEN 'timestamptz' ELSE data_type END AS type
         FROM information_schema.columns WHERE table_schema = 'public'`,
    );
    const made = new Map(columns.map((column) => [column.name, column]));
    for (const { tableName, columns: named } of dataSource.entityMetadatas) {
      for (const { databaseName, isNullable, type } of named) {
        const name = `${tableName}.${databaseName}`;
        expect(made.get(name)).toEqual({ name, nullable: isNullable, type });
      }
    }
    await dataSource.destroy();
  });
});
