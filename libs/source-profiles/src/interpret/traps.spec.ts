import type { Route } from '../profile';
import { EXAMPLES, mapExample, routeOf } from '../testing';

/** A route as it stands in its file, to be changed. */
interface Draft {
  skip?: { when: object; as: string }[];
  event_id?: object;
  message: Record<string, unknown>;
  facts: {
    tells: string;
    when?: { in?: unknown; values?: string[]; present?: string };
    at?: object;
    once?: unknown;
  }[];
}

interface Trap {
  readonly tool: string;
  readonly route: string;
  readonly trap: string;
  /** The profile as somebody would write it who has not fallen into it yet. */
  readonly naively: (route: Draft) => void;
}

const text = (path: string | readonly string[]) => ({ op: 'text', path });
const fact = (route: Draft, tells: string) => {
  const found = route.facts.find((one) => one.tells === tells);
  if (!found) throw new Error(`nothing tells ${tells}`);
  return found;
};
const also = (route: Draft, tells: string, path: string, value: string) => {
  route.skip = [];
  route.facts.push({ ...fact(route, tells), when: { in: path, values: [value] } });
};
/** Without a key wherever it stands. */
const withoutKey = (value: unknown, key: string): unknown => {
  if (Array.isArray(value)) return value.map((one) => withoutKey(one, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== key)
      .map(([name, inner]) => [name, withoutKey(inner, key)]),
  );
};
const everywhereWithout = (key: string) => (route: Draft) => {
  Object.assign(route, withoutKey({ message: route.message, facts: route.facts }, key));
};

