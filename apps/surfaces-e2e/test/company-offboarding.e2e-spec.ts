import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { INSTALLATION } from '@outcomes/audit';
import { createTestDatabase, databaseContents, startCommand, type TestDatabase } from '@outcomes/testing';
import { columnsWithoutCanary, fingerprintOf, plantCanaries } from './canaries';
import { columnsOfTenants } from './tenant-columns';

/** What proves a key is in no export, and hashes hold no text. */
const WITHOUT_TEXT = ['companies.time_zone'];

describe('outcomes company export and delete', () => {
  const [leaver, stayer] = [randomUUID(), randomUUID()];
  const folder = mkdtempSync(join(tmpdir(), 'outcomes-company-'));
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
    for (const [company, canary] of [[leaver, 'LeaverCanary'] as const, [stayer, 'StayerCanary'] as const]) {
      await database.query('INSERT INTO companies (company_id, name) VALUES ($1, $2)', [company, canary]);
      await plantCanaries(database, company, canary, randomUUID());
    }
    expect(await columnsWithoutCanary(database, leaver, 'LeaverCanary')).toEqual([]);
  }, 60_000);
  afterAll(async () => {
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  const outcomes = (input: string, ...args: string[]) =>
    startCommand(['company', ...args], {
      ...{ cwd: folder, environment: { DATABASE_URL: database.ownerUrl }, input },
    }).ended;
  const linesOf = async (file: string) =>
    (await readFile(file, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { table: string; row: Record<string, unknown> });

  it('exports every row of a company and none of another', async () => {
    const file = join(folder, 'company.ndjson');
    expect(await outcomes('', 'export', leaver, file)).toMatchObject({ code: 0 });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(
      await database.query(
        `SELECT subject FROM administration_log WHERE company_id = $1 AND action = 'company.export'`,
        [leaver],
      ),
    ).toEqual([{ subject: null }]);
    const lines = await linesOf(file);
    const counts = Object.groupBy(lines, ({ table }) => table);
    const prints = await fingerprintOf(database, leaver);
    expect(Object.fromEntries(Object.entries(counts).map(([table, rows]) => [table, rows?.length]))).toEqual(
      Object.fromEntries(
        Object.entries(prints).map(([table, print]) => [table, Number((print as { rows: string }).rows)]),
      ),
    );
    const text = await readFile(file, 'utf8');
    expect(text).not.toContain('StayerCanary');
    expect(text).not.toContain('secret_sha256');
    const columns = await columnsOfTenants(database);
    const names = new Set(
      columns.filter(({ type }) => type === 'text').map(({ table, column }) => `${table}.${column}`),
    );
    const told = new Set(
      lines.flatMap(({ table, row }) => Object.keys(row).map((column) => `${table}.${column}`)),
    );
    expect([...names].filter((name) => !told.has(name) && !WITHOUT_TEXT.includes(name))).toEqual([]);
  });

  it('exports what is about one recipient, and nobody else', async () => {
    const file = join(folder, 'recipient.ndjson');
    expect(
      await outcomes('', 'export', leaver, file, '--recipient', 'LeaverCanary_recipient_4'),
    ).toMatchObject({
      code: 0,
    });
    const lines = await linesOf(file);
    expect(new Set(lines.map(({ table }) => table))).toContain('outcome_events');
    // Two by two from one address: the other of the pair is the same person.
    const recipients = new Set(lines.flatMap(({ row }) => (row.recipient_id as string | undefined) ?? []));
    expect([...recipients].sort()).toEqual(['LeaverCanary_recipient_4', 'LeaverCanary_recipient_5']);
  });

  it('deletes nothing where the id is not typed, or is nobody', async () => {
    const before = await fingerprintOf(database, leaver);
    expect(await outcomes(`${stayer}\n`, 'delete', leaver)).toMatchObject({ code: 1 });
    expect(await outcomes('', 'delete', randomUUID(), '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no company') as string,
    });
    expect(await fingerprintOf(database, leaver)).toEqual(before);
  });

  it('deletes every row of a company from every table, and none of another', async () => {
    const before = await fingerprintOf(database, stayer);
    expect(await databaseContents(database)).toContain('LeaverCanary');
    const { code, stderr } = await outcomes(`${leaver}\n`, 'delete', leaver, '--json');
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    expect(await databaseContents(database)).not.toContain('LeaverCanary');
    const left = Object.entries(await fingerprintOf(database, leaver)).filter(
      ([, print]) => Number((print as { rows: string }).rows) > 0,
    );
    // That it was deleted, so that no backup brings it back.
    expect(left.map(([table]) => table)).toEqual(['erasures']);
    expect(await database.query('SELECT subject FROM erasures WHERE company_id = $1', [leaver])).toEqual([
      { subject: 'company' },
    ]);
    expect(
      await database.query(
        'SELECT action, subject FROM administration_log WHERE company_id = $1 ORDER BY entry_no',
        [INSTALLATION],
      ),
    ).toEqual([
      { action: 'company.begin_deletion', subject: leaver },
      { action: 'company.delete', subject: leaver },
    ]);
    expect(await fingerprintOf(database, stayer)).toEqual(before);
  }, 120_000);
});
