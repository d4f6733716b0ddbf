import { schema, type Schema } from '@outcomes/contracts';
import { OUTCOME_EVENT_SCHEMA, type OutcomeEvent } from '@outcomes/ingestion';

const { nullable } = schema;

type FieldName = keyof Required<OutcomeEvent>;

const TIME =
  'YYYY-MM-DD, or YYYY-MM-DDTHH:MM[:SS[.fraction]] with Z or an offset up to 14:00; from 1990 to 24 hours ahead.';

/** Keys of metadata with a meaning. Any other key is stored and has none. */
const METADATA_KEYS = {
  campaign_id: 'Text or number: names the campaign of the message.',
  sequence_id: 'Text or number: names the campaign where there is no campaign_id.',
  opened:
    'Boolean. true counts the message as opened (total_opens). An open that comes later is an event of its own with fact "opened".',
  meeting_booked:
    'Boolean. true counts a meeting for the message (total_meetings). A meeting that comes later is an event of its own with fact "meeting_booked".',
  complaint:
    'Boolean. With outcome "unsubscribed": true says that the message was reported as spam; the list of suppressions gives that as the reason.',
  bounce:
    'Text. With outcome "bounced": "hard" says that it is for good, which the list of suppressions tells; "soft" that it is tried again. A soft bounce is stored as no_response up to outcome_at and suppresses nobody. Anything else is a bounce of unknown kind, and suppresses.',
  variant_id:
    'Text that is not empty, or a number; the first 100 characters are kept. Names the variant that the message got at random; such messages count as randomized evidence.',
  propensity:
    'Number from 0.000001 to 0.999999, six decimals: probability with which the message got its variant. Marks it as assigned at random, too. Any other value has no effect.',
  first_name:
    'Text; the first 100 characters are kept. First name of the recipient: a message that holds it is personalized.',
  company:
    'Text; the first 100 characters are kept. Company of the recipient: a message that holds it is personalized.',
} as const;

/** What the rules say in words; types, vocabularies and lengths come from the schema that they are checked by. */
const FIELDS: { readonly [Name in FieldName]: Readonly<Record<string, unknown>> } = {
  channel: { description: 'How the message was sent.' },
  sequence_step: { description: 'Zero-based step of the sequence.' },
  recipient_id: { description: 'Your own identifier of the prospect.', examples: ['crm-00421'] },
  sent_at: {
    description: `${TIME} When the message was sent: to the second, it says which message of a thread and step the event is about. Required, except where message_ref names the message, and with a fact other than sent: then the event joins the newest message on that channel to that recipient, in that campaign or thread and step, that was sent by then, as soon as that message is known.`,
    examples: ['2026-01-05T09:30:00+01:00'],
  },
  outcome_at: {
    description: `${TIME} When the outcome or fact happened. Not before sent_at, unless outcome_at_is is not_before. Required, except with fact sent: then it is sent_at.`,
    examples: ['2026-01-08T14:00:00Z'],
  },
  outcome: {
    description:
      'What came of the message. Required, except where fact is there: an event has one of the two. unsubscribed is an opt-out: no later event lifts it.',
  },
  fact: {
    description:
      'What else is known of the message, in an event of its own and at any later time. A message that is told by sent alone counts as unanswered once its time for replies is over, so that silence need not be reported.',
  },
  outcome_at_is: {
    description: 'Whether outcome_at is the time itself (exact, the default) or a bound of it.',
  },
  message_ref: {
    description:
      "The sending tool's id of the sent message, the same in each event about it. Stored as a hash. Stands in for sent_at.",
    examples: ['<20260105.1@mail.example>'],
  },
  event_id: {
    description:
      'Makes sending again harmless: the same event counts once. Without one it is derived from recipient, channel, thread, step, times and outcome or fact. The same id with other content is rejected (EVENT_ID_CONFLICT).',
    format: 'uuid',
  },
  recipient_email: {
    description:
      'RFC 5321 address, for reply detection: in ASCII, a domain such as müller.de as xn--mller-kva.de. Stored as a hash and a domain, never as it is.',
  },
  recipient_position: { description: 'Job title; put into a position bucket.', examples: ['VP of Sales'] },
  thread_id: { description: 'Conversation; derived from tenant, recipient and campaign where left out.' },
  tone: { description: 'Tone of the message.' },
  word_count: { description: 'Words of the body.' },
  subject: { description: 'Subject line.' },
  body_excerpt: { description: 'Beginning of the message.' },
  industry: { description: 'Industry of the recipient.' },
  body: { description: 'The message, where you choose to send it. Never returned, logged or audited.' },
  metadata: {
    description:
      'Any JSON object: at most 2,048 bytes when serialised, 8 levels deep, without the key __proto__. Numbers are read as IEEE 754 doubles, so send long ids as text. The keys below have a meaning.',
    properties: Object.fromEntries(
      Object.entries(METADATA_KEYS).map(([name, description]) => [name, { description }]),
    ),
    additionalProperties: true,
    examples: [{ campaign_id: 'spring-2026', variant_id: 'b', propensity: 0.5, first_name: 'Ann' }],
  },
};

const REQUIRED: ReadonlySet<string> = new Set(OUTCOME_EVENT_SCHEMA.required);

const present = (...names: FieldName[]): Schema => ({
  required: names,
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
});
const absent = (name: FieldName): Schema => ({ properties: { [name]: { type: 'null' } } });

/** Which of the times, and of outcome and fact, belong together. */
const KINDS: readonly Schema[] = [
  {
    title: 'An outcome',
    allOf: [absent('fact'), present('outcome', 'outcome_at')],
    anyOf: [present('sent_at'), present('message_ref')],
  },
  {
    title: 'A message that was sent',
    allOf: [absent('outcome'), { ...present('fact'), properties: { fact: { const: 'sent' } } }],
    anyOf: [present('sent_at'), present('message_ref', 'outcome_at')],
  },
  {
    title: 'Another fact of a message',
    allOf: [
      absent('outcome'),
      { ...present('fact', 'outcome_at'), not: { properties: { fact: { const: 'sent' } } } },
    ],
  },
];

/** One event as callers send it. Null in a field that need not be there means that it is absent. */
export const OUTCOME_EVENT: Schema = {
  ...OUTCOME_EVENT_SCHEMA,
  description:
    'What came of one outbound message, or another fact about it. Messages are told apart by recipient_id, channel, thread, sequence_step and sent_at to the second. null in an optional field means that it is absent.',
  properties: Object.fromEntries(
    Object.entries(OUTCOME_EVENT_SCHEMA.properties).map(([name, rules]) => {
      const described = { ...rules, ...FIELDS[name as FieldName] };
      return [name, REQUIRED.has(name) ? described : nullable(described)];
    }),
  ),
  additionalProperties: false,
  anyOf: KINDS,
};
