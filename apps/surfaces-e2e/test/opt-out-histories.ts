import fc from 'fast-check';
import type { Asked } from './opt-out-model';

export const RECIPIENTS = ['anna', 'bert', 'carl', 'B@X.org', 'c@x.org'];
export const ADDRESSES = ['a@x.org', 'b@x.org', 'c@x.org'];
/** The address that an id is. */
export const addressIn = (id: string): string | null => (id.includes('@') ? id.toLowerCase() : null);

const KINDS = ['no_response', 'responded', 'bounced', 'unsubscribed'] as const;
/** Everybody who may be asked for. Two ids are addresses that others are written to at, one of them in capitals. */
export const ASKED: readonly Asked[] = [
  ...RECIPIENTS.map((recipient) => ({
    recipient,
    address: addressIn(recipient),
  })),
  ...ADDRESSES.map((address) => ({ recipient: address, address })),
  { recipient: 'nobody', address: null },
];

const index = (length: number) => fc.nat({ max: length - 1 });
const event = fc.record({
  type: fc.constant('event' as const),
  recipient: index(RECIPIENTS.length),
  step: index(3),
  kind: fc.constantFrom(...KINDS, 'unsubscribed' as const, 'bounced' as const, 'responded' as const),
  /** Whether an answer names the address of its message. */
  names: fc.boolean(),
  isAlone: fc.boolean(),
  /** Whether no more is known of its time than a latest one. */
  isBound: fc.constantFrom(false, false, true),
  daysAgo: index(4),
});
const change = fc.oneof(
  { weight: 8, arbitrary: event },
  { weight: 2, arbitrary: fc.constant({ type: 'process' as const }) },
  { weight: 1, arbitrary: fc.constant({ type: 'analyse' as const }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('delete' as const), nth: fc.nat({ max: 30 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('erase' as const),
      recipient: index(RECIPIENTS.length),
      keeps: fc.boolean(),
    }),
  },
);
const later = fc.oneof(
  { weight: 6, arbitrary: event },
  { weight: 2, arbitrary: fc.constant({ type: 'process' as const }) },
);
export const history = fc.record({
  /** Which address a recipient's message of a step goes to. */
  addresses: fc.array(fc.option(index(ADDRESSES.length), { nil: null, freq: 4 }), {
    minLength: 15,
    maxLength: 15,
  }),
  first: fc.array(change, { minLength: 4, maxLength: 24 }),
  /** Days of waiting before events expire: some are then older than 24 months, some are not. */
  age: fc.integer({ min: 640, max: 760 }),
  second: fc.array(later, { maxLength: 6 }),
  last: fc.array(change, { maxLength: 5 }),
});

type Of<Made> = Made extends fc.Arbitrary<infer Value> ? Value : never;
export type Change = Of<typeof change>;
export type Telling = Of<typeof event>;
