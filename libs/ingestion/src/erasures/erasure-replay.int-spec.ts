import { randomUUID } from 'node:crypto';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { mintSystemScope } from '@outcomes/tenancy/system';
import { databaseContents } from '@outcomes/testing';
import {
  anEvent,
  connectAsOwner,
  ingestionFixture,
  type IngestionFixture,
} from '../../test/ingestion-fixture';
import { createErasureReplay } from './create-erasure-replay';
import type { Erasure } from './erasure-ledger.repository';

describe('the ledger of erasures', () => {
  let fixture: IngestionFixture;
  let owner: Awaited<ReturnType<typeof connectAsOwner>>;

  beforeAll(async () => {
    fixture = await ingestionFixture();
    owner = await connectAsOwner(fixture);
  });
  afterAll(async () => {
    await owner.destroy();
    await fixture.stop();
  });

  const ledger = ({ companyId }: TenantScope) =>
    fixture.database.query<Erasure & Record<string, unknown>>(
      `SELECT erasure_id AS "erasureId", subject, encode(subject_sha256, 'hex') AS "subjectSha256",
         kept_suppression AS "keptSuppression", erased_at::text AS "erasedAt"
       FROM erasures WHERE company_id = $1 ORDER BY erased_at`,
      [companyId],
    );
  const replay = (scope: TenantScope, erasures: readonly Erasure[]) =>
    createErasureReplay(new TenantDatabase(owner), fixture.clock).replay(scope, erasures);
  const suppressions = ({ companyId }: TenantScope) =>
    fixture.database.query('SELECT recipient_sha FROM suppressions WHERE company_id = $1', [companyId]);
  /** What a backup from before the erasures brings back: everything but what the ledger says. */
  const restore = async (scope: TenantScope, ...events: object[]) => {
    await fixture.database.query('DELETE FROM erasures WHERE company_id = $1', [scope.companyId]);
    await fixture.ingest(scope, ...events);
    await fixture.worker.processing.processPending(scope);
  };

  it('gets a row with each erasure, in which no id of a caller is, and none where nothing went', async () => {
    const scope = await fixture.newCompany();
    const event_id = randomUUID();
    await fixture.ingest(scope, anEvent({ event_id }), anEvent({ recipient_id: 'anna@canary.example' }));
    await fixture.api.ingestion.deleteEvent(scope, event_id);
    await fixture.api.ingestion.deleteRecipient(scope, 'anna@canary.example', 'true');
    await fixture.api.ingestion.deleteRecipient(scope, 'nobody');
    await expect(fixture.api.ingestion.deleteEvent(scope, randomUUID())).rejects.toMatchObject({
      code: 'EVENT_NOT_FOUND',
    });
    expect(await ledger(scope)).toMatchObject([
      { subject: 'event', keptSuppression: false },
      { subject: 'recipient', keptSuppression: true },
    ]);
    expect(await databaseContents(fixture.database)).not.toContain('canary');
  });

  it('tells the same person apart in two companies', async () => {
    const scopes = [await fixture.newCompany(), await fixture.newCompany()];
    for (const scope of scopes) {
      await fixture.ingest(scope, anEvent({ recipient_id: 'anna' }));
      await fixture.api.ingestion.deleteRecipient(scope, 'anna');
    }
    const [[one], [two]] = [await ledger(scopes[0] as TenantScope), await ledger(scopes[1] as TenantScope)];
    expect(one?.subjectSha256).not.toBe(two?.subjectSha256);
  });

  it('can be changed by no service', async () => {
    for (const pod of [fixture.api, fixture.worker]) {
      for (const statement of ['DELETE FROM erasures', `UPDATE erasures SET subject = 'event'`]) {
        const changing = pod.database.unscoped(mintSystemScope(), ({ client }) => client.query(statement));
        await expect(changing).rejects.toMatchObject({ cause: { code: '42501' } });
      }
    }
  });

  it('frees a restored database of everybody erased since, and of nobody else', async () => {
    const scope = await fixture.newCompany();
    const event_id = randomUUID();
    const events = [
      anEvent({
        recipient_id: 'anna-canary',
        recipient_email: 'anna@canary.example',
        outcome: 'unsubscribed',
      }),
      anEvent({ recipient_id: 'bert', event_id, thread_id: 'canary-thread' }),
      anEvent({ recipient_id: 'carl' }),
    ];
    await fixture.ingest(scope, ...events);
    await fixture.worker.processing.processPending(scope);
    await fixture.api.ingestion.deleteRecipient(scope, 'anna-canary');
    await fixture.api.ingestion.deleteEvent(scope, event_id);
    const exported = await ledger(scope);
    await restore(scope, ...events);
    // Mutation: without the replay they are back.
    expect(await databaseContents(fixture.database)).toContain('canary');
    expect(await replay(scope, exported)).toEqual({ repeated: 2, found: 2 });
    expect(await databaseContents(fixture.database)).not.toContain('canary');
    expect(await ledger(scope)).toEqual(exported);
    const left = await fixture.stored(scope);
    expect(left.touches.map((touch) => touch.recipientId)).toEqual(['carl']);
    expect(left).toEqual(await fixture.recount(scope));
  });

  it('keeps opt-outs past an erasure that kept them, and drops those of one that did not', async () => {
    const scope = await fixture.newCompany();
    const optOut = (recipient_id: string) => anEvent({ recipient_id, outcome: 'unsubscribed' });
    const events = [optOut('kept'), optOut('dropped')];
    await fixture.ingest(scope, ...events);
    await fixture.api.ingestion.deleteRecipient(scope, 'kept', 'true');
    const [kept] = await suppressions(scope);
    // What was kept of this one when its events went is all that the backup has.
    await fixture.api.ingestion.deleteRecipient(scope, 'dropped', 'true');
    const before = await ledger(scope);
    await fixture.api.ingestion.deleteRecipient(scope, 'dropped');
    const [, , dropped] = await ledger(scope);
    expect(await suppressions(scope)).toEqual([kept]);
    await restore(scope, ...events);
    expect(await replay(scope, before)).toEqual({ repeated: 2, found: 2 });
    expect(await suppressions(scope)).toHaveLength(2);
    expect(await replay(scope, [dropped as Erasure])).toEqual({ repeated: 1, found: 1 });
    expect(await suppressions(scope)).toEqual([kept]);
  });

  it('takes off the list whose kept opt-out it drops, at once, and leaves no hash of them', async () => {
    const scope = await fixture.newCompany();
    const list = () =>
      fixture.database.query(
        `SELECT change, recipient_id, recipient_sha, recipient_hash FROM suppression_list WHERE company_id = $1
         ORDER BY recipient_id`,
        [scope.companyId],
      );
    await fixture.ingest(
      scope,
      anEvent({ recipient_id: 'anna', recipient_email: 'anna@x.org', outcome: 'unsubscribed' }),
      anEvent({ recipient_id: 'bert', outcome: 'unsubscribed' }),
    );
    await fixture.worker.processing.processPending(scope);
    await fixture.api.ingestion.deleteRecipient(scope, 'anna', 'true');
    const before = await list();
    const tables = ['suppressions', 'suppression_list'];
    for (const table of tables)
      await fixture.database.query(
        `CREATE TABLE backup_of_${table} AS SELECT * FROM ${table} WHERE company_id = $1`,
        [scope.companyId],
      );
    await fixture.api.ingestion.deleteRecipient(scope, 'anna');
    const [, dropped] = await ledger(scope);
    const after = await list();
    expect(after).not.toEqual(before);
    await fixture.database.query('DELETE FROM erasures WHERE company_id = $1', [scope.companyId]);
    for (const table of tables) {
      await fixture.database.query(`DELETE FROM ${table} WHERE company_id = $1`, [scope.companyId]);
      await fixture.database.query(`INSERT INTO ${table} SELECT * FROM backup_of_${table}`);
      await fixture.database.query(`DROP TABLE backup_of_${table}`);
    }
    expect(await list()).toEqual(before);
    expect(await replay(scope, [dropped as Erasure])).toEqual({ repeated: 1, found: 1 });
    expect(await list()).toEqual(after);
    expect(after.filter(({ change }) => change === 'removed')).toEqual(
      Array.from({ length: 2 }, () => ({
        ...{ change: 'removed', recipient_id: null, recipient_sha: null, recipient_hash: null },
      })),
    );
  });

  it('leaves alone what came in after an erasure that the backup has seen', async () => {
    const scope = await fixture.newCompany();
    await fixture.ingest(scope, anEvent({ recipient_id: 'anna' }));
    await fixture.api.ingestion.deleteRecipient(scope, 'anna');
    await fixture.ingest(scope, anEvent({ recipient_id: 'anna' }));
    await fixture.worker.processing.processPending(scope);
    expect(await replay(scope, await ledger(scope))).toEqual({ repeated: 0, found: 0 });
    expect((await fixture.stored(scope)).touches).toHaveLength(1);
  });
});
