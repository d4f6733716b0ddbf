import { randomUUID } from 'node:crypto';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { plantEvent, plantTouch } from '../../test/planted-rows';
import { openReadingDatabase, type ReadingDatabase } from '../../test/reading-database';
import { ContactRepository } from './contact.repository';

describe('ContactRepository', () => {
  const tenantA = mintTenantScope(randomUUID());
  const tenantB = mintTenantScope(randomUUID());
  let database: ReadingDatabase;
  let repository: ContactRepository;

  beforeAll(async () => {
    database = await openReadingDatabase();
    repository = new ContactRepository(database.reader);
    const own = { companyId: tenantA.companyId, recipientId: 'anna', recipientHash: 'aaaaaaaaaaaaaaaa' };
    for (const touch of [
      { ...own, sentAt: '2026-01-01T08:00:00Z', jobTitle: 'VP Sales' },
      { ...own, sentAt: '2026-01-03T08:00:00Z', step: 1 },
      { ...own, sentAt: '2026-01-02T08:00:00Z', channel: 'linkedin' as const, recipientHash: null },
      { ...own, recipientId: 'anna-again', outcome: 'unsubscribed' as const, sentAt: '2026-01-04T08:00:00Z' },
      { ...own, recipientId: 'bert', recipientHash: 'bbbbbbbbbbbbbbbb' },
      { ...own, companyId: tenantB.companyId, outcome: 'bounced' as const, sentAt: '2026-01-09T08:00:00Z' },
    ]) {
      await plantTouch(database.owner, touch);
    }
  });
  afterAll(() => database.close());

  it('gathers what was sent to the contact, also under another id of the same address', async () => {
    const { cells } = await repository.history(tenantA, 'anna');
    expect(cells.map((cell) => [cell.channel, cell.outcome, cell.messages]).sort()).toEqual([
      ['email', 'no_response', 2],
      ['email', 'unsubscribed', 1],
      ['linkedin', 'no_response', 1],
    ]);
  });

  it('gives the newest message of each channel, newest first', async () => {
    const { newest } = await repository.history(tenantA, 'anna');
    expect(newest.map((message) => [message.channel, message.outcome, message.position])).toEqual([
      ['email', 'unsubscribed', 'vp'],
      ['linkedin', 'no_response', 'vp'],
    ]);
    expect(newest[0]?.positionConfidence).toBeCloseTo(0.9, 6);
  });

  it('knows a contact whose only event is a reply that closed the message to another id', async () => {
    await plantEvent(database.owner, {
      companyId: tenantA.companyId,
      recipientId: 'anna-replies',
      recipientHash: 'aaaaaaaaaaaaaaaa',
      outcome: 'responded',
    });
    const { cells } = await repository.history(tenantA, 'anna-replies');
    expect(cells.reduce((sum, cell) => sum + cell.messages, 0)).toBe(3);
  });

  it('knows nothing of a contact that only tenant B has, or that has the same id there', async () => {
    const own = await repository.history(tenantA, 'anna');
    expect(own.cells.some((cell) => cell.outcome === 'bounced')).toBe(false);
    const foreign = await repository.history(tenantB, 'bert');
    expect(foreign).toEqual({ cells: [], newest: [], industry: null });
  });
});
