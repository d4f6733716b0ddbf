import { EVENT_KINDS, type EventKind } from '@outcomes/contracts';
import { contactOf, recipientShaOf } from '@outcomes/persistence';
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

  it.each([
    ['a name', contact('carl'), ['h', 'i']],
    ['the hash of a name that was erased', { ...contact('carl'), recipientId: null }, ['h', 'i']],
    ['an address', { recipientId: null, recipientSha: null, addressHash: 'i' }, ['i']],
    ['a name that nobody mentions', contact('anna'), []],
    ['nobody', { recipientId: null, recipientSha: null, addressHash: null }, []],
  ])('finds the others by %s', (_, listed, expected) => {
    const arrivals = new Arrivals();
    arrivals.note(events, true);
    expect(arrivals.othersAmong([listed])).toEqual(expected.map((hash) => contact('carl', hash)));
  });

  it('knows a recipient by the address that its name is', () => {
    const arrivals = new Arrivals();
    arrivals.note([heard('sent', ' Anna@X.org')], true);
    const { addressHash } = contactOf('anna@x.org');
    const found = arrivals.othersAmong([{ recipientId: null, recipientSha: null, addressHash }]);
    expect(found).toEqual([contactOf(' Anna@X.org')]);
    expect(found).toEqual(arrivals.others);
  });

  it('is nothing of the others where nobody is listed', () => {
    const arrivals = new Arrivals();
    arrivals.note(events, false);
    expect([arrivals.told.length, arrivals.others]).toEqual([3, []]);
  });
});
