import { randomUUID } from 'node:crypto';
import { contactOf, recipientShaOf, standingsOf } from '@outcomes/persistence';
import { TenantDatabase, type TenantScope, type TenantTransaction } from '@outcomes/tenancy';
import {
  anEvent,
  connectAsOwner,
  ingestionFixture,
  jsonBody,
  startPod,
  type IngestionFixture,
  type IngestionPod,
} from '../../test/ingestion-fixture';
import { createErasureReplay } from '../erasures/create-erasure-replay';
import type { Erasure } from '../erasures/erasure-ledger.repository';

const EXPIRED = '2028-06-16T12:00:00Z';
const ANNA = { recipient_id: 'anna', recipient_email: 'anna@x.org' };

/**
 * Has something done before the statement of that place among all that transactions of a database send. They are sent one
 * after the other, as the places say.
 * @returns how many statements there were
 */
function interpose(database: TenantDatabase, place: number, act: () => Promise<unknown>): () => number {
  let sent = 0;
  const slowed = async <Result>(
    transaction: TenantTransaction,
    work: (slow: TenantTransaction) => Promise<Result>,
  ): Promise<Result> => {
    let last: Promise<unknown> = Promise.resolve();
    const query = (...statement: Parameters<typeof transaction.client.query>) => {
      const isPlace = sent++ === place;
      const answer = last.then(async () => {
        if (isPlace) await act();
        return transaction.client.query(...statement);
      });
      last = answer.catch(() => undefined);
      return answer;
    };
    const result = await work({ ...transaction, client: { query } } as unknown as TenantTransaction);
    // COMMIT goes past the statements that still wait for their turn.
    await last;
    return result;
  };
  const { transaction, exclusive } = database;
  jest
    .spyOn(database, 'transaction')
    .mockImplementation((scope, work) => transaction.call(database, scope, (real) => slowed(real, work)));
  jest
    .spyOn(database, 'exclusive')
    .mockImplementation((scope, lockClass, work) =>
      exclusive.call(database, scope, lockClass, (real, commitWith) =>
        slowed(real, (slow) => work(slow, commitWith)),
      ),
    );
  return () => sent;
}

describe('an opt-out that is accepted while events of its recipient are removed', () => {
  let fixture: IngestionFixture;
  /** Takes the opt-out: a request of the first may be the one that removes. */
  let other: IngestionPod;
  let owner: Awaited<ReturnType<typeof connectAsOwner>>;

  beforeAll(async () => {
    fixture = await ingestionFixture();
    other = await startPod(await fixture.database.loginAs('outcomes_ingest'), fixture.clock, fixture.queue);
    owner = await connectAsOwner(fixture);
  });
  beforeEach(() => fixture.clock.set('2026-06-15T12:00:00Z'));
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await owner.destroy();
    await other.module.close();
    await fixture.stop();
  });

  const ingest = async (scope: TenantScope, ...events: object[]) => {
    await fixture.ingest(scope, ...events);
    await fixture.worker.processing.processPending(scope);
  };
  const sent = (scope: TenantScope, event_id: string) => ingest(scope, anEvent({ ...ANNA, event_id }));
  const reasonsFor = async (scope: TenantScope) => {
    const [standing] = await fixture.worker.database.transaction(scope, (transaction) =>
      standingsOf(transaction, [contactOf(ANNA.recipient_id)], new Date(0)),
    );
    return standing?.blockReasons;
  };
  const listed = ({ companyId }: TenantScope) =>
    fixture.database.query(
      `SELECT change, reason FROM suppression_list WHERE company_id = $1 AND recipient_sha = $2`,
      [companyId, recipientShaOf(ANNA.recipient_id)],
    );

  /** A removal, the database whose transactions it runs in, and what has to be there before. */
  type Removal = (scope: TenantScope) => Promise<{
    readonly database: TenantDatabase;
    readonly remove: () => Promise<unknown>;
  }>;
  const removals: Record<string, Removal> = {
    'all of them are erased and opt-outs kept': async (scope) => {
      await sent(scope, randomUUID());
      const { database, ingestion } = fixture.api;
      return { database, remove: () => ingestion.deleteRecipient(scope, ANNA.recipient_id, 'true') };
    },
    'the same is repeated after a restore': async (scope) => {
      await sent(scope, randomUUID());
      await fixture.api.ingestion.deleteRecipient(scope, ANNA.recipient_id, 'true');
      const [erasure] = await fixture.database.query<Erasure & Record<string, unknown>>(
        `DELETE FROM erasures WHERE company_id = $1 RETURNING erasure_id AS "erasureId", subject,
           encode(subject_sha256, 'hex') AS "subjectSha256", kept_suppression AS "keptSuppression",
           erased_at::text AS "erasedAt"`,
        [scope.companyId],
      );
      await sent(scope, randomUUID());
      const database = new TenantDatabase(owner);
      const replay = createErasureReplay(database, fixture.clock);
      return { database, remove: () => replay.replay(scope, [erasure as Erasure]) };
    },
    'another of them is deleted': async (scope) => {
      const id = randomUUID();
      await sent(scope, id);
      const { database, ingestion } = fixture.api;
      return { database, remove: () => ingestion.deleteEvent(scope, id) };
    },
    'another of them expires': async (scope) => {
      await sent(scope, randomUUID());
      fixture.clock.set(EXPIRED);
      const { database, retention } = fixture.worker;
      return { database, remove: () => retention.expire(scope) };
    },
    'another of them has expired and is sent once more': async (scope) => {
      const id = randomUUID();
      await sent(scope, id);
      fixture.clock.set(EXPIRED);
      const { database } = fixture.api;
      return { database, remove: () => fixture.ingest(scope, anEvent({ ...ANNA, event_id: id })) };
    },
  };

  it.each(Object.entries(removals))(
    'blocks and is listed, before whichever statement it comes, where %s',
    async (_name, prepare) => {
      let statements = 1;
      const fates: unknown[] = [];
      for (let place = 0; place < statements; place += 1) {
        fixture.clock.set('2026-06-15T12:00:00Z');
        const scope = await fixture.newCompany();
        const { database, remove } = await prepare(scope);
        const optOut = anEvent({ ...ANNA, outcome: 'unsubscribed', sequence_step: 1 });
        const count = interpose(database, place, () => other.ingestion.ingestJson(scope, jsonBody(optOut)));
        await remove();
        jest.restoreAllMocks();
        statements = count();
        await fixture.worker.processing.processPending(scope);
        fates.push({ place, reasons: await reasonsFor(scope), listed: await listed(scope) });
      }
      expect(fates.length).toBeGreaterThan(3);
      expect(fates).toEqual(
        fates.map((_, place) => ({
          ...{ place, reasons: ['unsubscribed'] },
          listed: [{ change: 'added', reason: 'unsubscribed' }],
        })),
      );
    },
    // A company for each statement.
    120_000,
  );
});
