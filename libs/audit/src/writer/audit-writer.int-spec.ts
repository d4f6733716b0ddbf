import { randomUUID } from 'node:crypto';
import { TenantDatabase } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { mintSystemScope } from '@outcomes/tenancy/system';
import { auditEntry, auditFixture, type AuditFixture } from '../../test/audit-fixture';
import { permittedChanges } from '../../test/permitted-changes';
import { sha256OfJson } from '../canonical/canonical-json';

const INSUFFICIENT_PRIVILEGE = '42501';
const SERVICE_ROLES = ['outcomes_reader', 'outcomes_ingest', 'outcomes_worker', 'outcomes_admin'];

describe('the audit writer', () => {
  let fixture: AuditFixture;

  beforeAll(async () => {
    fixture = await auditFixture();
  });
  afterAll(() => fixture.stop());

  it('has committed the row, with every field, before it resolves', async () => {
    const entry = auditEntry({
      actor: { type: 'user', id: `O'Brien "x" {,} \\ é` },
      errorType: 'invalid_arguments',
      inputSha256: sha256OfJson({ top_n: 5 }),
    });
    await fixture.writer.record(entry);
    const [row] = await fixture.database.query('SELECT * FROM audit_log WHERE company_id = $1', [
      entry.companyId,
    ]);
    expect(row).toMatchObject({
      company_id: entry.companyId,
      requested_company_id: null,
      key_id: entry.keyId,
      actor_type: 'user',
      actor_id: `O'Brien "x" {,} \\ é`,
      tool: 'get_bandit_state',
      status: 'error',
      error_type: 'invalid_arguments',
      latency_ms: 1.5,
      input_sha256: sha256OfJson({ top_n: 5 }),
      output_sha256: entry.outputSha256,
      request_id: entry.requestId,
      occurred_at: entry.occurredAt,
    });
  });

  it('writes exactly one row for each of 10,000 concurrent calls of 50 companies', async () => {
    const companies = Array.from({ length: 50 }, () => randomUUID());
    const entries = Array.from({ length: 10_000 }, (_, n) =>
      auditEntry({
        companyId: companies[n % 50],
        errorType: n % 3 === 0 ? 'permission_denied' : null,
        requestedCompanyId: n % 3 === 0 ? companies[(n + 1) % 50] : null,
        outputSha256: n % 7 === 0 ? null : sha256OfJson(n),
      }),
    );
    await Promise.all(entries.map((entry) => fixture.writer.record(entry)));
    const rows = await fixture.database.query<{ company_id: string; request_id: string }>(
      'SELECT company_id, request_id FROM audit_log WHERE company_id = ANY ($1)',
      [companies],
    );
    const name = (company: string, request: string) => `${company} ${request}`;
    expect(rows.map((row) => name(row.company_id, row.request_id)).sort()).toEqual(
      entries.map((entry) => name(entry.companyId, entry.requestId)).sort(),
    );
  });

  it('leaves no setting behind on its connection', async () => {
    await fixture.writer.record(auditEntry());
    const database = fixture.module.get(TenantDatabase);
    for (let n = 0; n < 20; n += 1) {
      const { rows } = await database.unscoped(mintSystemScope(), ({ client }) =>
        client.query(`SELECT nullif(current_setting('app.audit_company_ids', true), '') AS left`),
      );
      expect(rows).toEqual([{ left: null }]);
    }
  });

  it('rejects every record that waits for a failed insert, reports it, and recovers', async () => {
    await fixture.database.query(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''full''; END'`,
    );
    await fixture.database.query(
      'CREATE TRIGGER refuse BEFORE INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION refuse()',
    );
    const results = await Promise.allSettled(
      Array.from({ length: 64 }, () => fixture.writer.record(auditEntry())),
    );
    // Mutation: a writer that does not wait, or swallows, fulfils these.
    for (const result of results) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'INTERNAL_ERROR' } });
    }
    expect(await fixture.writer.state()).toBe('degraded');
    await fixture.database.query('DROP TRIGGER refuse ON audit_log');
    await fixture.writer.record(auditEntry());
    expect(await fixture.writer.state()).toBe('operational');
  });

  it('shows a denied call to both companies, and to no third', async () => {
    const [caller, requested, third] = [randomUUID(), randomUUID(), randomUUID()];
    await fixture.writer.record(
      auditEntry({ companyId: caller, requestedCompanyId: requested, errorType: 'permission_denied' }),
    );
    const database = fixture.module.get(TenantDatabase);
    const seenBy = async (company: string) => {
      const { rowCount } = await database.transaction(mintTenantScope(company), ({ client }) =>
        client.query('SELECT 1 FROM audit_log WHERE company_id = $1', [caller]),
      );
      return rowCount;
    };
    expect([await seenBy(caller), await seenBy(requested), await seenBy(third)]).toEqual([1, 1, 0]);
  });

  describe('lets no service change what is written', () => {
    const permitted = async (group: string) =>
      permittedChanges(await fixture.databaseAs(group), 'audit_log', `status = 'success'`);

    it.each(SERVICE_ROLES)('%s is refused every way', async (group) => {
      expect(await permitted(group)).toEqual([]);
    });

    it.each(['UPDATE', 'DELETE', 'TRUNCATE'])('and a role that is granted %s is found', async (privilege) => {
      await fixture.database.query(`GRANT ${privilege} ON audit_log TO outcomes_worker`);
      try {
        expect(await permitted('outcomes_worker')).toEqual([privilege]);
      } finally {
        await fixture.database.query(`REVOKE ${privilege} ON audit_log FROM outcomes_worker`);
      }
    });
  });

  it('cannot write for a company that the statement does not name', async () => {
    const forged = fixture.module
      .get(TenantDatabase)
      .unscoped(mintSystemScope({ 'app.audit_company_ids': `{${randomUUID()}}` }), ({ client }) =>
        client.query(
          `INSERT INTO audit_log (company_id, entry_id, occurred_at, key_id, actor_type, actor_id, tool, status,
             latency_ms, input_sha256, request_id)
           VALUES ($1, $2, now(), 'k', 'agent', 'a', 't', 'success', 1, sha256('x'), 'r')`,
          [randomUUID(), randomUUID()],
        ),
      );
    await expect(forged).rejects.toMatchObject({ cause: { code: INSUFFICIENT_PRIVILEGE } });
  });
});

describe('a role that may not write', () => {
  it('is not ready', async () => {
    const fixture = await auditFixture('outcomes_ingest');
    expect(await fixture.writer.state()).toBe('degraded');
    await expect(fixture.writer.record(auditEntry())).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
    await fixture.stop();
  });
});
