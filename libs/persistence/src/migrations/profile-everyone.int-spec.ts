import { createHash, randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@outcomes/testing';
import { createDataSource } from '../database/data-source';
import { migrateDatabase } from '../database/migrate';

const RESPONDED = 1;
const UNSUBSCRIBED = 3;

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);
const personOf = (recipientId: string) => hashOf(`recipient_id:${recipientId}`);

/** Recipient, hash of the address that its message names, outcome. */
type Message = readonly [recipient: string, address: string | null, outcome: number];

const FIRST: readonly Message[] = [
  ['anna', 'a'.repeat(16), RESPONDED],
  ['anna', null, RESPONDED],
  ['bert', null, RESPONDED],
  ['bert', null, RESPONDED],
  ['carl', 'c'.repeat(16), 0],
  ['carl', null, RESPONDED],
  ['dora', null, UNSUBSCRIBED],
  ['emil', 'a'.repeat(16), 0],
  ['emil', null, RESPONDED],
  ['fred', null, 0],
];
const PEOPLE = [
  { person: 'a'.repeat(16), recipients: ['anna', 'emil'], responses: 3 },
  { person: 'c'.repeat(16), recipients: ['carl'], responses: 1 },
  { person: personOf('bert'), recipients: ['bert'], responses: 2 },
].sort((a, b) => (a.person < b.person ? -1 : 1));

describe('people who answered', () => {
  let database: TestDatabase;
  let company: string;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    company = randomUUID();
    await database.query(`INSERT INTO companies (company_id, name) VALUES ($1, 'Example')`, [company]);
  });

  const send = (messages: readonly Message[]) =>
    database.query(
      `INSERT INTO touches (company_id, touch_id, channel, sequence_step, position, position_confidence, outcome,
         streamed, sent_day, sent_at, outcome_at, levels, recipient_id, thread_id, recipient_hash)
       SELECT $1, gen_random_uuid(), 1, 0, 2, 0.9, row.outcome, true, '2026-01-05', '2026-01-05', '2026-01-06', '{}',
         row.id, 't', row.address
       FROM jsonb_to_recordset($2) AS row (id text, address text, outcome smallint)`,
      [company, JSON.stringify(messages.map(([id, address, outcome]) => ({ id, address, outcome })))],
    );
  const people = () =>
    database.query(
      `SELECT recipient_hash AS person, recipient_ids AS recipients, responses FROM responders
       WHERE company_id = $1 ORDER BY recipient_hash COLLATE "C"`,
      [company],
    );

  it('are known by their address, and those of whom none was ever sent by their recipient_id', async () => {
    await send(FIRST);
    expect(await people()).toEqual(PEOPLE);
  });

  it('become the person of their address once it is known, and go back when that message goes', async () => {
    await send([['bert', null, RESPONDED]]);
    await send([['bert', 'b'.repeat(16), 0]]);
    expect(await people()).toEqual([{ person: 'b'.repeat(16), recipients: ['bert'], responses: 1 }]);
    // The first of two, so that it does not depend on the order in which they came.
    await send([['bert', '0'.repeat(16), 0]]);
    expect(await people()).toEqual([{ person: '0'.repeat(16), recipients: ['bert'], responses: 1 }]);
    await database.query('DELETE FROM touches WHERE company_id = $1 AND recipient_hash IS NOT NULL', [
      company,
    ]);
    expect(await people()).toEqual([{ person: personOf('bert'), recipients: ['bert'], responses: 1 }]);
    await database.query('DELETE FROM touches WHERE company_id = $1', [company]);
    expect(await people()).toEqual([]);
  });

  it('have the same id in Postgres and in TypeScript, whatever a recipient_id holds', async () => {
    const parts = [
      '\\',
      '\\000',
      "'",
      '"',
      '%',
      ' ',
      '\n',
      '\t',
      '\u00e9',
      'e\u0301',
      '\u{1f600}',
      '\u0001',
      'x',
      '$1',
      '\\x41',
    ];
    const ids = Array.from(
      { length: 1_000 },
      (_, n) => `${n}${parts[n % 15]}${parts[(n >> 2) % 15]}${parts[(n * 7) % 15]}`,
    );
    await send(ids.map((id) => [id, null, RESPONDED]));
    const known = (await people()) as { person: string; recipients: string[] }[];
    expect(new Map(known.map(({ person, recipients }) => [recipients[0], person]))).toEqual(
      new Map(ids.map((id) => [id, personOf(id)])),
    );
  });

  it('are not taken for the person of an address that a recipient_id repeats', async () => {
    const address = 'anna@example.com';
    await send([
      [address, null, RESPONDED],
      ['anna', hashOf(address), RESPONDED],
    ]);
    expect((await people()).map((known) => (known as { person: string }).person).sort()).toEqual(
      [hashOf(address), personOf(address)].sort(),
    );
  });

  it('are there after an upgrade, as if they had always been, and back after a way down', async () => {
    const dataSource = await createDataSource({
      url: database.ownerUrl,
      applicationName: 'migration-test',
      poolSize: 1,
      statementTimeoutMs: 30_000,
      connectTimeoutMs: 2_000,
    }).initialize();
    const isThere = async () =>
      (
        await database.query(
          `SELECT FROM information_schema.columns WHERE table_name = 'responders' AND column_name = 'recipient_ids'`,
        )
      ).length > 0;
    while (await isThere()) await dataSource.undoLastMigration();
    await send(FIRST);
    const addressed = () =>
      database.query('SELECT recipient_hash AS person, responses FROM responders WHERE company_id = $1', [
        company,
      ]);
    expect(await addressed()).toEqual([{ person: 'a'.repeat(16), responses: 1 }]);
    await migrateDatabase(database.ownerUrl);
    expect(await people()).toEqual(PEOPLE);
    while (await isThere()) await dataSource.undoLastMigration();
    expect(await addressed()).toEqual([{ person: 'a'.repeat(16), responses: 1 }]);
    await dataSource.destroy();
    await migrateDatabase(database.ownerUrl);
  });
});
