import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@outcomes/testing';
import { exportErasures } from './erasure-file';

describe('exporting erasures', () => {
  const folder = mkdtempSync(join(tmpdir(), 'outcomes-erasures-'));
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
    await database.query(
      `INSERT INTO erasures (company_id, erasure_id, subject, subject_sha256, kept_suppression)
       SELECT $1, gen_random_uuid(), 'recipient', sha256(n::text::bytea), false FROM generate_series(1, 20000) AS n`,
      [randomUUID()],
    );
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  it('says that there is no such folder', async () => {
    const file = join(folder, 'nowhere', 'erasures.ndjson');
    await expect(exportErasures(database.ownerUrl, file)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('says that the disk is full, and goes on where it broke off', async () => {
    const file = join(folder, 'erasures.ndjson');
    const handle = await open(join(folder, 'other'), 'w');
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    jest.spyOn(Object.getPrototypeOf(handle) as FileHandle, 'appendFile').mockRejectedValueOnce(full);
    await handle.close();
    await expect(exportErasures(database.ownerUrl, file)).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(await exportErasures(database.ownerUrl, file)).toMatchObject({ added: 20_000, erasures: 20_000 });
  });
});
