import { createHash, randomUUID } from 'node:crypto';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { plantTouch } from '../../test/planted-rows';
import { openReadingDatabase, type ReadingDatabase } from '../../test/reading-database';
import { ResponderRepository } from './responder.repository';

describe('ResponderRepository', () => {
  const tenantA = mintTenantScope(randomUUID());
  const tenantB = mintTenantScope(randomUUID());
  let database: ReadingDatabase;
  let repository: ResponderRepository;

  beforeAll(async () => {
    database = await openReadingDatabase();
    repository = new ResponderRepository(database.reader);
    const anna = {
      companyId: tenantA.companyId,
      recipientId: 'anna',
      recipientHash: 'aaaaaaaaaaaaaaaa',
      emailDomain: 'a.example',
    };
    for (const touch of [
      { ...anna, sentAt: '2026-01-01T08:00:00Z', levels: [0, 5] },
      { ...anna, sentAt: '2026-01-03T08:00:00Z', outcome: 'responded' as const, levels: [1, 5] },
      { ...anna, sentAt: '2026-01-04T08:00:00Z', position: 'unknown' as const, jobTitle: 'Wizard' },
      { ...anna, recipientId: 'bert', recipientHash: 'bbbbbbbbbbbbbbbb' },
      {
        companyId: tenantA.companyId,
        recipientId: 'no-address',
        channel: 'linkedin' as const,
        outcome: 'responded' as const,
      },
      { companyId: tenantA.companyId, recipientId: 'no-address', step: 1 },
      {
        ...anna,
        companyId: tenantB.companyId,
        recipientHash: 'cccccccccccccccc',
        emailDomain: 'canary-b.example',
        outcome: 'responded' as const,
      },
    ]) {
      await plantTouch(database.owner, touch);
    }
  });
  afterAll(() => database.close());

  it('lists who answered, with what was observed', async () => {
    const [anna] = await repository.page(tenantA, '');
    expect([anna]).toEqual([
      {
        personId: 'aaaaaaaaaaaaaaaa',
        position: 'vp',
        positionConfidence: expect.closeTo(0.9, 6),
        jobTitle: null,
        emailDomain: 'a.example',
        responses: 1,
        messages: 3,
        answeredLevels: [1, 5],
        lastOutcomeAt: new Date('2026-01-05T08:00:00Z'),
        industry: null,
      },
    ]);
  });

  it('knows a person without an address by the recipient_id, and has no domain of it', async () => {
    const people = await repository.page(tenantA, '');
    expect(people).toHaveLength(2);
    expect(people).toContainEqual(
      expect.objectContaining({
        personId: createHash('sha256').update('recipient_id:no-address').digest('hex').slice(0, 16),
        position: 'vp',
        emailDomain: null,
        responses: 1,
        messages: 2,
      }),
    );
  });

  it('counts messages that name no address to the address that others name', async () => {
    const company = mintTenantScope(randomUUID());
    const both = { companyId: company.companyId, recipientId: 'both' };
    const answer = { ...both, outcome: 'responded' as const, channel: 'linkedin' as const };
    const named = { ...both, recipientHash: 'dddddddddddddddd', emailDomain: 'd.example' };
    await plantTouch(database.owner, {
      ...answer,
      sentAt: '2026-01-09T08:00:00Z',
      levels: [2],
      jobTitle: 'CTO',
    });
    await plantTouch(database.owner, { ...both, sentAt: '2026-01-10T08:00:00Z' });
    await plantTouch(database.owner, { ...named, sentAt: '2026-01-02T08:00:00Z' });
    await plantTouch(database.owner, { ...named, outcome: 'responded', levels: [1] });
    await plantTouch(database.owner, {
      ...named,
      recipientId: 'other id',
      recipientHash: 'dddddddddddddddd',
    });
    expect(await repository.page(company, '')).toEqual([
      expect.objectContaining({
        personId: 'dddddddddddddddd',
        jobTitle: 'CTO',
        responses: 2,
        messages: 5,
        answeredLevels: [1, 2],
        lastOutcomeAt: new Date('2026-01-11T08:00:00Z'),
      }),
    ]);
  });

  it('has the industry of the newest answered message that names one, where it is asked for', async () => {
    const company = mintTenantScope(randomUUID());
    const person = { companyId: company.companyId, recipientId: 'p', recipientHash: 'eeeeeeeeeeeeeeee' };
    for (const [sentAt, industry, outcome] of [
      ['2026-01-01T08:00:00Z', 'software', 'responded'],
      ['2026-01-05T08:00:00Z', 'health', 'responded'],
      ['2026-01-06T08:00:00Z', null, 'responded'],
      ['2026-01-07T08:00:00Z', 'retail', 'no_response'],
    ] as const)
      await plantTouch(database.owner, { ...person, sentAt, industry, outcome });
    expect(await repository.page(company, '', { withIndustry: true })).toMatchObject([
      { industry: 'health' },
    ]);
    expect(await repository.page(company, '')).toMatchObject([{ industry: null }]);
    // As they are counted.
    expect(
      await database.owner.query('SELECT industry FROM responders WHERE company_id = $1', [
        company.companyId,
      ]),
    ).toEqual([{ industry: 'health' }]);
  });

  it('goes on behind the id it is given, page by page to the end', async () => {
    const crowd = mintTenantScope(randomUUID());
    await database.owner.query(
      `INSERT INTO touches (company_id, touch_id, channel, sequence_step, position, position_confidence, outcome,
         streamed, sent_day, sent_at, outcome_at, levels, recipient_id, thread_id, recipient_hash)
       SELECT $1, gen_random_uuid(), 0, 0, 1, 0.9, 1, true, '2026-01-05', '2026-01-05', '2026-01-06', '{}', n::text, 't',
         CASE WHEN n % 3 > 0 THEN lpad(to_hex(n), 16, '0') END FROM generate_series(1, 1200) AS n`,
      [crowd.companyId],
    );
    const seen: string[] = [];
    const sizes: number[] = [];
    for (let after = ''; ; after = seen.at(-1) ?? '') {
      const page = await repository.page(crowd, after);
      if (page.length === 0) break;
      sizes.push(page.length);
      seen.push(...page.map(({ personId }) => personId));
    }
    expect(sizes).toEqual([500, 500, 200]);
    expect(new Set(seen).size).toBe(1_200);
    expect(seen).toEqual([...seen].sort());
  });

  it('lists none of tenant A for tenant B', async () => {
    const hashes = (await repository.page(tenantB, '')).map((responder) => responder.personId);
    expect(hashes).toEqual(['cccccccccccccccc']);
  });

  it('may read the domain of an event and no text of it', async () => {
    const read = (column: string) =>
      database.reader.transaction(tenantA, ({ client }) =>
        client.query(`SELECT DISTINCT ${column} FROM outcome_events`),
      );
    expect((await read('email_domain')).rows).toContainEqual({ email_domain: 'a.example' });
    await expect(read('body')).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
  });
});
