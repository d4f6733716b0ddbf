import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { migrateDatabase } from '@outcomes/persistence';
import { attachDatabase, createTestDatabase, startCommand, type TestDatabase } from '@outcomes/testing';
import { fingerprintOf, plantCanaries } from './canaries';
import { sealAudits } from './sealed-audit';

const PASSWORD = randomBytes(12).toString('hex');

describe('outcomes backup and restore', () => {
  const [first, second] = [randomUUID(), randomUUID()];
  const owner = `owner_${randomBytes(4).toString('hex')}`;
  const folder = mkdtempSync(join(tmpdir(), 'outcomes-backup-'));
  const file = join(folder, 'backup.gz');
  const targets: string[] = [];
  let source: TestDatabase;
  let reader: string;

  beforeAll(async () => {
    source = await createTestDatabase();
    reader = await source.loginAs('outcomes_backup');
    // The owner of a restored database is no superuser: forced row-level security holds for it, too.
    await source.query(`CREATE ROLE ${owner} LOGIN CREATEROLE PASSWORD '${PASSWORD}'`);
    for (const [company, canary] of [[first, 'CanaryOne'] as const, [second, 'CanaryTwo'] as const]) {
      await source.query('INSERT INTO companies (company_id, name) VALUES ($1, $2)', [company, canary]);
      await plantCanaries(source, company, canary, randomUUID());
    }
    await sealAudits(source, [first, second]);
  }, 60_000);
  afterAll(async () => {
    for (const name of targets) await source.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await source.query(`DROP ROLE ${owner}`);
    await source.drop();
    rmSync(folder, { recursive: true });
  });

  const outcomes = (environment: Record<string, string>, ...args: string[]) =>
    startCommand(args, { cwd: folder, environment }).ended;
  const newTarget = async () => {
    const name = `restored_${randomBytes(5).toString('hex')}`;
    targets.push(name);
    await source.query(`CREATE DATABASE ${name} OWNER ${owner}`);
    const url = new URL(source.ownerUrl);
    url.pathname = `/${name}`;
    const asSuperuser = url.toString();
    Object.assign(url, { username: owner, password: PASSWORD });
    return { url: url.toString(), asSuperuser };
  };
  const printsOf = async (url: string) => {
    const database = await attachDatabase(url);
    try {
      return await Promise.all([first, second].map((company) => fingerprintOf(database, company)));
    } finally {
      await database.detach();
    }
  };
  const restored = (url: string, ...args: string[]) => outcomes({ DATABASE_URL: url }, 'restore', ...args);

  it('carries every row of every company into an empty database, as the owner of its tables', async () => {
    const backup = await outcomes({ BACKUP_DATABASE_URL: reader }, 'backup', file, '--json');
    expect({ ...backup, stderr: '' }).toMatchObject({ code: 0 });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const { url, asSuperuser } = await newTarget();
    const { code, stdout, stderr } = await restored(url, file, '--json');
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ companies: 2, auditLogs: 2, erasures: null });
    expect(stderr).toContain('everybody erased after');
    expect(await printsOf(asSuperuser)).toEqual(await printsOf(source.ownerUrl));
    // Mutation: the comparison sees one row less.
    const database = await attachDatabase(asSuperuser);
    await database.query('DELETE FROM touches WHERE ctid IN (SELECT ctid FROM touches LIMIT 1)');
    await database.detach();
    expect(await printsOf(asSuperuser)).not.toEqual(await printsOf(source.ownerUrl));
    expect(await restored(url, file)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/already/) as string,
    });
  }, 120_000);

  it('leaves nobody signed in, and says that keys revoked since are valid again and how to revoke them', async () => {
    await source.query(`INSERT INTO user_sessions (session_sha256, user_id, signed_in_at, last_used_at)
      VALUES (sha256('session'), gen_random_uuid(), now(), now())`);
    await source.query(`INSERT INTO sign_in_attempts (attempt_sha256, nonce, code_verifier, began_at)
      VALUES (sha256('attempt'), 'nonce', 'verifier', now())`);
    const signedIn = join(folder, 'signed-in.gz');
    const backup = await outcomes({ BACKUP_DATABASE_URL: reader }, 'backup', signedIn, '--json');
    const { takenAt } = JSON.parse(backup.stdout) as { takenAt: string };
    const { url, asSuperuser } = await newTarget();
    const { code, stderr } = await restored(url, signedIn, '--json');
    expect(code).toBe(0);
    expect(stderr).toContain(`API keys revoked after ${takenAt} are valid again`);
    expect(stderr).toMatch(/outcomes keys list --company ID.*outcomes keys revoke KEY_ID/);
    const database = await attachDatabase(asSuperuser);
    const counts = `SELECT (SELECT count(*)::int FROM user_sessions) AS sessions,
      (SELECT count(*)::int FROM sign_in_attempts) AS attempts`;
    expect(await database.query(counts)).toEqual([{ sessions: 0, attempts: 0 }]);
    await database.detach();
    expect(await source.query(counts)).toEqual([{ sessions: 1, attempts: 1 }]);
  }, 60_000);

  it('is refused to a login that would see no rows, which is what the owner of the tables is', async () => {
    const { url } = await newTarget();
    await migrateDatabase(url);
    const database = await attachDatabase(url);
    await expect(
      database.query(`INSERT INTO companies (company_id, name) VALUES (gen_random_uuid(), 'x')`),
    ).rejects.toThrow();
    await database.detach();
    const refused = await outcomes({ DATABASE_URL: url }, 'backup', join(folder, 'owner.gz'));
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('would be empty') as string });
    await expect(stat(join(folder, 'owner.gz'))).rejects.toThrow();
    const again = await outcomes({ BACKUP_DATABASE_URL: reader }, 'backup', file);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('already exists') as string });
  });

  it.each([
    ['cut short', (text: string) => text.slice(0, text.length / 2)],
    ['without a row', (text: string) => text.replace(/^.*CanaryOne_recipient_3.*\n/m, '')],
    ['with a changed row', (text: string) => text.replace('CanaryOne_recipient_3', 'CanaryOne_recipient_4')],
    ['of another version', (text: string) => text.replace('outcomes-backup 1', 'outcomes-backup 2')],
    [
      'of a newer schema',
      (text: string) => text.replace('CreateSchema1790000000000', 'Unknown1999999999999'),
    ],
  ])('keeps nothing of a file that is %s', async (_what, harm) => {
    const harmed = join(folder, 'harmed.gz');
    await writeFile(harmed, gzipSync(harm(gunzipSync(await readFile(file)).toString())));
    const { url, asSuperuser } = await newTarget();
    expect((await restored(url, harmed)).code).toBe(1);
    const database = await attachDatabase(asSuperuser);
    const [tables] = await database.query<{ name: string | null }>(
      `SELECT to_regclass('touches')::text AS name`,
    );
    if (tables?.name) expect(await database.query('SELECT FROM touches')).toEqual([]);
    await database.detach();
  });

  it('is refused by a database of a newer schema, whose migrations would never see its rows', async () => {
    const older = join(folder, 'older.gz');
    const text = gunzipSync(await readFile(file)).toString();
    await writeFile(older, gzipSync(text.replace(/,"\w+"(?=\],"tables")/, '')));
    const { url } = await newTarget();
    await migrateDatabase(url);
    expect(await restored(url, older)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is newer than the backup') as string,
    });
  });

  it('comes without the erasures since, until the exported ledger is given', async () => {
    const ledger = join(folder, 'erasures.ndjson');
    const exported = () => outcomes({ BACKUP_DATABASE_URL: reader }, 'erasures', 'export', ledger, '--json');
    const before = JSON.parse((await exported()).stdout) as { added: number };
    await source.query(
      `INSERT INTO erasures (company_id, erasure_id, subject, subject_sha256, kept_suppression)
       VALUES ($1::uuid, gen_random_uuid(), 'recipient', sha256(convert_to($1::uuid || ':' || encode(sha256($2), 'hex'), 'UTF8')), false)`,
      [first, Buffer.from('CanaryOne_recipient_3')],
    );
    expect(JSON.parse((await exported()).stdout)).toMatchObject({ added: 1, erasures: before.added + 1 });
    // Torn by a crash: what is left of the line goes, and the line is written again.
    await writeFile(ledger, (await readFile(ledger, 'utf8')).slice(0, -20));
    expect(JSON.parse((await exported()).stdout)).toMatchObject({ added: 1, erasures: before.added + 1 });
    expect(JSON.parse((await exported()).stdout)).toMatchObject({ added: 0, erasures: before.added + 1 });
    const { url, asSuperuser } = await newTarget();
    const { code, stdout, stderr } = await restored(url, file, '--erasures', ledger, '--json');
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ erasures: { repeated: 1, found: 1 } });
    const database = await attachDatabase(asSuperuser);
    const left = await database.query(
      `SELECT FROM outcome_events WHERE recipient_id = 'CanaryOne_recipient_3'`,
    );
    const others = await database.query(
      `SELECT FROM outcome_events WHERE recipient_id = 'CanaryOne_recipient_4'`,
    );
    await database.detach();
    expect([left.length, others.length]).toEqual([0, 1]);
  });

  describe('of a database in which somebody else has made tables and columns', () => {
    const strange = join(folder, 'strange.gz');
    const note = 'a "note", (with) \\ and\ta tab';

    beforeAll(async () => {
      await source.query(`
        CREATE TABLE touches_old AS SELECT * FROM touches;
        CREATE TABLE heartbeat (beat bigserial, at timestamptz);
        INSERT INTO heartbeat (at) VALUES (now());
        ALTER TABLE touches ADD COLUMN note text, ADD COLUMN noted timestamptz`);
      await source.query('UPDATE touches SET note = $1, noted = now()', [note]);
    });
    afterAll(() =>
      source.query(
        'DROP TABLE touches_old, heartbeat; ALTER TABLE touches DROP COLUMN note, DROP COLUMN noted',
      ),
    );

    it('leaves their tables out, says so, and is restored without their columns', async () => {
      const backup = await outcomes({ BACKUP_DATABASE_URL: reader }, 'backup', strange, '--json');
      expect(backup).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('not in the backup: heartbeat, touches_old.') as string,
      });
      expect(JSON.parse(backup.stdout)).toMatchObject({ leftOut: ['heartbeat', 'touches_old'] });
      const { url, asSuperuser } = await newTarget();
      const { code, stdout, stderr } = await restored(url, strange, '--json');
      expect({ code, stderr }).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('do not create it: touches.note, touches.noted.') as string,
      });
      const { rows, tables } = JSON.parse(backup.stdout) as { rows: number; tables: number };
      expect(JSON.parse(stdout)).toMatchObject({ rows, tables, leftOut: ['touches.note', 'touches.noted'] });
      const database = await attachDatabase(asSuperuser);
      const left = await database.query(
        `SELECT FROM pg_attribute WHERE attrelid = 'touches'::regclass AND attname IN ('note', 'noted')`,
      );
      expect(left).toEqual([]);
      const [found] = await database.query('SELECT count(*)::int AS touches FROM touches');
      expect(found).toEqual((await source.query('SELECT count(*)::int AS touches FROM touches'))[0]);
      await database.detach();
    }, 60_000);

    it('is restored also from a file that has their tables', async () => {
      // As they were written once: with every table of the schema, and with its sequence.
      const text = gunzipSync(await readFile(file)).toString();
      const table = { name: 'heartbeat', columns: ['beat'], rows: 1, print: '0' };
      const changed = text
        .replace('"tables":[', `"tables":[${JSON.stringify(table)},`)
        .replace('"sequences":{', '"sequences":{"heartbeat_beat_seq":"1",')
        .replace(/\nCOPY /, '\nCOPY "heartbeat" ("beat") FROM stdin;\n1\n\\.\nCOPY ')
        .replace(/-- sha256 \w+\n$/, '');
      const sha256 = createHash('sha256').update(changed).digest('hex');
      const older = join(folder, 'strange-older.gz');
      await writeFile(older, gzipSync(`${changed}-- sha256 ${sha256}\n`));
      const { url, asSuperuser } = await newTarget();
      const { code, stdout, stderr } = await restored(url, older, '--json');
      expect({ code, stderr }).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('do not create it: heartbeat.') as string,
      });
      const database = await attachDatabase(asSuperuser);
      expect(await database.query(`SELECT to_regclass('heartbeat') AS name`)).toEqual([{ name: null }]);
      await database.detach();
      const header = JSON.parse((text.split('\n')[1] ?? '').slice(3)) as { tables: { rows: number }[] };
      expect(JSON.parse(stdout)).toMatchObject({
        tables: header.tables.length,
        rows: header.tables.reduce((sum, { rows }) => sum + rows, 0),
        leftOut: ['heartbeat'],
      });
    }, 60_000);
  });

  describe('reads the ledger of erasures first', () => {
    const ledger = join(folder, 'harmed.ndjson');
    const line = () =>
      `${JSON.stringify({
        ...{ companyId: first, erasureId: randomUUID(), subject: 'recipient', keptSuppression: false },
        ...{ subjectSha256: 'a'.repeat(64), erasedAt: '2026-01-05T09:00:00.000000Z' },
      })}\n`;

    it.each([
      ['is not there', undefined, 'There is no erasure ledger'],
      ['has a line that is none', () => `${line()}{"companyId":\n${line()}`, 'Line 2 of'],
      ['ends with a line that is none', () => `${line()}{"companyId":\n`, 'Line 2 of'],
    ])('and restores nothing where it %s', async (_what, content, expected) => {
      await rm(ledger, { force: true });
      if (content) await writeFile(ledger, content());
      const { url, asSuperuser } = await newTarget();
      expect(await restored(url, file, '--erasures', ledger)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(expected) as string,
      });
      const database = await attachDatabase(asSuperuser);
      const tables = await database.query<{ name: string | null }>(
        `SELECT to_regclass('touches')::text AS name`,
      );
      await database.detach();
      expect(tables).toEqual([{ name: null }]);
    });

    it('and leaves out a last line that was cut off, but not one that lacks its end alone', async () => {
      const whole = line();
      await writeFile(ledger, whole + line().slice(0, -20));
      const { url } = await newTarget();
      const { code, stdout, stderr } = await restored(url, file, '--erasures', ledger, '--json');
      expect({ code, stderr }).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('is left out') as string,
      });
      expect(JSON.parse(stdout)).toMatchObject({ erasures: { repeated: 1 } });
      await writeFile(ledger, whole + line().trimEnd());
      const replayed = await outcomes({ DATABASE_URL: url }, 'erasures', 'replay', ledger, '--json');
      expect(JSON.parse(replayed.stdout)).toMatchObject({ repeated: 1 });
      expect(replayed.stderr).not.toContain('left out');
    });
  });
});
