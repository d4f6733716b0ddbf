import { randomUUID } from 'node:crypto';
import type { TenantScope } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { encodeCursor } from '../arguments/cursor';
import { plantEvent, plantRun, plantTouch } from '../../test/planted-rows';
import { openReadingDatabase, type ReadingDatabase } from '../../test/reading-database';
import { RunRepository } from '../runs/run.repository';
import { SuppressionListRepository } from './suppression-list.repository';
import { SuppressionsService } from './suppressions.service';

const SHA = 'a'.repeat(64);

interface Entry {
  readonly change?: string;
  readonly reason?: string;
  readonly bounce?: string | null;
  readonly channel?: number | null;
  readonly recipientId?: string | null;
  readonly sha?: string | null;
  readonly hash?: string | null;
}

describe('who must not be written to', () => {
  let database: ReadingDatabase;
  let service: SuppressionsService;

  beforeAll(async () => {
    database = await openReadingDatabase();
    const clock = { now: () => new Date('2026-02-01T06:00:00Z') };
    const { reader } = database;
    service = new SuppressionsService(
      new SuppressionListRepository(reader),
      new RunRepository(reader),
      clock,
    );
  });
  afterAll(() => database.close());

  const plant = async (number: number, { companyId }: TenantScope, entry: Entry = {}) => {
    const { change = 'added', reason = 'unsubscribed', bounce = null, channel = 0 } = entry;
    const { recipientId = `contact-${number}`, sha = `${number}`.padStart(64, '0'), hash = null } = entry;
    await database.owner.query(
      `INSERT INTO suppression_list (company_id, suppression_id, change_no, change, reason, bounce, channel, recipient_id,
         recipient_sha, recipient_hash, since, changed_at)
       VALUES ($1, gen_random_uuid(), $2, $3, $4, $5, $6, $7, $8, $9, '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z')`,
      [companyId, number, change, reason, bounce, channel, recipientId, sha, hash],
    );
  };
  const refusal = { code: 'INVALID_PARAMETER', fields: { parameter: 'cursor' } };

  it('are told page by page, and the mark of the last page goes on when more follow', async () => {
    const company = mintTenantScope(randomUUID());
    await plantRun(database.owner, company.companyId, 'succeeded', '2026-02-01T00:00:00Z');
    for (const number of [1, 3, 4]) await plant(number, company);
    await plant(2, mintTenantScope(randomUUID()));
    const first = await service.answer(company, { limit: 2 });
    expect(first).toMatchObject({
      tenant_id: company.companyId,
      scope: 'company',
      has_more: true,
      alerts: [],
    });
    expect(first.summary).toBe('2 changes of who must not be written to on this page; more follow.');
    const second = await service.answer(company, { limit: 2, cursor: first.next_cursor });
    expect([second.has_more, second.summary]).toEqual([
      false,
      '1 change of who must not be written to on this page.',
    ]);
    const all = [...first.suppressions, ...second.suppressions];
    expect(all.map(({ recipient_ids }) => recipient_ids)).toEqual([
      ['contact-1'],
      ['contact-3'],
      ['contact-4'],
    ]);
    const end = await service.answer(company, { cursor: second.next_cursor });
    expect([end.suppressions, end.has_more]).toEqual([[], false]);
    await plant(5, company);
    const { suppressions } = await service.answer(company, { cursor: end.next_cursor });
    expect(suppressions.map(({ recipient_ids }) => recipient_ids)).toEqual([['contact-5']]);
  });

  it('are told with all that is known, and no more', async () => {
    const company = mintTenantScope(randomUUID());
    await plant(1, company, { sha: SHA, channel: 1 });
    const { suppressions } = await service.answer(company, {});
    expect(suppressions).toEqual([
      {
        suppression_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        ...{ change: 'added', reason: 'unsubscribed', bounce: null, channel: 'linkedin' },
        ...{ since: '2026-01-01T00:00:00.000Z', changed_at: '2026-01-02T00:00:00.000Z' },
        ...{ recipient_ids: ['contact-1'], recipient_id_sha256: SHA, email_hash: null },
      },
    ]);
  });

  // Only a bounce has a kind; a version that knew of none left it open.
  it.each<[Entry, string | null]>([
    [{ reason: 'bounced', bounce: 'hard' }, 'hard'],
    [{ reason: 'bounced', bounce: null }, 'unknown'],
    [{ reason: 'unsubscribed', bounce: 'hard' }, null],
    [{ reason: 'complaint', change: 'removed' }, null],
  ])('tell of %j the bounce %s', async (entry, bounce) => {
    const company = mintTenantScope(randomUUID());
    await plant(1, company, { ...entry, channel: null });
    const { change = 'added', reason } = entry;
    expect((await service.answer(company, {})).suppressions).toMatchObject([
      { change, reason, bounce, channel: null },
    ]);
  });

  it('names up to twenty who have an address, in order, and nobody of whom hashes alone are left', async () => {
    const company = mintTenantScope(randomUUID());
    const ids = Array.from({ length: 21 }, (_, i) => `r-${String(i).padStart(2, '0')}`);
    for (const recipientId of [...ids].reverse())
      await plantTouch(database.owner, {
        companyId: company.companyId,
        recipientId,
        recipientHash: 'b'.repeat(16),
      });
    await plant(1, company, { recipientId: null, sha: null, hash: 'b'.repeat(16) });
    await plant(2, company, { recipientId: null, sha: SHA });
    const { suppressions } = await service.answer(company, {});
    expect(suppressions.map(({ recipient_ids, email_hash }) => [recipient_ids, email_hash])).toEqual([
      [ids.slice(0, 20), 'b'.repeat(16)],
      [[], null],
    ]);
  });

  it.each(['unsubscribed', 'bounced'] as const)(
    'are not told while the list is not made: an empty one would say that all may be written to (%s)',
    async (outcome) => {
      const company = mintTenantScope(randomUUID());
      const { companyId } = company;
      expect((await service.answer(company, {})).suppressions).toEqual([]);
      await plantEvent(database.owner, { companyId, outcome: 'responded' });
      expect((await service.answer(company, {})).suppressions).toEqual([]);
      await plantEvent(database.owner, { companyId, outcome });
      await expect(service.answer(company, {})).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        headers: { 'Retry-After': '30' },
      });
      await database.owner.query(
        'INSERT INTO suppression_list_checks (company_id, checked_at) VALUES ($1, now())',
        [companyId],
      );
      expect((await service.answer(company, {})).suppressions).toEqual([]);
    },
  );

  it('are read anew by whoever has seen more than there is, as after a restored backup', async () => {
    const company = mintTenantScope(randomUUID());
    await plant(7, company);
    const at = (mark: string) => service.answer(company, { cursor: encodeCursor('suppressions', mark) });
    expect((await at('7')).suppressions).toEqual([]);
    await expect(at('8')).rejects.toMatchObject(refusal);
    const id = randomUUID();
    const malformed = ['x', '', '-1', '1.5', '1 ', ' 1', '9'.repeat(19)];
    for (const mark of [...malformed, '7 7', `7 ${id.toUpperCase()}`, `7 ${id} `, ` ${id}`, `7 ${id} ${id}`])
      await expect(at(mark)).rejects.toMatchObject(refusal);
  });

  describe('where the change that was read last is', () => {
    let company: TenantScope;
    let cursor: string;
    const move = (from: number, to: number) =>
      database.owner.query(
        'UPDATE suppression_list SET change_no = $3 WHERE company_id = $1 AND change_no = $2',
        [company.companyId, from, to],
      );
    const told = async () =>
      (await service.answer(company, { cursor })).suppressions.flatMap(({ recipient_ids }) => recipient_ids);

    beforeEach(async () => {
      company = mintTenantScope(randomUUID());
      for (const number of [95, 100]) await plant(number, company);
      cursor = (await service.answer(company, {})).next_cursor;
      // An answer without entries hands on what it was asked with.
      expect((await service.answer(company, { cursor })).next_cursor).toBe(cursor);
    });

    it('the same, what follows is told', async () => {
      await plant(101, company);
      expect(await told()).toEqual(['contact-101']);
    });

    it('that of an entry that has changed again, that is told', async () => {
      await plant(101, company);
      await move(100, 102);
      expect(await told()).toEqual(['contact-101', 'contact-100']);
    });

    // Consumers had read up to 100, and the backup up to 95: numbers from there on were given to others.
    it.each([
      ['that of another', [96, 100, 107]],
      ['of nobody', [96, 107]],
    ])('%s after a restore, they are read anew', async (_case, numbers) => {
      await database.owner.query('DELETE FROM suppression_list WHERE company_id = $1 AND change_no = 100', [
        company.companyId,
      ]);
      for (const number of numbers)
        await plant(number, company, { recipientId: 'other', sha: `${number}-sha` });
      await expect(told()).rejects.toMatchObject(refusal);
    });

    it('before it again after a restore, and others have come since, they are read anew', async () => {
      await move(100, 90);
      await plant(107, company);
      await expect(told()).rejects.toMatchObject(refusal);
    });

    it('that of an entry of another number, while another has its own, they are read anew', async () => {
      await move(100, 107);
      await plant(100, company, { sha: 'other' });
      await expect(told()).rejects.toMatchObject(refusal);
    });

    it('known by its number alone, as to the version before, what follows is told', async () => {
      await plant(101, company);
      cursor = encodeCursor('suppressions', '100');
      expect(await told()).toEqual(['contact-101']);
    });
  });
});
