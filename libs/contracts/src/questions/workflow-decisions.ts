import { CHANNELS, OUTCOMES } from '../outcomes/dimensions';
import {
  choice,
  count,
  flag,
  integer,
  known,
  list,
  nullable,
  record,
  share,
  text,
  texts,
  timestamp,
  type TypeOf,
} from '../schemas/json-schema';
import { WORKFLOW_DECISIONS_EXAMPLE } from './examples/workflow-decisions';
import { campaignId, contactId, CURSOR, limitOf, listOfIds, optIn, since, until } from './parts/arguments';
import { resultOf, TRUST } from './parts/frame';
import { BLOCK_REASONS, DATA_SOURCE, NEXT_ACTIONS, NEXT_CURSOR, sha256 } from './parts/rates';
import { SIMILAR_CAMPAIGN_IDS } from './parts/similar-campaigns';
import { question, type Answer, type Arguments } from './question';

const REPLAY_PROOF = record(
  {
    run_id: text('Run that made the decision.'),
    engine_version: text('Version of the engine.'),
    seed: integer('Seed of the draw.'),
    inputs: text('JSON, byte for byte as it was frozen.'),
    inputs_sha256: sha256('Hash of the inputs.'),
    result: text('JSON, byte for byte as it was frozen.'),
    result_sha256: sha256('Hash of the result.'),
    model_sha256: sha256('Names an element of models.'),
  },
  'What proves the decision: recomputing the result from inputs and model gives the same bytes. Null unless include_replay.',
);
export type DecisionReplayProof = TypeOf<typeof REPLAY_PROOF>;

const DECISION = record({
  decision_id: text('Stable id.'),
  decided_at: timestamp('When.'),
  contact_id: text('recipient_id.'),
  campaign_id: nullable(text('Campaign, when known.')),
  thread_id: text('Conversation thread.'),
  channel: known(CHANNELS, 'Channel decided for.'),
  sequence_step: count('Zero-based step.'),
  action: known(NEXT_ACTIONS, 'What to do.'),
  rationale: text('Why, in one sentence.'),
  confidence: share(
    "How far the stated chance of a reply rests on the tenant's own outcomes; 1 for a stop, which rests on a fact.",
  ),
  exploration: flag('true: chosen to learn; by the means alone, another channel would be.'),
  position: text('Position bucket of the arm.'),
  pattern_codes: texts('Patterns applied.'),
  outcome: nullable(known(OUTCOMES, 'Null while open.')),
  outcome_at: nullable(timestamp('When the outcome came.')),
  data_source: DATA_SOURCE,
  not_before: nullable(timestamp('Earliest time that the advice allows; null for a stop.')),
  reply_probability: record(
    {
      value: nullable(share('As it was stated.')),
      ci_low: nullable(share('Lower end of the 95 % interval.')),
      ci_high: nullable(share('Upper end of the 95 % interval.')),
    },
    'Chance of a reply to the next message as it was stated; nulls for a stop.',
  ),
  propensity: share('Chance with which the same knowledge leads to this channel; 1 for a stop.'),
  tone: nullable(text('Advised tone.')),
  daypart: nullable(text('Advised time of the day.')),
  weekday: nullable(text('Advised weekday.')),
  followed: nullable(
    flag("Whether the contact's next message was the one advised; null while there is none."),
  ),
  settled: nullable(
    flag('Whether the next message has settled, so that silence is an answer; null while there is none.'),
  ),
  replay: nullable(REPLAY_PROOF),
  can_contact: nullable(
    flag(
      'Whether the contact may be written to now: live, not frozen with the decision, and overrules its action. Null where no event of the contact is left.',
    ),
  ),
  block_reasons: list(known(BLOCK_REASONS), 'Why not, as of now.'),
});
export type WorkflowDecision = TypeOf<typeof DECISION>;

const CONTACT_LINE = record({
  contact_id: text('recipient_id, or as asked for.'),
  known: flag('Whether anything of this contact is on record.'),
  can_contact: nullable(
    flag('Whether the contact may be written to now; null where it is unknown: no leave to write.'),
  ),
  block_reasons: list(known(BLOCK_REASONS), 'Why not.'),
  action: known(NEXT_ACTIONS, 'What to do, as get_recipient_intelligence says it of this contact.'),
  due: flag('true: write to it now. The time of the decision has come, and nothing speaks against it.'),
  channel: nullable(known(CHANNELS, 'Channel to use.')),
  sequence_step: nullable(count('Zero-based step to send.')),
  not_before: nullable(timestamp('Earliest sensible time.')),
  reply_probability: nullable(share('Chance of a reply as the decision states it.')),
  campaign_id: nullable(text('Campaign, when known.')),
  rationale: text('Why, in one sentence.'),
  decision_id: nullable(text('Decision that this is; null where none stands for what is known now.')),
  decided_at: nullable(timestamp('When it was made.')),
});
/** What to do about one contact now, in a line. */
export type ContactLine = TypeOf<typeof CONTACT_LINE>;

