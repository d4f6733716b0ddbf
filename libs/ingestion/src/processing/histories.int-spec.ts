import { OUTCOMES, CHANNELS } from '@outcomes/contracts';
import type { TenantScope } from '@outcomes/tenancy';
import fc from 'fast-check';
import { inForm, noteFigures } from '@outcomes/testing';
import { datedHistories, histories, type WireEvent } from '../../test/history-arbitrary';
import { naiveMessages, type NaiveMessage } from '../../test/naive-history';
import { ingestionFixture, type IngestionFixture } from '../../test/ingestion-fixture';

const RUNS = inForm(20, 10_000);
const DATED_RUNS = inForm(20, 1_000);
const TIMEOUT_MS = 60_000 + RUNS * 500;

const sortOf = (messages: readonly NaiveMessage[]) =>
  messages.map((message) => JSON.stringify(message)).sort();

/** Of what the naive model says, the parts that are stored. */
function shown(messages: readonly NaiveMessage[]): NaiveMessage[] {
  return messages.map(
    ({ recipient, channel, step, sentSecond, outcome, repliedAt, unsubscribedAt, bouncedAt, ...facts }) => ({
      ...{ recipient, channel, step, sentSecond, outcome, repliedAt, unsubscribedAt, bouncedAt },
      openedAt: facts.openedAt,
      clickedAt: facts.clickedAt,
      autoRepliedAt: facts.autoRepliedAt,
      meetingBookedAt: facts.meetingBookedAt,
    }),
  );
}

describe('any history', () => {
  let fixture: IngestionFixture;

  beforeAll(async () => {
    fixture = await ingestionFixture();
  });
  afterAll(() => fixture.stop());

  async function storedMessages(scope: TenantScope): Promise<NaiveMessage[]> {
    const { touches, cohorts } = await fixture.stored(scope);
    const counted = (name: string) => cohorts.reduce((sum, row) => sum + Number(row[name]), 0);
    const ending = (outcome: string) => touches.filter((touch) => OUTCOMES[touch.outcome] === outcome).length;
    expect([counted('touches'), counted('replies'), counted('bounces'), counted('unsubscribes')]).toEqual([
      touches.length,
      ending('responded'),
      ending('bounced'),
      ending('unsubscribed'),
    ]);
    return touches.map((touch) => ({
      recipient: touch.recipientId,
      channel: CHANNELS[touch.channel] ?? '',
      step: touch.sequenceStep,
      sentSecond: Math.floor(touch.sentAtMs / 1_000),
      outcome: OUTCOMES[touch.outcome] ?? '',
      repliedAt: touch.repliedAtMs,
      unsubscribedAt: touch.unsubscribedAtMs,
      bouncedAt: touch.bouncedAtMs,
      openedAt: touch.openedAtMs,
      clickedAt: touch.clickedAtMs,
      autoRepliedAt: touch.autoRepliedAtMs,
      meetingBookedAt: touch.meetingBookedAtMs,
    }));
  }

  it.each([
    ['', histories, RUNS],
    [' of messages known by their dates', datedHistories, DATED_RUNS],
  ])(
    'amounts to what a naive reading of it says: in any order, repeated, split, and after deletions%s',
    async (_of, arbitrary, runs) => {
      let differing = 0;
      await fc.assert(
        fc.asyncProperty(
          arbitrary,
          fc.infiniteStream(fc.nat({ max: 1_000_000 })),
          async (events, numbers) => {
            const draw = (below: number) => (numbers.next().value as number) % below;
            const scope = await fixture.newCompany();
            const order = events
              .map((event) => ({ event, rank: draw(1_000_000) }))
              .sort((a, b) => a.rank - b.rank)
              .map(({ event }) => event);
            const sent: WireEvent[] = [];
            while (sent.length < order.length) {
              const next = order.slice(sent.length, sent.length + 1 + draw(6));
              // Some come again with the next request, and count once.
              const repeated = sent.filter(() => draw(5) === 0);
              const answer = await fixture.ingest(scope, ...next, ...repeated);
              expect(answer).toMatchObject({ rejected: 0, duplicates: repeated.length });
              sent.push(...next);
              if (draw(2) === 0) await fixture.worker.processing.processPending(scope);
            }
            await fixture.worker.processing.processPending(scope);
            expect(sortOf(await storedMessages(scope))).toEqual(sortOf(shown(naiveMessages(events))));

            const gone = new Set(events.filter(() => draw(4) === 0).map((event) => event.event_id));
            for (const id of gone) await fixture.api.ingestion.deleteEvent(scope, id);
            const erased = draw(3) === 0 ? `r${1 + draw(4)}` : undefined;
            if (erased) await fixture.api.ingestion.deleteRecipient(scope, erased);
            const left = events.filter(
              (event) => !gone.has(event.event_id) && event['recipient_id'] !== erased,
            );
            differing += 1;
            expect(sortOf(await storedMessages(scope))).toEqual(sortOf(shown(naiveMessages(left))));
            expect(await fixture.stored(scope)).toEqual(await fixture.recount(scope));
            differing -= 1;
          },
        ),
        { seed: 23, numRuns: runs, endOnFailure: true },
      );
      noteFigures(`${runs} histories, ${differing} that differ from the naive reading`);
    },
    TIMEOUT_MS,
  );
});
