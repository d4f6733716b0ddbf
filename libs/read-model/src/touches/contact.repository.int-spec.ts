import { createHash, randomUUID } from 'node:crypto';
import { addressHashOf, contactOf } from '@outcomes/persistence';
import type { TenantScope } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { waitUntil } from '@outcomes/testing';
import { plantEvent, plantTouch } from '../../test/planted-rows';
import { openReadingDatabase, type ReadingDatabase } from '../../test/reading-database';
import { ContactRepository } from './contact.repository';

describe('ContactRepository', () => {
  const tenantA = mintTenantScope(randomUUID());
  const tenantB = mintTenantScope(randomUUID());
  const historyOf = (scope: TenantScope, contactId: string, cutoff = new Date('2024-01-01T00:00:00Z')) =>
    repository.history(scope, contactOf(contactId), cutoff);
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
    const { cells, lastSentAt, lastChannel } = await historyOf(tenantA, 'anna');
    expect([lastSentAt, lastChannel]).toEqual([new Date('2026-01-04T08:00:00Z'), 'email']);
    const [facts] = await repository.facts(tenantA, [contactOf('anna')], new Date(0));
    expect(facts?.lastSentAt).toEqual(lastSentAt);
    expect(cells.map((cell) => [cell.channel, cell.outcome, cell.messages]).sort()).toEqual([
      ['email', 'no_response', 2],
      ['email', 'unsubscribed', 1],
      ['linkedin', 'no_response', 1],
    ]);
  });

  it('knows position and industry under every id of the address, by whichever message names them', async () => {
    const company = mintTenantScope(randomUUID());
    const touch = { companyId: company.companyId, recipientHash: addressHashOf('eve@acme.com') };
    const named = { ...touch, recipientId: 'eve', jobTitle: 'VP Sales', industry: 'software' };
    await plantTouch(database.owner, { ...named, position: 'director', sentAt: '2026-01-01T08:00:00Z' });
    await plantTouch(database.owner, { ...named, sentAt: '2026-01-02T08:00:00Z' });
    const nameless = { ...touch, recipientId: 'eve-again', position: 'unknown' as const };
    await plantTouch(database.owner, { ...nameless, sentAt: '2026-01-03T08:00:00Z', step: 1 });
    for (const id of ['eve', 'eve-again', 'eve@acme.com']) {
      const { positionConfidence, ...history } = await historyOf(company, id);
      expect(history).toMatchObject({ position: 'vp', jobTitle: 'VP Sales', industry: 'software' });
      expect(positionConfidence).toBeCloseTo(0.9, 6);
    }
  });

  it('has the industry of the newest message that names one', async () => {
    const company = mintTenantScope(randomUUID());
    const anna = { companyId: company.companyId, recipientId: 'anna' };
    for (const [sentAt, industry] of [
      ['2026-01-01T08:00:00Z', 'software'],
      ['2026-01-05T08:00:00Z', 'health'],
      ['2026-01-03T08:00:00Z', 'retail'],
      ['2026-01-07T08:00:00Z', null],
    ] as const)
      await plantTouch(database.owner, { ...anna, sentAt, industry });
    expect((await historyOf(company, 'anna')).industry).toBe('health');
  });

  it('knows a contact whose only event is a reply that closed the message to another id', async () => {
    await plantEvent(database.owner, {
      companyId: tenantA.companyId,
      recipientId: 'anna-replies',
      recipientHash: 'aaaaaaaaaaaaaaaa',
      outcome: 'responded',
    });
    const { cells } = await historyOf(tenantA, 'anna-replies');
    expect(cells.reduce((sum, cell) => sum + cell.messages, 0)).toBe(3);
  });

  it('gathers what was sent to an address, which need not be the id of anybody', async () => {
    await plantTouch(database.owner, {
      companyId: tenantA.companyId,
      recipientId: 'pat',
      recipientHash: addressHashOf('pat@acme.com'),
    });
    expect((await historyOf(tenantA, ' Pat@Acme.com')).cells).toHaveLength(1);
    expect((await historyOf(tenantA, 'pat')).cells).toHaveLength(1);
    expect((await historyOf(tenantB, 'pat@acme.com')).cells).toEqual([]);
  });

  it('takes who booked a meeting without a reply for answered, whichever way it is asked', async () => {
    const company = mintTenantScope(randomUUID());
    for (const recipientId of ['booked', 'silent'])
      await plantTouch(database.owner, { companyId: company.companyId, recipientId });
    await database.owner.query(
      `UPDATE touches SET meeting_booked = true WHERE company_id = $1 AND recipient_id = 'booked'`,
      [company.companyId],
    );
    const asked = ['booked', 'silent', 'nobody'];
    const facts = await repository.facts(company, asked.map(contactOf), new Date('2024-01-01T00:00:00Z'));
    expect(facts.map(({ hasAnswered }) => hasAnswered)).toEqual([true, false, false]);
    for (const [place, id] of asked.entries())
      expect((await historyOf(company, id)).hasAnswered).toBe(facts[place]?.hasAnswered);
  });

  it('forgets messages of which every event has expired, though retention has not come by', async () => {
    const { cells, position, standing } = await historyOf(tenantA, 'bert', new Date('2100-01-01T00:00:00Z'));
    expect([cells, position, standing.isKnown]).toEqual([[], 'unknown', false]);
    const optedOut = await historyOf(tenantA, 'anna-again', new Date('2100-01-01T00:00:00Z'));
    expect([optedOut.cells, optedOut.standing.blockReasons]).toEqual([[], ['unsubscribed']]);
  });

  it('knows nothing of a contact that only tenant B has, or that has the same id there', async () => {
    const own = await historyOf(tenantA, 'anna');
    expect(own.cells.some((cell) => cell.outcome === 'bounced')).toBe(false);
    const foreign = await historyOf(tenantB, 'bert');
    expect(foreign).toMatchObject({ cells: [], position: 'unknown', jobTitle: null, industry: null });
    expect(foreign.standing).toMatchObject({ isKnown: false, blockReasons: [] });
    expect(own.standing.blockReasons).toEqual(['unsubscribed']);
  });

  it('reads the messages of each contact alone, though Postgres takes the company to have none', async () => {
    const messages = 20_000;
    const fill = ({ companyId }: TenantScope) =>
      database.owner.query(
        `INSERT INTO touches (company_id, touch_id, channel, sequence_step, position, position_confidence, outcome,
           streamed, sent_day, sent_at, outcome_at, levels, recipient_id, thread_id, recipient_hash)
         SELECT $1, gen_random_uuid(), 0, n % 3, 1, 0.9, 0, true, '2026-01-05', '2026-01-05', '2026-01-06', '{}',
           'r' || n / 3, 't', left(md5((n / 3)::text), 16) FROM generate_series(1, $2::int) AS n`,
        [companyId, messages],
      );
    // Its statistics list the companies that are there, each with its share; another must have next to nothing.
    await fill(mintTenantScope(randomUUID()));
    await database.owner.query('ALTER TABLE touches SET (autovacuum_enabled = off)');
    await database.owner.query('VACUUM ANALYZE touches');
    const company = mintTenantScope(randomUUID());
    await fill(company);
    const contacts = Array.from({ length: 100 }, (_, n) => ({
      ...contactOf(`r${n}`),
      addressHash: createHash('md5').update(`${n}`).digest('hex').slice(0, 16),
    }));
    const rowsRead = async () => {
      const [row] = await database.owner.query<{ n: string }>(
        `SELECT seq_tup_read + idx_tup_fetch AS n FROM pg_stat_user_tables WHERE relname = 'touches'`,
      );
      return Number(row?.n);
    };
    const before = await rowsRead();
    const facts = await repository.facts(company, contacts, new Date(0));
    expect(facts.filter(({ isWrittenTo }) => isWrittenTo)).toHaveLength(contacts.length);
    // A connection tells what it has read after seconds, unless it is asked to.
    await database.reader.transaction(company, ({ client }) =>
      client.query('SELECT pg_stat_force_next_flush()'),
    );
    await waitUntil('the reads are counted', async () => (await rowsRead()) > before, 30_000);
    // Mutation: one condition for both, which no index serves, holds all 20,000 against each contact.
    expect((await rowsRead()) - before).toBeLessThan(30 * contacts.length);
  }, 60_000);
});
