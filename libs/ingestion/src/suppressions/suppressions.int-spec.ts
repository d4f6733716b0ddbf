import { randomUUID } from 'node:crypto';
import { contactOf, recipientShaOf, standingsOf } from '@outcomes/persistence';
import type { TenantScope } from '@outcomes/tenancy';
import { anEvent, ingestionFixture, type IngestionFixture } from '../../test/ingestion-fixture';
import { hashOfAddress } from '../identity/event-record';

const EXPIRED = '2028-06-16T12:00:00Z';

describe('what is left of an opt-out', () => {
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
  const kept = () =>
    fixture.database.query<object>(
      `SELECT recipient_sha, recipient_hash, unsubscribed_at, bounced_at, replied_at FROM suppressions
       WHERE company_id = $1 ORDER BY recipient_hash`,
      [scope.companyId],
    );
  const reasonsFor = async (...contacts: string[]) => {
    const standings = await fixture.worker.database.transaction(scope, (transaction) =>
      standingsOf(transaction, contacts.map(contactOf), new Date(0)),
    );
    return standings.map(({ blockReasons }) => blockReasons.join(' '));
  };
  const optOut = { recipient_id: 'anna', outcome: 'unsubscribed' };
  const row = {
    recipient_sha: recipientShaOf('anna'),
    recipient_hash: '',
    unsubscribed_at: new Date('2026-06-08T09:30:00Z'),
    bounced_at: null,
    replied_at: null,
  };

  it.each([
    ['has not expired', () => Promise.resolve(), 'Max@X.org'],
    ['expires', () => fixture.worker.retention.expire(scope), 'Max@X.org'],
    [
      'is erased and kept',
      () => fixture.api.ingestion.deleteRecipient(scope, 'Max@X.org', 'true'),
      'Max@X.org',
    ],
    // Kept by the earlier version, too.
    [
      'had expired before the upgrade',
      async () => {
        await fixture.worker.retention.expire(scope);
        await fixture.database.query(`UPDATE suppressions SET recipient_hash = '' WHERE company_id = $1`, [
          scope.companyId,
        ]);
      },
      'max@x.org',
    ],
  ])(
    'blocks the address that its recipient_id is, where an earlier version took it in and it %s',
    async (_, then, id) => {
      await ingest(anEvent({ recipient_id: id, outcome: 'unsubscribed' }));
      await fixture.database.query('UPDATE outcome_events SET id_address_hash = NULL WHERE company_id = $1', [
        scope.companyId,
      ]);
      fixture.clock.set(EXPIRED);
      const now = { sent_at: '2028-06-15T09:00:00Z', outcome_at: '2028-06-15T10:00:00Z' };
      await ingest(anEvent({ ...now, recipient_id: 'crm-1', recipient_email: 'max@x.org' }));
      await then();
      await fixture.worker.retention.expire(scope);
      expect(await reasonsFor('crm-1', 'max@x.org', 'MAX@x.org')).toEqual(Array(3).fill('unsubscribed'));
    },
  );

  it.each([
    ['unsubscribed', row],
    ['bounced', { ...row, unsubscribed_at: null, bounced_at: row.unsubscribed_at }],
  ])('is hashes and dates, when the event that says %s expires', async (outcome, left) => {
    await ingest(anEvent({ ...optOut, outcome, recipient_email: 'Anna@x.org' }));
    fixture.clock.set(EXPIRED);
    expect(await reasonsFor('anna', 'anna@x.org')).toEqual([outcome, outcome]);
    expect(await fixture.worker.retention.expire(scope)).toEqual({ deleted: 1, isCapped: false });
    expect(await kept()).toEqual([{ ...left, recipient_hash: hashOfAddress('anna@x.org') }]);
    expect(await reasonsFor('anna', 'anna@x.org')).toEqual([outcome, outcome]);
  });

  it.each([
    ['kept', 'bounced', []],
    ['none', '', [{ outcome: 'responded', outcome_at: '2026-06-10T00:00:00Z', sequence_step: 1 }]],
  ])('of an erased bounce is %s: a later reply lifts it', async (suppression, reasons, replies) => {
    await ingest(
      anEvent({ ...optOut, outcome: 'bounced' }),
      ...replies.map((reply) => anEvent({ ...reply, recipient_id: 'anna' })),
    );
    expect(await fixture.api.ingestion.deleteRecipient(scope, 'anna', 'true')).toMatchObject({ suppression });
    expect(await reasonsFor('anna')).toEqual([reasons]);
  });

  it.each([
    ['a date alone is told', { outcome_at: '2026-06-08' }, { outcome_at: '2026-06-08T20:00:00Z' }],
    [
      'the reply may have come before',
      {},
      { outcome_at: '2026-06-10T00:00:00Z', outcome_at_is: 'not_after' },
    ],
  ])('of a bounce is kept where it may have come after the reply: %s', async (_, bounce, reply) => {
    const own = { recipient_id: 'anna', recipient_email: 'anna@x.org' };
    await ingest(
      anEvent({ ...own, outcome: 'bounced', ...bounce }),
      anEvent({ ...own, outcome: 'responded', sequence_step: 1, ...reply }),
    );
    const before = await reasonsFor('anna', 'anna@x.org');
    fixture.clock.set(EXPIRED);
    await fixture.worker.retention.expire(scope);
    expect([before, await reasonsFor('anna', 'anna@x.org')]).toEqual(Array(2).fill(['bounced', 'bounced']));
  });

  it('is nothing of somebody who never opted out, though something is kept of others', async () => {
    await ingest(anEvent(optOut), anEvent({ recipient_id: 'bert' }));
    await fixture.api.ingestion.deleteRecipient(scope, 'anna', 'true');
    for (const [recipient, deleted] of [
      ['bert', 1],
      ['bert', 0],
      ['nobody', 0],
    ] as const)
      expect(await fixture.api.ingestion.deleteRecipient(scope, recipient, 'false')).toEqual({
        ...{ deleted, recipient_id: recipient, suppression: 'none' },
      });
    expect([await kept(), await reasonsFor('anna')]).toEqual([[row], ['unsubscribed']]);
  });

  it('holds for the address though the message that named it expires first', async () => {
    await ingest(anEvent({ recipient_id: 'anna', recipient_email: 'anna@x.org' }));
    fixture.clock.set('2026-09-15T12:00:00Z');
    await ingest(anEvent({ ...optOut, sequence_step: 1 }));
    for (const at of ['2028-07-01T00:00:00Z', '2028-10-01T00:00:00Z']) {
      fixture.clock.set(at);
      expect(await fixture.worker.retention.expire(scope)).toEqual({ deleted: 1, isCapped: false });
      expect(await reasonsFor('anna', 'anna@x.org')).toEqual(['unsubscribed', 'unsubscribed']);
    }
  });

  it('is nothing of a bounce that a reply lifted, nor of anybody who never opted out', async () => {
    const own = { recipient_id: 'anna', recipient_email: 'anna@x.org' };
    await ingest(
      anEvent({ ...own, outcome: 'bounced', outcome_at: '2026-06-02T00:00:00Z' }),
      anEvent({ ...own, outcome: 'responded' }),
      anEvent({ recipient_id: 'bert', recipient_email: 'bert@x.org', outcome: 'responded' }),
    );
    fixture.clock.set(EXPIRED);
    await fixture.worker.retention.expire(scope);
    expect(await kept()).toEqual([]);
  });

  it('is a reply as long as a bounce stands that it lifts', async () => {
    const own = { recipient_id: 'anna', recipient_email: 'anna@x.org' };
    await ingest(anEvent({ ...own, outcome: 'responded' }));
    fixture.clock.set('2026-09-15T12:00:00Z');
    await ingest(
      anEvent({ ...own, sequence_step: 1, outcome: 'bounced', outcome_at: '2026-06-02T00:00:00Z' }),
    );
    fixture.clock.set('2028-07-01T00:00:00Z');
    await fixture.worker.retention.expire(scope);
    expect(await kept()).toHaveLength(1);
    expect(await reasonsFor('anna')).toEqual(['']);
    fixture.clock.set('2028-10-01T00:00:00Z');
    await fixture.worker.retention.expire(scope);
    expect(await kept()).toEqual([]);
  });

  it('stays where the expired event is deleted, which is not found, or sent once more as something else', async () => {
    const event_id = randomUUID();
    await ingest(anEvent({ ...optOut, event_id }));
    fixture.clock.set(EXPIRED);
    await expect(fixture.api.ingestion.deleteEvent(scope, event_id)).rejects.toMatchObject({
      code: 'EVENT_NOT_FOUND',
    });
    expect(await kept()).toEqual([row]);
    const again = randomUUID();
    fixture.clock.set('2026-06-15T12:00:00Z');
    await ingest(anEvent({ ...optOut, recipient_id: 'bert', event_id: again }));
    fixture.clock.set(EXPIRED);
    await ingest(anEvent({ recipient_id: 'bert', event_id: again }));
    expect(await reasonsFor('anna', 'bert')).toEqual(['unsubscribed', 'unsubscribed']);
  });

  it('is nothing where that very event is deleted, and nothing of its neighbours either', async () => {
    const event_id = randomUUID();
    await ingest(anEvent({ recipient_id: 'anna', recipient_email: 'anna@x.org' }));
    fixture.clock.set('2026-09-15T12:00:00Z');
    await ingest(anEvent({ ...optOut, sequence_step: 1, event_id }));
    fixture.clock.set('2028-07-01T00:00:00Z');
    await fixture.worker.retention.expire(scope);
    expect(await kept()).toHaveLength(1);
    await fixture.api.ingestion.deleteEvent(scope, event_id);
    expect([await kept(), await reasonsFor('anna', 'anna@x.org')]).toEqual([[], ['', '']]);
  });

  it.each([
    [undefined, 'removed', ''],
    ['false', 'removed', ''],
    ['true', 'kept', 'unsubscribed'],
  ])('after an erasure with keep_suppression=%s is %s', async (keeps, suppression, reasons) => {
    await ingest(
      anEvent({ recipient_id: 'anna', recipient_email: 'anna@x.org' }),
      anEvent({ ...optOut, sequence_step: 1 }),
      anEvent({ recipient_id: 'alias', recipient_email: 'anna@x.org' }),
    );
    const erased = await fixture.api.ingestion.deleteRecipient(scope, 'anna', keeps);
    expect(erased).toEqual({ deleted: 2, recipient_id: 'anna', suppression });
    expect(await reasonsFor('anna', 'alias', 'anna@x.org')).toEqual([reasons, reasons, reasons]);
    expect(await fixture.api.ingestion.deleteRecipient(scope, 'anna')).toMatchObject({
      suppression: suppression === 'kept' ? 'removed' : 'none',
    });
    expect([await kept(), await reasonsFor('anna', 'alias')]).toEqual([[], ['', '']]);
  });

  it.each([
    ['unsubscribed', {}],
    ['bounced', {}],
    // Its id is the address.
    ['unsubscribed', { recipient_id: 'Anna@x.org', recipient_email: undefined }],
  ])(
    'of another with the same address (%s %j) goes on blocking whoever is erased with keep_suppression=true',
    async (outcome, by) => {
      const anna = { recipient_id: 'anna', recipient_email: 'anna@x.org', ...by };
      const event_id = randomUUID();
      await ingest(
        anEvent({ ...anna, outcome, event_id }),
        anEvent({ recipient_id: 'alias', recipient_email: 'anna@x.org' }),
      );
      const erased = await fixture.api.ingestion.deleteRecipient(scope, 'alias', 'true');
      expect(erased).toEqual({ deleted: 1, recipient_id: 'alias', suppression: 'kept' });
      expect(await reasonsFor('alias', anna.recipient_id)).toEqual([outcome, outcome]);
      const hashes = { recipient_sha: recipientShaOf('alias'), recipient_hash: hashOfAddress('anna@x.org') };
      expect(await kept()).toEqual([{ ...row, ...hashes, unsubscribed_at: null }]);
      // The opt-out is still the other's: without it nothing is left.
      await fixture.api.ingestion.deleteEvent(scope, event_id);
      expect([await reasonsFor('alias', anna.recipient_id), await kept()]).toEqual([['', ''], []]);
    },
  );

  it('is none of an erased recipient whom nobody blocks, though its address is known', async () => {
    await ingest(anEvent({ recipient_id: 'alias', recipient_email: 'anna@x.org' }));
    expect(await fixture.api.ingestion.deleteRecipient(scope, 'alias', 'true')).toMatchObject({
      suppression: 'none',
    });
    expect(await kept()).toEqual([]);
  });

  it('holds for an address of which only what is kept of an expired message still tells', async () => {
    await ingest(anEvent({ recipient_id: 'anna', recipient_email: 'anna@x.org' }));
    fixture.clock.set('2026-09-15T12:00:00Z');
    await ingest(anEvent({ recipient_id: 'bert', recipient_email: 'anna@x.org', outcome: 'bounced' }));
    fixture.clock.set('2028-07-01T00:00:00Z');
    await fixture.worker.retention.expire(scope);
    await ingest(anEvent({ ...optOut, sequence_step: 1 }));
    await fixture.api.ingestion.deleteRecipient(scope, 'anna', 'true');
    expect(await reasonsFor('anna', 'anna@x.org')).toEqual(['unsubscribed bounced', 'unsubscribed bounced']);
    await fixture.api.ingestion.deleteRecipient(scope, 'anna');
    // Nothing of her is left, not even whose address it was.
    expect([await reasonsFor('anna', 'anna@x.org'), await kept()]).toEqual([['', 'bounced'], []]);
  });

  it.each(['yes', '', 'TRUE', true, ['true', 'true']])(
    'is not put at risk by keep_suppression=%j: nothing is deleted',
    async (keeps) => {
      await ingest(anEvent(optOut));
      await expect(fixture.api.ingestion.deleteRecipient(scope, 'anna', keeps)).rejects.toMatchObject({
        code: 'INVALID_PARAMETER',
        fields: { parameter: 'keep_suppression' },
      });
      expect(await reasonsFor('anna')).toEqual(['unsubscribed']);
    },
  );

  it('is of one tenant: an erasure or an expiry elsewhere takes and leaves nothing here', async () => {
    await ingest(anEvent(optOut));
    const other = await fixture.newCompany();
    await fixture.ingest(other, anEvent(optOut));
    await fixture.api.ingestion.deleteRecipient(other, 'anna', 'true');
    expect(await kept()).toEqual([]);
    await fixture.api.ingestion.deleteRecipient(scope, 'anna', 'true');
    await fixture.api.ingestion.deleteRecipient(other, 'anna');
    expect(await kept()).toEqual([row]);
  });
});
