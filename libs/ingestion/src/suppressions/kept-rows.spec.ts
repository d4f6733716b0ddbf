import { EVENT_KINDS } from '@outcomes/contracts';
import { addressHashOf, recipientShaOf } from '@outcomes/persistence';
import fc from 'fast-check';
import { keptRows } from './kept-rows';

const OUTCOMES = ['no_response', 'responded', 'bounced', 'unsubscribed'] as const;
const HASHES = [null, 'h1'];
const anExpiring = fc.record({
  recipientId: fc.constantFrom('anna', 'anna', 'anna', 'bert'),
  recipientHash: fc.constantFrom(...HASHES),
  outcome: fc.constantFrom(...OUTCOMES).map((outcome) => EVENT_KINDS.indexOf(outcome)),
  // Few instants, so that several events share one.
  outcomeAt: fc.integer({ min: 1, max: 3 }).map((day) => new Date(Date.UTC(2026, 5, day))),
  isComplaint: fc.boolean(),
  isHard: fc.boolean(),
});

describe('what expiring events leave behind', () => {
  it('names the address that the recipient_id of an answer is, and no message does', () => {
    const at = new Date(Date.UTC(2026, 5, 1));
    const expiring = (outcome: number, recipientHash: string | null = null) => ({
      ...{ recipientId: 'Max@X.org', recipientHash, outcome: outcome, outcomeAt: at },
      ...{ isComplaint: false, isHard: false },
    });
    const hashes = (...events: Parameters<typeof keptRows>[0]) =>
      keptRows(events, () => true).map(({ recipientHash }) => recipientHash);
    for (const outcome of [1, 2, 3]) expect(hashes(expiring(outcome))).toEqual([addressHashOf('max@x.org')]);
    expect(hashes(expiring(0))).toEqual([]);
    expect(hashes(expiring(3, 'h1'))).toEqual(['h1']);
  });

  it('is the first opt-out, the last bounce and the last reply of each recipient and address, in any order', () => {
    fc.assert(
      fc.property(fc.array(anExpiring, { maxLength: 12 }), (events) => {
        // Only replies of Anna's may lift a bounce.
        const rows = keptRows(events, (recipientId) => recipientId === 'anna');
        const expected = ['anna', 'bert'].flatMap((recipientId) =>
          HASHES.flatMap((recipientHash) => {
            const own = events.filter(
              (event) => event.recipientId === recipientId && event.recipientHash === recipientHash,
            );
            const those = (outcome: (typeof OUTCOMES)[number]) =>
              own.filter((event) => event.outcome === EVENT_KINDS.indexOf(outcome));
            const [optOuts, bounces] = [those('unsubscribed'), those('bounced')];
            const replies = recipientId === 'anna' ? those('responded') : [];
            const isTie = recipientHash !== null && own.length > 0;
            if (!isTie && optOuts.length + bounces.length + replies.length === 0) return [];
            const times = (of: typeof own) => of.map(({ outcomeAt }) => outcomeAt.getTime());
            const first = (of: typeof own) => (of.length > 0 ? new Date(Math.min(...times(of))) : null);
            const last = (of: typeof own) => (of.length > 0 ? new Date(Math.max(...times(of))) : null);
            const lastBounce = last(bounces)?.getTime();
            return [
              {
                recipientSha: recipientShaOf(recipientId),
                recipientHash: recipientHash ?? '',
                unsubscribedAt: first(optOuts),
                bouncedAt: last(bounces),
                repliedAt: last(replies),
                complained: optOuts.some(({ isComplaint }) => isComplaint),
                bounceIsHard: bounces.some(
                  ({ outcomeAt, isHard }) => isHard && outcomeAt.getTime() === lastBounce,
                ),
              },
            ];
          }),
        );
        const inOrder = <Row extends { recipientSha: string; recipientHash: string }>(of: Row[]) =>
          of.sort((a, b) =>
            `${a.recipientSha} ${a.recipientHash}` < `${b.recipientSha} ${b.recipientHash}` ? -1 : 1,
          );
        expect(inOrder(rows)).toEqual(inOrder(expected));
      }),
      { seed: 5, numRuns: 500 },
    );
  });
});
