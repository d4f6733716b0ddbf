import { randomUUID } from 'node:crypto';
import { AuditSealing, INSTALLATION } from '@outcomes/audit';
import { createDataSource } from '@outcomes/persistence';
import { createLogger, systemClock } from '@outcomes/platform';
import { TenantDatabase } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import {
  createTestDatabase,
  startCommand,
  testRedisUrl,
  waitUntil,
  type TestDatabase,
} from '@outcomes/testing';
import type { DataSource } from 'typeorm';

describe('outcomes audit verify', () => {
  const companyId = randomUUID();
  let database: TestDatabase;
  let worker: DataSource;
  let environment: Record<string, string>;

  beforeAll(async () => {
    database = await createTestDatabase();
    environment = {
      ...{ DATABASE_URL: await database.loginAs('outcomes_admin'), REDIS_URL: testRedisUrl() },
      OUTCOMES_OPERATOR: 'ops-1',
    };
    worker = await createDataSource({
      url: await database.loginAs('outcomes_worker'),
      applicationName: 'audit-verify-test',
      poolSize: 1,
      statementTimeoutMs: 10_000,
      connectTimeoutMs: 5_000,
    }).initialize();
    await database.query(`INSERT INTO companies (company_id, name) VALUES ($1, 'Test')`, [companyId]);
    const owners = [companyId, INSTALLATION];
    for (const owner of owners) await call(owner, 3_000);
    const sealing = new AuditSealing(new TenantDatabase(worker), systemClock, createLogger('test', 'silent'));
    const note = await sealing.note();
    const horizon = await waitUntil('older transactions to end', () => sealing.settle(note), 25_000);
    for (const owner of owners) await sealing.seal(mintTenantScope(owner), horizon);
  });
  afterAll(async () => {
    await worker.destroy();
    await database.drop();
  });

  const call = (owner: string, times: number, name = '') =>
    database.query(
      `INSERT INTO audit_log (company_id, entry_id, occurred_at, key_id, actor_type, actor_id, tool, status,
         latency_ms, input_sha256, request_id)
       SELECT $1, gen_random_uuid(), now(), 'k', 'agent', 'a', 'get_bandit_state', 'success', n, sha256('x'), $3 || n::text
         FROM generate_series(1, $2::int) AS n`,
      [owner, times, name],
    );
  const verify = (company: string, ...options: string[]) =>
    outcomes('audit', 'verify', '--company', company, ...options);
  const outcomes = (...args: string[]) => startCommand(args, { environment }).ended;

  it('says that an untampered log is intact, as a document and to people', async () => {
    const { code, stdout, stderr } = await verify(companyId, '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const verdict = JSON.parse(stdout) as { head: string };
    expect(verdict).toEqual({
      rows: 3_000,
      seals: 3,
      unsealed: 0,
      intact: true,
      firstFault: null,
      head: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      administration: { entries: 0, intact: true, firstFault: null, head: null },
    });
    const people = await verify(companyId, '--head', verdict.head);
    expect(people.code).toBe(0);
    expect(people.stdout).toContain(`The audit logs of ${companyId} are intact.`);
  });

  it('refuses an id that is none, a company that is none, and a head that is none', async () => {
    expect(await verify('acme')).toMatchObject({ code: 1, stdout: '' });
    const unknown = await verify(randomUUID(), '--json');
    expect(unknown).toMatchObject({ code: 1, stdout: '' });
    expect(unknown.stderr).toContain('there is no company');
    expect(await verify(companyId, '--head', 'abc')).toMatchObject({ code: 1, stdout: '' });
  });

  it('misses a head that the chain never had', async () => {
    const { code, stderr } = await verify(companyId, '--head', '0'.repeat(64));
    expect(code).toBe(1);
    expect(stderr).toContain('does not hold the expected head');
  });

  it('lists what was done to a company and verifies it, and tells it from what somebody changed later', async () => {
    const of = ['--company', companyId];
    const key = await outcomes('keys', 'create', ...of, '--for', 'agent', '--json');
    const { keyId } = JSON.parse(key.stdout) as { keyId: string };
    await outcomes('keys', 'revoke', keyId);
    const listed = await outcomes('audit', 'list', ...of, '--json');
    expect(JSON.parse(listed.stdout)).toMatchObject({
      entries: [
        { entryNo: 2, by: { type: 'operator', id: 'ops-1' }, action: 'key.revoke', subject: keyId },
        { entryNo: 1, action: 'key.create', subject: keyId, details: { purpose: 'agent' } },
      ],
    });
    expect((await outcomes('audit', 'list', ...of)).stdout).toMatch(/operator ops-1 .*key\.revoke/);
    const verdict = JSON.parse((await verify(companyId, '--json')).stdout) as {
      administration: { head: string };
    };
    expect(verdict).toMatchObject({ intact: true, administration: { entries: 2, intact: true } });
    const { head } = verdict.administration;
    expect(await verify(companyId, '--administration-head', head)).toMatchObject({ code: 0 });
    await database.query(`UPDATE administration_log SET actor_id = 'nobody' WHERE company_id = $1`, [
      companyId,
    ]);
    const { code, stderr } = await verify(companyId);
    expect(code).toBe(1);
    expect(stderr).toContain('Entry 1 is not what was written');
    await database.query('DELETE FROM administration_log WHERE company_id = $1', [companyId]);
  });

  it('verifies the logs of the installation and of every company, and names those that are not intact', async () => {
    const other = randomUUID();
    await database.query(`INSERT INTO companies (company_id, name) VALUES ($1, 'Other')`, [other]);
    await outcomes('keys', 'create', '--company', other);
    const intact = await outcomes('audit', 'verify', '--all');
    expect(intact).toMatchObject({ code: 0 });
    expect(intact.stdout).toContain('The audit logs of the installation and 2 companies are intact.');
    await database.query(`UPDATE administration_log SET actor_id = 'nobody' WHERE company_id = $1`, [other]);
    const { code, stdout, stderr } = await outcomes('audit', 'verify', '--all', '--json');
    await database.query(`DELETE FROM administration_log WHERE company_id = $1`, [other]);
    await database.query(`DELETE FROM api_keys WHERE company_id = $1`, [other]);
    await database.query(`DELETE FROM companies WHERE company_id = $1`, [other]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      intact: false,
      logs: expect.arrayContaining([
        expect.objectContaining({ company: null, intact: true }),
        expect.objectContaining({ company: companyId, intact: true }),
        expect.objectContaining({ company: other, intact: false }),
      ]) as unknown,
    });
    expect(stderr).toContain(`the audit log of ${other} is not intact.`);
  });

  it('holds calls for no tenant against the seals of the installation', async () => {
    const { code, stdout } = await outcomes('audit', 'verify', '--json');
    expect(code).toBe(0);
    expect((await outcomes('audit', 'verify')).stdout).toContain(
      'The audit logs of the installation are intact.',
    );
    expect(JSON.parse(stdout)).toMatchObject({ rows: 3_000, seals: 3, intact: true });
    await database.query('DELETE FROM audit_seals WHERE company_id = $1 AND seal_no = 2', [INSTALLATION]);
    const altered = await outcomes('audit', 'verify');
    expect(altered.code).toBe(1);
    expect(altered.stderr).toContain(
      'the audit log of the installation is not intact. Seal 2 is missing, although seal 3 follows it.',
    );
  });

  it('does not call intact what no seal covers yet', async () => {
    await call(companyId, 2, 'new ');
    const { code, stdout } = await verify(companyId);
    await database.query(`DELETE FROM audit_log WHERE company_id = $1 AND request_id LIKE 'new %'`, [
      companyId,
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain('Rows    3002, 2 of them not sealed yet');
    expect(stdout).toContain(
      `What is sealed of the audit logs of ${companyId} is intact. Of the rest nobody can tell yet`,
    );
  });

  it('ends with 1 and one clear sentence where a row was deleted', async () => {
    await database.query(`DELETE FROM audit_log WHERE company_id = $1 AND request_id = '1500'`, [companyId]);
    const { code, stdout, stderr } = await verify(companyId, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      rows: 2_999,
      seals: 3,
      // The rows of the seals behind the fault are sealed, too.
      unsealed: 0,
      intact: false,
      firstFault: { kind: 'rows_missing', sealNo: 2 },
    });
    expect(stderr).toMatch(
      /^outcomes: the audit log of [0-9a-f-]{36} is not intact\. 1 of 1000 rows under seal 2 \(sequences \d+ to \d+\) are missing\.\n$/,
    );
  });
});
