import { EVENT_KINDS, type EventKind } from '@outcomes/contracts';
import { recipientShaOf } from '@outcomes/persistence';
import { Arrivals } from './arrivals';

const heard = (kind: EventKind, recipientId: string, recipientHash: string | null = null) => ({
  ...{ kind: EVENT_KINDS.indexOf(kind), recipientId, recipientHash },
});
const contact = (recipientId: string, addressHash: string | null = null) => ({
  ...{ recipientId, recipientSha: recipientShaOf(recipientId), addressHash },
});

describe('what batches told of whom', () => {
  const events = [
    heard('unsubscribed', 'anna'),
    heard('unsubscribed', 'anna'),
    heard('bounced', 'bert', 'h'),
    heard('bounced', 'bert'),
    heard('responded', 'bert', 'h'),
    heard('sent', 'carl', 'h'),
    heard('no_response', 'carl', 'h'),
    heard('no_response', 'carl', 'i'),
  ];

  it('is each recipient and address once, those who opted out or bounced apart from all others', () => {
    const arrivals = new Arrivals();
    for (const event of events) arrivals.note([event], true);
    expect(arrivals.told).toEqual([contact('anna'), contact('bert', 'h'), contact('bert')]);
    expect(arrivals.others).toEqual([contact('bert', 'h'), contact('carl', 'h'), contact('carl', 'i')]);
  });

  it('is nothing of the others where nobody is listed', () => {
    const arrivals = new Arrivals();
    arrivals.note(events, false);
    expect([arrivals.told.length, arrivals.others]).toEqual([3, []]);
  });
});
