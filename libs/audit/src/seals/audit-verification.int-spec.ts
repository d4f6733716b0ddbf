import { SealedLog } from '../../test/sealed-log';

/** The n-th sealed row of the company $1. */
const row = (n: number) =>
  `(SELECT entry_id FROM audit_log WHERE company_id = $1 ORDER BY sequence OFFSET ${n} LIMIT 1)`;
const ROWS = 40;

describe('the verification of the audit log', () => {
  let log: SealedLog;

  beforeAll(async () => {
    log = await SealedLog.create();
  });
  afterAll(() => log.fixture.stop());

  it('finds an untampered log of thousands of rows intact, and says how many no seal covers yet', async () => {
    const companyId = await log.sealedCompany(6_000);
    await log.write(companyId, 7);
    expect(await log.verify(companyId)).toEqual({
      rows: 6_007,
      seals: 6,
      unsealed: 7,
      intact: true,
      firstFault: null,
      head: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
  });

  it('knows nothing of what no seal covers, and says so', async () => {
    const companyId = await log.sealedCompany(ROWS);
    await log.write(companyId, 3);
    const before = await log.verify(companyId);
    // The newest, which anybody who may write to the table could have changed.
    await log.tamper(
      companyId,
      `DELETE FROM audit_log WHERE company_id = $1 AND sequence = (SELECT max(sequence) FROM audit_log WHERE company_id = $1)`,
    );
    const after = await log.verify(companyId);
    expect([before, after]).toMatchObject([
      { unsealed: 3, intact: true },
      { unsealed: 2, intact: true },
    ]);
    await log.seal(companyId);
    expect(await log.verify(companyId)).toMatchObject({ unsealed: 0, intact: true });
  });

  it('finds a company without a row intact', async () => {
    const companyId = '0197b0f2-7c1e-7a54-9d0c-3f0e5c1f2a77';
    expect(await log.verify(companyId)).toMatchObject({
      rows: 0,
      seals: 0,
      unsealed: 0,
      intact: true,
      head: null,
    });
  });

  it('does not depend on the time zone or the number format of the session', async () => {
    const companyId = await log.sealedCompany(ROWS);
    const [{ name } = { name: '' }] = await log.fixture.database.query<{ name: string }>(
      'SELECT current_database() AS name',
    );
    for (const setting of [
      `TimeZone = 'Asia/Kathmandu'`,
      `DateStyle = 'German'`,
      'extra_float_digits = -5',
    ]) {
      await log.fixture.database.query(`ALTER DATABASE ${name} SET ${setting}`);
    }
    const elsewhere = await SealedLog.on(log.fixture);
    expect(await elsewhere.verify(companyId)).toMatchObject({ rows: ROWS, intact: true });
    await log.fixture.database.query(`ALTER DATABASE ${name} RESET ALL`);
  });

  describe('finds what the owner of the database does:', () => {
    const FLIPS = {
      entry_id: 'gen_random_uuid()',
      occurred_at: `occurred_at + interval '1 microsecond'`,
      requested_company_id: 'gen_random_uuid()',
      key_id: `'bcdefghijklmnopq'`,
      actor_type: `'user'`,
      actor_id: `actor_id || ' '`,
      tool: `'get_drift_state'`,
      status: `'error'`,
      error_type: `'permission_denied'`,
      latency_ms: 'latency_ms * 1.0000001',
      input_sha256: 'set_byte(input_sha256, 31, get_byte(input_sha256, 31) # 1)',
      output_sha256: 'NULL',
      request_id: `'other'`,
    };

    const EXTREMES = [
      ['occurred_at', `'infinity'`],
      ['latency_ms', `'NaN'`],
    ] as const;

    it.each([...Object.entries(FLIPS), ...EXTREMES])('a flipped %s (%s)', async (column, value) => {
      const companyId = await log.sealedCompany(ROWS);
      await log.tamper(
        companyId,
        `UPDATE audit_log SET ${column} = ${value} WHERE company_id = $1 AND entry_id = ${row(7)}`,
      );
      expect(await log.verify(companyId)).toMatchObject({
        rows: ROWS,
        intact: false,
        firstFault: { kind: 'rows_changed', sealNo: 1 },
      });
    });

    it('and no column is left out', async () => {
      const columns = await log.fixture.database.query<{ name: string }>(
        `SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'audit_log'`,
      );
      // The company is tried by moving a row, the sequence by swapping two.
      expect(columns.map(({ name }) => name).sort()).toEqual(
        [...Object.keys(FLIPS), 'company_id', 'sequence'].sort(),
      );
    });

    it('a deleted row', async () => {
      const companyId = await log.sealedCompany(ROWS);
      await log.tamper(companyId, `DELETE FROM audit_log WHERE company_id = $1 AND entry_id = ${row(25)}`);
      const verdict = await log.verify(companyId);
      expect(verdict).toMatchObject({
        rows: ROWS - 1,
        seals: 2,
        intact: false,
        firstFault: { kind: 'rows_missing', sealNo: 2 },
      });
      expect(verdict.firstFault?.message).toMatch(
        /^1 of 20 rows under seal 2 \(sequences \d+ to \d+\) are missing\.$/,
      );
    });

    it('a row moved to another company', async () => {
      const companyId = await log.sealedCompany(ROWS);
      await log.tamper(
        companyId,
        `UPDATE audit_log SET company_id = gen_random_uuid() WHERE company_id = $1 AND entry_id = ${row(3)}`,
      );
      expect(await log.verify(companyId)).toMatchObject({
        intact: false,
        firstFault: { kind: 'rows_missing' },
      });
    });

    it('two rows swapped in what they say', async () => {
      const companyId = await log.sealedCompany(ROWS);
      await log.tamper(
        companyId,
        `UPDATE audit_log a SET actor_id = b.actor_id, latency_ms = b.latency_ms, request_id = b.request_id
           FROM audit_log b WHERE a.company_id = $1 AND b.company_id = $1 AND a.entry_id <> b.entry_id
            AND a.entry_id IN (${row(4)}, ${row(9)}) AND b.entry_id IN (${row(4)}, ${row(9)})`,
      );
      expect(await log.verify(companyId)).toMatchObject({
        rows: ROWS,
        intact: false,
        firstFault: { kind: 'rows_changed', sealNo: 1 },
      });
    });

    it('two rows swapped in their order', async () => {
      const companyId = await log.sealedCompany(ROWS);
      await log.tamper(
        companyId,
        'ALTER TABLE audit_log ALTER COLUMN sequence DROP IDENTITY',
        `UPDATE audit_log a SET sequence = b.sequence
           FROM audit_log b WHERE a.company_id = $1 AND b.company_id = $1 AND a.entry_id <> b.entry_id
            AND a.entry_id IN (${row(24)}, ${row(31)}) AND b.entry_id IN (${row(24)}, ${row(31)})`,
      );
      expect(await log.verify(companyId)).toMatchObject({
        rows: ROWS,
        intact: false,
        firstFault: { kind: 'rows_changed', sealNo: 2 },
      });
      await restoreIdentity();
    });

    it.each([
      ['between others', `(SELECT min(sequence) + 1 FROM audit_log WHERE company_id = $1)`],
      ['before all others', '-5'],
    ])('a row planted %s', async (_where, sequence) => {
      const companyId = await log.sealedCompany(ROWS);
      await log.tamper(
        companyId,
        `INSERT INTO audit_log (company_id, entry_id, sequence, occurred_at, key_id, actor_type, actor_id, tool,
           status, latency_ms, input_sha256, request_id) OVERRIDING SYSTEM VALUE
         VALUES ($1, gen_random_uuid(), ${sequence}, now(), 'k', 'agent', 'a', 't', 'success', 1, sha256('x'), 'r')`,
      );
      expect(await log.verify(companyId)).toMatchObject({
        intact: false,
        firstFault: { kind: 'rows_added', sealNo: 1 },
      });
    });

    it('the log truncated', async () => {
      const companyId = await log.sealedCompany(ROWS);
      await log.tamper(companyId, 'TRUNCATE audit_log');
      expect(await log.verify(companyId)).toMatchObject({
        rows: 0,
        seals: 2,
        intact: false,
        firstFault: { kind: 'rows_missing', sealNo: 1 },
      });
    });

    it.each([
      'row_count = 1',
      `sealed_at = sealed_at - interval '1 hour'`,
      `sealed_at = 'infinity'`,
      'from_sequence = from_sequence - 1',
      'to_sequence = to_sequence + 1',
      `root_sha256 = sha256('x')`,
      `previous_sha256 = sha256('x')`,
      `seal_sha256 = sha256('x')`,
    ])('a changed seal (%s)', async (change) => {
      const companyId = await log.sealedCompany(ROWS);
      await log.tamper(companyId, `UPDATE audit_seals SET ${change} WHERE company_id = $1 AND seal_no = 2`);
      expect(await log.verify(companyId)).toMatchObject({ firstFault: { kind: 'seal_changed', sealNo: 2 } });
    });

    it('a removed seal', async () => {
      const companyId = await log.sealedCompany(ROWS);
      await log.tamper(companyId, 'DELETE FROM audit_seals WHERE company_id = $1 AND seal_no = 1');
      expect(await log.verify(companyId)).toMatchObject({ firstFault: { kind: 'seal_missing', sealNo: 1 } });
    });

    it.each([
      ['rows and seals truncated together', ['TRUNCATE audit_log', 'TRUNCATE audit_seals']],
      [
        'the newest rows cut off with their seal',
        [
          `DELETE FROM audit_log WHERE company_id = $1 AND sequence >=
             (SELECT from_sequence FROM audit_seals WHERE company_id = $1 AND seal_no = 2)`,
          'DELETE FROM audit_seals WHERE company_id = $1 AND seal_no = 2',
        ],
      ],
      [
        'everything changed and sealed anew',
        [
          `UPDATE audit_log SET tool = 'get_drift_state' WHERE company_id = $1`,
          'DELETE FROM audit_seals WHERE company_id = $1',
        ],
      ],
    ])('%s, where the head was kept elsewhere', async (_what, statements) => {
      const companyId = await log.sealedCompany(ROWS);
      const head = (await log.verify(companyId)).head ?? '';
      await log.write(companyId, 3);
      await log.seal(companyId);
      expect(await log.verify(companyId, head.toUpperCase())).toMatchObject({ seals: 3, intact: true });

      await log.tamper(
        companyId,
        'DELETE FROM audit_seals WHERE company_id = $1 AND seal_no = 3',
        ...statements,
      );
      await log.seal(companyId);
      expect(await log.verify(companyId, head)).toMatchObject({
        intact: false,
        firstFault: { kind: 'head_missing' },
      });
    });
  });

  /** The identity that a test took away, behind all numbers that were handed out. */
  async function restoreIdentity(): Promise<void> {
    const [last] = await log.fixture.database.query<{ next: string }>(
      'SELECT max(sequence) + 1 AS next FROM audit_log',
    );
    await log.fixture.database.query(
      `ALTER TABLE audit_log ALTER COLUMN sequence ADD GENERATED ALWAYS AS IDENTITY (START ${last?.next})`,
    );
    await log.fixture.database.query('GRANT SELECT ON SEQUENCE audit_log_sequence_seq TO outcomes_worker');
  }
});