/** What contacts are listed by: `due` is whom to write to now. */
export const LISTED_ACTIONS = ['due', ...NEXT_ACTIONS] as const;
export const MAX_CONTACTS = 100;

const WAY = {
  says: 'Decisions, newest first.',
  summary: 'Decisions',
  description:
    'What the service decided about contacts and what came of it, page by page. Like get_workflow_decisions.',
};

export const WORKFLOW_DECISIONS = question({
  name: 'WorkflowDecisions',
  arguments: {
    contact_id: contactId(
      'Only decisions about this contact: the recipient_id you sent at ingestion, case-sensitive, or an e-mail address.',
    ),
    campaign_id: campaignId('Only decisions in this campaign: metadata.campaign_id as sent at ingestion.'),
    action: choice(
      LISTED_ACTIONS,
      'Lists contacts by what to do about them now: due is whom to write to today. Fills contacts instead of decisions.',
    ),
    contact_ids: listOfIds(
      'Up to 100, without contact_id: a line each in contacts, in this order, on one page.',
      MAX_CONTACTS,
    ),
    since: since('Oldest decision time to include, ISO 8601 with offset, e.g. 2026-01-31T00:00:00Z.'),
    until: until('decision'),
    // Eight fit into the 8 KB that a default answer may take.
    limit: limitOf('Rows per page; contacts, where left out, as many as fit.', 50, 8),
    cursor: CURSOR,
    include_replay: optIn(
      'true adds to each decision the frozen bytes that prove it, and models: several KB, not needed to explain one.',
    ),
  },
  required: [],
  result: resultOf({
    decision_count: count(
      'Decisions that match the filters, over all pages. Of contacts those among the next 200 decisions, up to 1,000 where too few of them hold for a page.',
    ),
    contacts: list(
      CONTACT_LINE,
      'With action or contact_ids: a line for each contact. What to do about it now; of an action those alone of whom it still holds; next_cursor leads on, also from a page that has become short.',
    ),
    similar_campaign_ids: SIMILAR_CAMPAIGN_IDS,
    decisions: list(DECISION, 'Newest first.'),
    models: list(
      record({
        model_sha256: sha256('Hash of the body.'),
        body: text('JSON as it was frozen: posteriors, contact model, patterns and policy.'),
      }),
      'What the decisions rest on; empty unless include_replay. What was known of the company when those of this page were made, once each.',
    ),
    next_cursor: NEXT_CURSOR,
    ...TRUST,
  }),
  rest: [
    { path: '/intelligence/decisions', operation: 'decisions', ...WAY },
    {
      path: '/intelligence/contacts/{contactId}/decisions',
      operation: 'contactDecisions',
      inPath: { contactId: 'contact_id' },
      without: ['contact_ids'],
      says: 'Decisions about one contact, newest first.',
      summary: 'Decisions about a contact',
      description:
        'The decisions about one contact, page by page. can_contact and block_reasons are as of now and overrule a frozen action.',
    },
  ],
  tool: {
    name: 'get_workflow_decisions',
    title: 'Whom to write to, and past decisions',
    description:
      "Says whom to write to today, and what was decided before. Use this tool when planning sends: action due lists the contacts whose time has come, each with channel, step and chance of a reply; other actions list who waits, stops or changes channel; contact_ids gives one line for each of up to 100. With neither it is the history, newest first: action, rationale, arm and patterns behind it, and the outcome once known, of one contact_id or campaign_id or all. can_contact and block_reasons are live and overrule a frozen action: never write where can_contact is not true. For one contact's profile use get_recipient_intelligence; for who called this server, get_action_audit_log. Message text is never returned. No match gives the alert no_workflow_decisions_available. Uses 1 call of the key's quota per page.",
  },
  example: WORKFLOW_DECISIONS_EXAMPLE,
});
export type WorkflowDecisions = Answer<typeof WORKFLOW_DECISIONS>;
export type WorkflowDecisionsQuery = Arguments<typeof WORKFLOW_DECISIONS>;
