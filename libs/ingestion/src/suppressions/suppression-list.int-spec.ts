import { contactOf, standingsOf } from '@outcomes/persistence';
import type { TenantScope, TenantTransaction } from '@outcomes/tenancy';
import { waitUntil, waitingForLock } from '@outcomes/testing';
import fc from 'fast-check';
import { anEvent, ingestionFixture, type IngestionFixture } from '../../test/ingestion-fixture';
import { hashOfAddress } from '../identity/event-record';
import { Arrivals } from './arrivals';
import { UNSUBSCRIBED } from './kept-rows';
import { SuppressionListRepository } from './suppression-list.repository';
import { SuppressionList } from './suppression-list.service';

interface Row {
  readonly change_no: string;
  readonly change: string;
  readonly reason: string;
  readonly bounce: string | null;
  readonly recipient_id: string | null;
  readonly recipient_sha: string | null;
  readonly recipient_hash: string | null;
}

describe('the list of those who must not be written to', () => {
  let fixture: IngestionFixture;
  let scope: TenantScope;

  beforeAll(async () => {
    fixture = await ingestionFixture();
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    fixture.clock.set('2026-06-15T12:00:00Z');
    scope = await fixture.newCompany();
  });

  const ingest = async (...events: object[]) => {
    await fixture.ingest(scope, ...events);
    await fixture.worker.processing.processPending(scope);
  };
  const rows = () =>
    fixture.database.query<Row>(
      `SELECT change_no, change, reason, bounce, recipient_id, recipient_sha, recipient_hash FROM suppression_list
       WHERE company_id = $1 ORDER BY change_no`,
      [scope.companyId],
    );
  /** Numbers of the changes, counted from the time at which every test begins. */
  const numbers = async () =>
    (await rows()).map((row) => Number(row.change_no) - Date.parse('2026-06-15T12:00:00Z') * 1_000);
  /** Names, or hashes of addresses, with what the list says of them. */
  const said = async () =>
    (await rows()).map(
      (row) => `${row.change} ${row.recipient_id ?? row.recipient_hash ?? '?'} ${row.reason}`,
    );
  const ANNA = { recipient_id: 'anna', recipient_email: 'anna@x.org' };
  const HASH = hashOfAddress('anna@x.org');
  const optOut = { ...ANNA, outcome: 'unsubscribed' };

  it('names who opted out, the address, and whoever shares it, also later', async () => {
    await ingest(anEvent({ ...ANNA, recipient_id: 'anna-too' }), anEvent({ recipient_id: 'bert' }));
    expect(await rows()).toEqual([]);
    await ingest(anEvent(optOut));
    expect((await said()).sort()).toEqual([
      `added ${HASH} unsubscribed`,
      'added anna unsubscribed',
      'added anna-too unsubscribed',
    ]);
    await ingest(anEvent({ ...ANNA, recipient_id: 'anna-later' }));
    expect((await said()).at(-1)).toBe('added anna-later unsubscribed');
    expect(await numbers()).toEqual([1, 2, 3, 4]);
  });

  it('takes a bounce off after a reply, on again after the next, and moves the entry to the end', async () => {
    const bounce = { recipient_id: 'carl', outcome: 'bounced', outcome_at: '2026-06-02T00:00:00Z' };
    await ingest(anEvent(bounce), anEvent({ recipient_id: 'dora', outcome: 'unsubscribed' }));
    await ingest(anEvent({ recipient_id: 'carl', outcome: 'responded', sequence_step: 1 }));
    expect(await said()).toEqual(['added dora unsubscribed', 'removed carl bounced']);
    await ingest(anEvent({ ...bounce, sequence_step: 2, outcome_at: '2026-06-14T00:00:00Z' }));
    expect(await said()).toEqual(['added dora unsubscribed', 'added carl bounced']);
    expect((await numbers()).at(-1)).toBe(4);
  });

  it('follows whoever is mentioned among many, as in an import, by name, by address and by what was kept', async () => {
    await ingest(
      anEvent(optOut),
      anEvent({ recipient_id: 'carl', outcome: 'bounced', outcome_at: '2026-06-02T00:00:00Z' }),
      anEvent({ recipient_id: 'dora', outcome: 'unsubscribed' }),
    );
    await fixture.api.ingestion.deleteRecipient(scope, 'dora', 'true');
    const read = jest.spyOn(fixture.worker.module.get(SuppressionListRepository), 'listedAmong');
    const strangers = Array.from({ length: 40 }, (_, at) => anEvent({ recipient_id: `stranger-${at}` }));
    await ingest(
      ...strangers,
      anEvent({ recipient_id: 'carl', outcome: 'responded', sequence_step: 1 }),
      anEvent({ ...ANNA, recipient_id: 'anna-later' }),
      anEvent({ recipient_id: 'dora', sequence_step: 1 }),
    );
    const asked = read.mock.calls.map(([, contacts]) => contacts.length);
    read.mockRestore();
    expect((await said()).sort()).toEqual([
      `added ${HASH} unsubscribed`,
      'added anna unsubscribed',
      'added anna-later unsubscribed',
      'added dora unsubscribed',
      'removed carl bounced',
    ]);
    // Nobody asked for each of the strangers.
    expect(Math.max(...asked)).toBeLessThan(strangers.length);
  });

  it('gives no number a second time that a restored backup does not know any more', async () => {
    await ingest(anEvent({ recipient_id: 'bert', outcome: 'unsubscribed' }));
    const backup = await numbers();
    await ingest(anEvent(optOut));
    const told = await numbers();
    // The change at which whoever has read everything stands is gone, and those that follow must come after it.
    await fixture.database.query(
      `DELETE FROM suppression_list WHERE company_id = $1 AND (recipient_id = 'anna' OR recipient_hash = $2)`,
      [scope.companyId, HASH],
    );
    expect(await numbers()).toEqual(backup);
    fixture.clock.set('2026-06-15T12:00:01Z');
    await ingest(anEvent({ recipient_id: 'carl', outcome: 'unsubscribed' }));
    const [, next] = await numbers();
    expect(next).toBeGreaterThan(told.at(-1) ?? Infinity);
  });

  it('numbers changes on where a clock that was ahead, or the version before, has left off', async () => {
    await ingest(anEvent(optOut));
    for (const earlier of ['2026-06-15T11:59:59Z', '2026-06-15T12:00:00Z']) {
      fixture.clock.set(earlier);
      await ingest(anEvent({ recipient_id: earlier, outcome: 'unsubscribed' }));
    }
    expect(await numbers()).toEqual([1, 2, 3, 4]);
  });

  describe('says why', () => {
    /** Names, or hashes, with reason and kind of bounce. */
    const why = async () =>
      (await rows())
        .map((row) => [row.change, row.recipient_id ?? row.recipient_hash, row.reason, row.bounce].join(' '))
        .sort();
    const complaint = { ...optOut, metadata: { complaint: true } };

    it('of an opt-out that was a complaint, for everybody who shares the address', async () => {
      await ingest(anEvent({ ...ANNA, recipient_id: 'anna-too' }), anEvent(complaint));
      expect(await why()).toEqual(
        [`added ${HASH} complaint `, 'added anna complaint ', 'added anna-too complaint '].sort(),
      );
    });

    it('of a complaint after an opt-out, as a change; an opt-out after a complaint changes nothing', async () => {
      await ingest(anEvent(optOut));
      expect(await why()).toEqual([`added ${HASH} unsubscribed `, 'added anna unsubscribed '].sort());
      await ingest(anEvent({ ...complaint, sequence_step: 1 }));
      expect(await why()).toEqual([`added ${HASH} complaint `, 'added anna complaint '].sort());
      const before = await rows();
      expect(await numbers()).toEqual([3, 4]);
      await ingest(anEvent({ ...optOut, sequence_step: 2 }));
      expect(await rows()).toEqual(before);
    });

    it('of a complaint whose event is deleted while another opt-out stands', async () => {
      const eventId = '5f0e8ad2-0b0c-4a55-9d93-0c1b4f6a1a02';
      await ingest(anEvent(optOut), anEvent({ ...complaint, sequence_step: 1, event_id: eventId }));
      await fixture.api.ingestion.deleteEvent(scope, eventId);
      expect(await why()).toEqual([`added ${HASH} unsubscribed `, 'added anna unsubscribed '].sort());
    });

    it.each([
      ['hard', { metadata: { bounce: 'hard' } }],
      ['unknown', {}],
      ['unknown', { metadata: { bounce: 'HARD' } }],
      // Whatever says complaint of a bounce says nothing.
      ['unknown', { metadata: { complaint: true } }],
    ])('of a bounce: %s %j', async (kind, more) => {
      await ingest(anEvent({ ...ANNA, outcome: 'bounced', ...more }));
      expect(await why()).toEqual([`added ${HASH} bounced ${kind}`, `added anna bounced ${kind}`].sort());
    });

    it('of the last of several bounces, and of a removed one as it was', async () => {
      const bounce = (day: string, step: number, more: object) =>
        anEvent({
          ...{ recipient_id: 'carl', outcome: 'bounced', sequence_step: step },
          ...{ outcome_at: `2026-06-${day}T00:00:00Z`, ...more },
        });
      await ingest(bounce('04', 1, { metadata: { bounce: 'hard' } }), bounce('02', 0, {}));
      expect(await why()).toEqual(['added carl bounced hard']);
      await ingest(bounce('06', 2, {}));
      expect(await why()).toEqual(['added carl bounced unknown']);
      await ingest(
        anEvent({
          ...{ recipient_id: 'carl', outcome: 'responded', sequence_step: 3 },
          outcome_at: '2026-06-10T00:00:00Z',
        }),
      );
      expect(await why()).toEqual(['removed carl bounced unknown']);
    });

    it('of nobody whose bounce was soft: the mail is tried again, and nobody is suppressed', async () => {
      await ingest(anEvent({ ...ANNA, outcome: 'bounced', metadata: { bounce: 'soft' } }));
      expect(await rows()).toEqual([]);
      const standings = await fixture.worker.database.transaction(scope, (transaction) =>
        standingsOf(transaction, [contactOf('anna'), contactOf('anna@x.org')], new Date(0)),
      );
      expect(standings.map(({ blockReasons }) => blockReasons)).toEqual([[], []]);
      // Mutation: had it been read as anything else, or not at all, it would have blocked.
      await ingest(anEvent({ ...ANNA, outcome: 'bounced', sequence_step: 1, metadata: { bounce: 'Soft' } }));
      expect(await why()).toEqual([`added ${HASH} bounced unknown`, 'added anna bounced unknown'].sort());
    });

    it('of a bounce for good that has the times of the soft one before it', async () => {
      const bounce = { ...ANNA, outcome: 'bounced' };
      await ingest(anEvent({ ...bounce, metadata: { bounce: 'soft' } }));
      const hard = anEvent({ ...bounce, metadata: { bounce: 'hard' } });
      expect(await fixture.ingest(scope, hard)).toMatchObject({ accepted: 1, duplicates: 0, rejected: 0 });
      await fixture.worker.processing.processPending(scope);
      expect(await why()).toEqual([`added ${HASH} bounced hard`, 'added anna bounced hard'].sort());
    });

    it('lets an opt-out stand that calls itself soft', async () => {
      await ingest(anEvent({ ...optOut, metadata: { bounce: 'soft' } }));
      expect(await why()).toEqual([`added ${HASH} unsubscribed `, 'added anna unsubscribed '].sort());
    });

    it('the same after the events have expired, whatever comes then', async () => {
      await ingest(
        anEvent(complaint),
        anEvent({ recipient_id: 'carl', outcome: 'bounced', metadata: { bounce: 'hard' } }),
      );
      const before = await rows();
      fixture.clock.set('2028-06-16T12:00:00Z');
      await fixture.worker.retention.expire(scope);
      await fixture.worker.module.get(SuppressionList).check(scope);
      const after = before.map((row) => ({ ...row, recipient_id: null }));
      expect(await rows()).toEqual(after);
      // By another recipient of the address, the reason is known to the newcomer as well.
      const now = { sent_at: '2028-06-15T09:00:00Z', outcome_at: '2028-06-15T10:00:00Z' };
      await ingest(anEvent({ ...ANNA, ...now, recipient_id: 'anna-later' }));
      expect((await why()).at(-1)).toContain('complaint');
      expect((await rows()).at(-1)).toMatchObject({ recipient_id: 'anna-later', reason: 'complaint' });
    });

    it('the same of an erased recipient whose opt-out is kept', async () => {
      await ingest(anEvent(complaint));
      await fixture.api.ingestion.deleteRecipient(scope, 'anna', 'true');
      await fixture.worker.module.get(SuppressionList).check(scope);
      expect((await rows()).map((row) => [row.change, row.reason])).toEqual([
        ['added', 'complaint'],
        ['added', 'complaint'],
      ]);
    });

    it('as it was written by an earlier version, without a number for what it did not know', async () => {
      await ingest(anEvent({ ...ANNA, outcome: 'bounced' }));
      await fixture.database.query('UPDATE suppression_list SET bounce = NULL WHERE company_id = $1', [
        scope.companyId,
      ]);
      const before = await rows();
      await fixture.worker.module.get(SuppressionList).check(scope);
      expect(await rows()).toEqual(before);
    });
  });

  it('takes off what the deletion of the very event lifts', async () => {
    const eventId = '5f0e8ad2-0b0c-4a55-9d93-0c1b4f6a1a01';
    await ingest(anEvent({ ...optOut, event_id: eventId }), anEvent({ ...ANNA, sequence_step: 1 }));
    await fixture.api.ingestion.deleteEvent(scope, eventId);
    expect((await said()).sort()).toEqual([`removed ${HASH} unsubscribed`, 'removed anna unsubscribed']);
  });

  it('keeps no name and no hash of who was erased, and the hash alone where the opt-out is kept', async () => {
    await ingest(anEvent(optOut), anEvent({ recipient_id: 'dora', outcome: 'unsubscribed' }));
    await fixture.api.ingestion.deleteRecipient(scope, 'anna');
    await fixture.api.ingestion.deleteRecipient(scope, 'dora', 'true');
    const left = await rows();
    expect(left.map((row) => [row.change, row.recipient_id, row.recipient_hash])).toEqual(
      expect.arrayContaining([
        ['removed', null, null],
        ['removed', null, null],
        ['added', null, null],
      ]),
    );
    expect(left.filter((row) => row.recipient_sha !== null).map((row) => row.change)).toEqual(['added']);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['their opt-out was kept at first', () => fixture.api.ingestion.deleteRecipient(scope, 'anna', 'true')],
    [
      'their events had expired',
      () => {
        fixture.clock.set('2028-06-16T12:00:00Z');
        return fixture.worker.retention.expire(scope);
      },
    ],
  ])('keeps nothing of an erased recipient where %s, and what others are known by', async (_, first) => {
    const other = { recipient_id: 'bert', recipient_email: 'bert@x.org', outcome: 'unsubscribed' };
    await ingest(anEvent(optOut), anEvent(other));
    await first();
    expect((await rows()).filter((row) => row.recipient_hash === HASH)).toMatchObject([{ change: 'added' }]);
    await fixture.api.ingestion.deleteRecipient(scope, 'anna');
    const left = await rows();
    expect(left.map((row) => row.change).sort()).toEqual(['added', 'added', 'removed', 'removed']);
    for (const row of left.filter(({ change }) => change === 'removed'))
      expect(row).toMatchObject({ recipient_id: null, recipient_sha: null, recipient_hash: null });
    expect(left.map((row) => row.recipient_hash)).toContain(hashOfAddress('bert@x.org'));
  });

  it('keeps the hash of an address that others are written to at when who opted out there is erased', async () => {
    await ingest(anEvent(optOut), anEvent({ ...ANNA, recipient_id: 'anna-too' }));
    await fixture.api.ingestion.deleteRecipient(scope, 'anna', 'true');
    await fixture.api.ingestion.deleteRecipient(scope, 'anna');
    expect((await said()).sort()).toEqual([
      `removed ${HASH} unsubscribed`,
      'removed ? unsubscribed',
      'removed anna-too unsubscribed',
    ]);
  });

  it('keeps no hash of an address that was known as an erased recipient_id only', async () => {
    await ingest(anEvent({ recipient_id: 'Anna@X.org', outcome: 'unsubscribed' }));
    expect((await said()).sort()).toEqual([`added ${HASH} unsubscribed`, 'added Anna@X.org unsubscribed']);
    await fixture.api.ingestion.deleteRecipient(scope, 'Anna@X.org');
    expect(await said()).toEqual(['removed ? unsubscribed', 'removed ? unsubscribed']);
  });

  it.each([
    ['retention removes it', () => fixture.worker.retention.expire(scope)],
    [
      'another recipient is sent its id',
      (event_id: string) => ingest(anEvent({ recipient_id: 'bert', event_id })),
    ],
  ])(
    'keeps the hash of an opt-out whose event has expired when %s, and tells of no change',
    async (_, remove) => {
      const event_id = '5f0e8ad2-0b0c-4a55-9d93-0c1b4f6a1a03';
      await ingest(anEvent({ ...optOut, event_id }));
      const before = await rows();
      fixture.clock.set('2028-06-16T12:00:00Z');
      await remove(event_id);
      expect(await rows()).toEqual(before.map((row) => ({ ...row, recipient_id: null })));
    },
  );

  it('is made from what is stored where an earlier version took it in', async () => {
    await ingest(anEvent(optOut));
    const before = await said();
    for (const table of ['suppression_list', 'suppression_list_checks'])
      await fixture.database.query(`DELETE FROM ${table} WHERE company_id = $1`, [scope.companyId]);
    await ingest(anEvent({ recipient_id: 'bert' }));
    expect((await said()).sort()).toEqual(before.sort());
  });

  it('names whoever is written to at an address that somebody opted out under as recipient_id', async () => {
    await ingest(anEvent(ANNA), anEvent({ recipient_id: 'bert', recipient_email: 'bert@x.org' }));
    await ingest(anEvent({ recipient_id: 'Anna@X.org', outcome: 'unsubscribed' }));
    expect((await said()).sort()).toEqual([
      `added ${HASH} unsubscribed`,
      'added Anna@X.org unsubscribed',
      'added anna unsubscribed',
    ]);
  });

  it('names them where an earlier version took the opt-out in, and nothing was kept of its address', async () => {
    await ingest(anEvent(ANNA));
    await ingest(anEvent({ recipient_id: 'Anna@X.org', outcome: 'unsubscribed' }));
    const now = (await said()).sort();
    const asBefore = [
      'UPDATE outcome_events SET id_address_hash = NULL WHERE company_id = $1',
      `DELETE FROM suppression_list WHERE company_id = $1 AND recipient_id IS DISTINCT FROM 'Anna@X.org'`,
      'UPDATE suppression_list_checks SET names_addresses = false WHERE company_id = $1',
    ];
    for (const statement of asBefore) await fixture.database.query(statement, [scope.companyId]);
    expect(await said()).toEqual(['added Anna@X.org unsubscribed']);
    await ingest(anEvent({ recipient_id: 'carl' }));
    expect((await said()).sort()).toEqual(now);
  });

  describe('of two transactions that overlap', () => {
    const arrivals = (recipientId: string) => {
      const told = new Arrivals();
      told.note([{ recipientId, recipientHash: null, kind: UNSUBSCRIBED }], true);
      return told;
    };

    it('gives the later number to the one that commits later, so that no reader passes an entry', async () => {
      await fixture.ingest(
        scope,
        anEvent({ recipient_id: 'first', outcome: 'unsubscribed' }),
        anEvent({ recipient_id: 'second', outcome: 'unsubscribed' }),
      );
      const list = fixture.worker.module.get(SuppressionList);
      const { database } = fixture.worker;
      const steps: string[] = [];
      let release = () => {};
      const held = new Promise<void>((resolve) => (release = resolve));
      let begun = () => {};
      const hasWritten = new Promise<void>((resolve) => (begun = resolve));
      const follow = (name: string, then: () => Promise<void> | void) =>
        database.transaction(scope, async (transaction: TenantTransaction) => {
          await list.follow(transaction, arrivals(name));
          steps.push(`${name} numbered`);
          await then();
        });
      const first = follow('first', async () => {
        begun();
        await held;
      });
      await hasWritten;
      const second = follow('second', () => undefined);
      await waitUntil(
        'a transaction to wait',
        async () => (await waitingForLock(fixture.database, 'advisory')).length > 0,
      );
      // Whoever reads now sees neither: the second has no number yet, and gets none below the first.
      expect([steps, await said()]).toEqual([['first numbered'], []]);
      release();
      await Promise.all([first, second]);
      expect(await said()).toEqual(['added first unsubscribed', 'added second unsubscribed']);
      expect(await numbers()).toEqual([1, 2]);
    });
  });

  it('says of everybody what decides about writing, whatever happens in whatever order', async () => {
    const people = ['p0', 'p1', 'p2', 'p3', 'p4'];
    const mails = [undefined, undefined, 'a@x.org', 'b@x.org', 'c@x.org'];
    const step = fc.record({
      deletes: fc.integer({ min: 0, max: 99 }).map((percent) => percent < 15),
      keeps: fc.constantFrom('true', 'false'),
      recipient_id: fc.constantFrom(...people),
      recipient_email: fc.constantFrom(...mails),
      outcome: fc.constantFrom('no_response', 'no_response', 'responded', 'bounced', 'unsubscribed'),
      metadata: fc.constantFrom({}, {}, { complaint: true }, { bounce: 'hard' }, { bounce: 'soft' }),
      outcome_at: fc
        .integer({ min: 2, max: 14 })
        .map((day) => `2026-06-${String(day).padStart(2, '0')}T09:30:00Z`),
    });
    let blocked = 0;
    for (const [at, { deletes, keeps, ...event }] of fc
      .sample(step, { numRuns: 60, seed: 20_260_615 })
      .entries()) {
      if (deletes) await fixture.api.ingestion.deleteRecipient(scope, event.recipient_id, keeps);
      else await ingest(anEvent({ ...event, sequence_step: at % 50 }));
      const contacts = [...people.map(contactOf), ...mails.flatMap((mail) => (mail ? contactOf(mail) : []))];
      const standings = await fixture.worker.database.transaction(scope, (transaction) =>
        standingsOf(transaction, contacts, new Date(0)),
      );
      const listed = (await rows()).filter((row) => row.change === 'added');
      const isListed = contacts.map((contact) =>
        contact.addressHash === null
          ? listed.some((row) => row.recipient_sha === contact.recipientSha)
          : listed.some((row) => row.recipient_hash === contact.addressHash),
      );
      const isBlocked = standings.map(({ blockReasons }) => blockReasons.length > 0);
      expect([at, isListed]).toEqual([at, isBlocked]);
      // Opt-outs are named as such, whatever else is known of them.
      const reasons = standings.map(({ blockReasons: [reason] }) => reason);
      const optedOut = contacts.filter((_, place) => reasons[place] === 'unsubscribed');
      const listedOut = listed.filter(({ reason }) => reason !== 'bounced');
      for (const contact of optedOut)
        expect(
          listedOut.some((row) =>
            contact.addressHash === null
              ? row.recipient_sha === contact.recipientSha
              : row.recipient_hash === contact.addressHash,
          ),
        ).toBe(true);
      blocked += isBlocked.filter(Boolean).length;
    }
    // Mutation: a list of nobody, or of everybody, would not have passed.
    expect(blocked).toBeGreaterThan(60);
    expect(blocked).toBeLessThan(60 * 8);
  });
});
