import { randomUUID } from 'node:crypto';
import type { TenantDatabase } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { auditFixture, type AuditFixture } from '../../test/audit-fixture';
import { permittedChanges } from '../../test/permitted-changes';
import { recordAdministration } from './administration-log.repository';
import { AdministrationTrail } from './administration-trail.service';
import type { AdministrativeEntry } from './administrative-entry';

const WRITERS = ['outcomes_admin', 'outcomes_ingest', 'outcomes_reader'];

const entry = (overrides: Partial<AdministrativeEntry> = {}): AdministrativeEntry => ({
  by: { type: 'operator', id: 'ops' },
  action: 'key.create',
  subject: 'abcdefghijklmnop',
  details: { purpose: 'agent', permissions: ['analytics_read'], burst: 200, é: null },
  occurredAt: new Date('2026-03-01T10:00:00.123Z'),
  ...overrides,
});

describe('the administration log', () => {
  let fixture: AuditFixture;
  let admin: TenantDatabase;
  let trail: AdministrationTrail;

  beforeAll(async () => {
    fixture = await auditFixture();
    admin = await fixture.databaseAs('outcomes_admin');
    trail = new AdministrationTrail(admin);
  });
  afterAll(() => fixture.stop());

  const write = (companyId: string, more: Partial<AdministrativeEntry> = {}, database = admin) =>
    database.transaction(mintTenantScope(companyId), (transaction) =>
      recordAdministration(transaction, entry(more)),
    );
  const company = async (entries: number) => {
    const companyId = randomUUID();
    for (let n = 0; n < entries; n += 1) await write(companyId, { subject: `subject-${n}` });
    return companyId;
  };
  const verify = (companyId: string, head?: string) => trail.verify(mintTenantScope(companyId), head);

  it('shows what was written, newest first and page by page', async () => {
    const companyId = await company(3);
    const scope = mintTenantScope(companyId);
    const [newest, ...others] = await trail.list(scope, { limit: 2 });
    expect(newest).toMatchObject({
      ...entry(),
      companyId,
      entryNo: 3,
      subject: 'subject-2',
      requestId: null,
    });
    expect(others.map(({ entryNo }) => entryNo)).toEqual([2]);
    expect((await trail.list(scope, { limit: 2, before: 2 })).map(({ entryNo }) => entryNo)).toEqual([1]);
    expect(await trail.list(mintTenantScope(randomUUID()), { limit: 9 })).toEqual([]);
  });

  it('numbers and chains what many write at once, whoever they are', async () => {
    const companyId = randomUUID();
    const databases = await Promise.all(WRITERS.map((group) => fixture.databaseAs(group)));
    await Promise.all(
      Array.from({ length: 30 }, (_, n) => write(companyId, { subject: String(n) }, databases[n % 3])),
    );
    // Mutation: without the lock, two of these take one number, and one of them fails.
    expect(await verify(companyId)).toMatchObject({ entries: 30, intact: true });
  });

  it('goes with its deed: what is rolled back left no entry', async () => {
    const companyId = await company(1);
    const failing = admin.transaction(mintTenantScope(companyId), async (transaction) => {
      await recordAdministration(transaction, entry());
      await transaction.client.query('SELECT 1/0');
    });
    await expect(failing).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
    expect(await verify(companyId)).toMatchObject({ entries: 1, intact: true });
    await write(companyId);
    expect(await verify(companyId)).toMatchObject({ entries: 2, intact: true });
  });

  it.each([
    ['who', `UPDATE administration_log SET actor_id = 'other' WHERE company_id = $1 AND entry_no = 2`],
    ['what', `UPDATE administration_log SET action = 'key.revoke' WHERE company_id = $1 AND entry_no = 2`],
    ['to what', `UPDATE administration_log SET subject = NULL WHERE company_id = $1 AND entry_no = 2`],
    [
      'how',
      `UPDATE administration_log SET details = details || '{"burst": 201}' WHERE company_id = $1 AND entry_no = 2`,
    ],
    [
      'when',
      `UPDATE administration_log SET occurred_at = occurred_at + interval '1 ms' WHERE company_id = $1 AND entry_no = 2`,
    ],
    ['for whom', `UPDATE administration_log SET request_id = 'x' WHERE company_id = $1 AND entry_no = 2`],
    [
      'its own seal',
      `UPDATE administration_log SET seal_sha256 = sha256('x') WHERE company_id = $1 AND entry_no = 2`,
    ],
  ])('shows a change of %s', async (_what, statement) => {
    const companyId = await company(4);
    await fixture.database.query(statement, [companyId]);
    expect(await verify(companyId)).toMatchObject({
      intact: false,
      firstFault: { kind: 'entry_changed', entryNo: 2 },
    });
  });

  it('shows an entry that is missing, planted or moved', async () => {
    const [gone, planted] = [await company(4), await company(2)];
    const remove = 'DELETE FROM administration_log WHERE company_id = $1 AND entry_no = $2';
    await fixture.database.query(remove, [gone, 2]);
    expect(await verify(gone)).toMatchObject({ firstFault: { kind: 'entry_missing', entryNo: 2 } });
    await fixture.database.query(
      'UPDATE administration_log SET entry_no = entry_no - 1 WHERE company_id = $1 AND entry_no > 2',
      [gone],
    );
    expect(await verify(gone)).toMatchObject({ firstFault: { kind: 'entry_changed', entryNo: 2 } });
    await fixture.database.query(
      `INSERT INTO administration_log SELECT company_id, 3, occurred_at, actor_type, actor_id, action, subject, details,
         request_id, previous_sha256, seal_sha256 FROM administration_log WHERE company_id = $1 AND entry_no = 2`,
      [planted],
    );
    expect(await verify(planted)).toMatchObject({ firstFault: { kind: 'entry_changed', entryNo: 3 } });
  });

  it('shows by a seal that was noted elsewhere that the newest entries were taken away', async () => {
    const companyId = await company(3);
    const { head } = await verify(companyId);
    await write(companyId);
    expect(await verify(companyId, head?.toUpperCase())).toMatchObject({ entries: 4, intact: true });
    const cut = 'DELETE FROM administration_log WHERE company_id = $1 AND entry_no > 2';
    await fixture.database.query(cut, [companyId]);
    expect(await verify(companyId)).toMatchObject({ entries: 2, intact: true });
    expect(await verify(companyId, head ?? '')).toMatchObject({ firstFault: { kind: 'head_missing' } });
  });

  it('shows and takes entries of the own company only', async () => {
    const companyId = await company(1);
    const foreign = admin.transaction(mintTenantScope(randomUUID()), (transaction) =>
      recordAdministration({ ...transaction, companyId }, entry()),
    );
    await expect(foreign).rejects.toMatchObject({ cause: { code: '42501' } });
  });

  it.each(WRITERS)('lets %s change nothing', async (group) => {
    const database = await fixture.databaseAs(group);
    expect(await permittedChanges(database, 'administration_log', 'entry_no = 1')).toEqual([]);
  });

  it.each(['outcomes_ingest', 'outcomes_reader'])('lets %s write, and read nothing of it', async (group) => {
    const database = await fixture.databaseAs(group);
    const companyId = randomUUID();
    await write(companyId, {}, database);
    const read = database.transaction(mintTenantScope(companyId), ({ client }) =>
      client.query('SELECT action FROM administration_log'),
    );
    await expect(read).rejects.toMatchObject({ cause: { code: '42501' } });
  });
});