const TRAPS: readonly Trap[] = [
  {
    ...{
      tool: 'instantly',
      route: 'webhook',
      trap: 'a click is delivered under another name than it is subscribed to by',
    },
    naively: (route) => (fact(route, 'clicked').when = { in: 'event_type', values: ['email_link_clicked'] }),
  },
  {
    ...{ tool: 'instantly', route: 'webhook', trap: 'the email_id of a reply is not that of the mail' },
    naively: (route) => Object.assign(route.message, { joins: 'ref', ref: text('email_id') }),
  },
  {
    ...{ tool: 'instantly', route: 'webhook', trap: 'a label is no reply' },
    naively: (route) => also(route, 'responded', 'event_type', 'lead_interested'),
  },
  {
    ...{ tool: 'instantly', route: 'activity CSV', trap: 'a Unibox Reply is ours' },
    naively: (route) => also(route, 'responded', 'Activity', 'Unibox Reply'),
  },
  {
    ...{ tool: 'instantly', route: 'activity CSV', trap: 'steps are called "Step 1"' },
    naively: (route) => Object.assign(route.message.step as object, { prefix: undefined }),
  },
  {
    ...{ tool: 'smartlead', route: 'webhook of replies', trap: 'to_email of a reply is our own mailbox' },
    naively: (route) => (route.message.email = { op: 'email', path: 'to_email' }),
  },
  ...['sl_lead_email', 'lead_email', 'to_email'].map((path) => ({
    ...{ tool: 'smartlead', route: 'webhook', trap: `one dialect calls the person ${path}` },
    naively: ({ message }: Draft) => {
      const email = message.email as { of: { path: string }[] };
      email.of = email.of.filter((one) => one.path !== path);
    },
  })),
  {
    ...{ tool: 'smartlead', route: 'webhook', trap: 'one dialect has a time of its own name' },
    naively: (route) => (fact(route, 'sent').at = { op: 'time', path: 'event_timestamp', zone: 'UTC' }),
  },
  {
    ...{ tool: 'smartlead', route: 'webhook', trap: 'a category is no reply' },
    naively: (route) => {
      route.skip = [];
      route.facts.push({
        ...fact(route, 'unsubscribed'),
        tells: 'responded',
        when: { in: 'event_type', values: ['LEAD_CATEGORY_UPDATED'] },
      });
    },
  },
  {
    ...{ tool: 'smartlead', route: 'statistics', trap: 'a category in a row is no reply' },
    naively: (route) =>
      Object.assign(fact(route, 'responded'), { when: { present: 'lead_category' }, once: undefined }),
  },
  {
    ...{ tool: 'smartlead', route: 'statistics', trap: 'one reply stands on several rows' },
    naively: (route) => delete fact(route, 'responded').once,
  },
  ...['statistics', 'webhook of replies'].map((route) => ({
    ...{ tool: 'smartlead', route, trap: 'times without a zone are UTC' },
    naively: everywhereWithout('zone'),
  })),
  {
    ...{ tool: 'lemlist', route: 'activity', trap: 'the emailId of a reply is not that of the mail' },
    naively: (route) => Object.assign(route.message, { joins: 'ref', ref: text('emailId') }),
  },
  {
    ...{ tool: 'lemlist', route: 'activity', trap: 'mails of the composer belong to no step' },
    naively: (route) => (route.skip = route.skip?.filter(({ as }) => as !== 'no_message') ?? []),
  },
  {
    ...{ tool: 'lemlist', route: 'activity', trap: 'LinkedIn has people without an address' },
    naively: (route) => delete route.message.recipient,
  },
  {
    ...{ tool: 'outreach', route: 'webhook', trap: 'an update carries what has changed and nothing else' },
    naively: (route) => (route.skip = route.skip?.filter(({ as }) => as !== 'label') ?? []),
  },
  {
    ...{ tool: 'outreach', route: 'webhook', trap: 'there is no address' },
    naively: (route) =>
      Object.assign(route.message, { email: { op: 'email', path: 'to' }, recipient: undefined }),
  },
  {
    ...{ tool: 'outreach', route: 'webhook', trap: 'steps are known by id alone' },
    naively: (route) =>
      (route.message.step = { op: 'step', path: ['data', 'relationships', 'sequenceStep', 'id'], base: 1 }),
  },
  {
    ...{ tool: 'salesloft', route: 'email', trap: 'no event tells of a reply, the count does' },
    naively: (route) => (fact(route, 'responded').when = { in: 'status', values: ['replied'] }),
  },
  {
    ...{ tool: 'replyio', route: 'webhook', trap: 'a delivery has an id of its own' },
    naively: (route) => delete route.event_id,
  },
  {
    ...{ tool: 'replyio', route: 'webhook', trap: 'a reply may be set by hand' },
    naively: (route) => (route.skip = route.skip?.filter(({ as }) => as !== 'by_hand') ?? []),
  },
  {
    ...{ tool: 'woodpecker', route: 'webhook', trap: 'a reply without a mail is set by hand' },
    naively: (route) => (route.skip = route.skip?.filter(({ as }) => as !== 'by_hand') ?? []),
  },
  {
    ...{ tool: 'apollo', route: 'message search', trap: 'a sent mail is called completed' },
    naively: (route) =>
      (route.skip = [{ when: { not: { in: 'status', values: ['sent'] } }, as: 'not_sent' }]),
  },
  {
    ...{ tool: 'hubspot', route: 'e-mails that went out', trap: 'times may be milliseconds' },
    naively: everywhereWithout('unit'),
  },
  {
    ...{
      tool: 'hubspot',
      route: 'e-mails that came in',
      trap: 'of a mail that came in the person is who wrote it',
    },
    naively: (route) => (route.message.email = { op: 'email', path: ['properties', 'hs_email_to_email'] }),
  },
  {
    ...{
      tool: 'mailshake',
      route: 'activity lists',
      trap: 'a list of replies has answers of machines in it',
    },
    naively: (route) => (fact(route, 'responded').when = { in: 'object', values: ['reply'] }),
  },
  {
    ...{ tool: 'mailbox', route: 'mail', trap: 'an automatic answer is none' },
    naively: (route) => also(route, 'responded', 'kind', 'auto_reply'),
  },
  {
    ...{ tool: 'mailbox', route: 'mail', trap: 'a soft bounce is none' },
    naively: (route) => also(route, 'bounced', 'kind', 'soft_bounce'),
  },
];

/** What the examples of a route become under another, to the last field. */
const outcomesUnder = (route: Route, { tool, route: name }: Trap) =>
  EXAMPLES.filter((one) => one.tool === tool && one.route === name).map((example) =>
    JSON.stringify(mapExample(example, route)),
  );

describe('the traps of the tools', () => {
  it.each(TRAPS.map((trap) => [trap.tool, trap.trap, trap] as const))(
    '%s: %s; who does not know it reads something else',
    (_tool, _trap, trap) => {
      const route = routeOf(trap.tool, trap.route);
      const naive = structuredClone(route) as unknown as Draft;
      trap.naively(naive);
      const [right, wrong] = [route, naive as unknown as Route].map((one) => outcomesUnder(one, trap));
      expect(wrong).not.toEqual(right);
    },
  );
});
