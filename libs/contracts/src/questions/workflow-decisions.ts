import { CHANNELS, OUTCOMES } from '../outcomes/dimensions';
import {
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
import { campaignId, contactId, CURSOR, limitOf, optIn, since, until } from './parts/arguments';
import { resultOf, TRUST } from './parts/frame';
import { BLOCK_REASONS, DATA_SOURCE, NEXT_ACTIONS, NEXT_CURSOR, sha256 } from './parts/rates';
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
  exploration: flag('true: chosen to learn, not because it was best.'),
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
    since: since('Oldest decision time to include, ISO 8601 with offset, e.g. 2026-01-31T00:00:00Z.'),
    until: until('decision'),
    // Eight fit into the 8 KB that a default answer may take.
    limit: limitOf('Decisions per page.', 50, 8),
    cursor: CURSOR,
    include_replay: optIn(
      'true adds to each decision the frozen bytes that prove it, and models; several KB more, not needed to explain one.',
    ),
  },
  required: [],
  result: resultOf({
    decision_count: count('Decisions that match the filters, over all pages.'),
    decisions: list(DECISION, 'Newest first.'),
    models: list(
      record({
        model_sha256: sha256('Hash of the body.'),
        body: text('JSON as it was frozen: posteriors, contact model, patterns and policy.'),
      }),
      'What was known of the company when the decisions of this page were made, once each; empty unless include_replay.',
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
      says: 'Decisions about one contact, newest first.',
      summary: 'Decisions about a contact',
      description:
        'The decisions about one contact, page by page. can_contact and block_reasons are as of now and overrule a frozen action.',
    },
  ],
  tool: {
    name: 'get_workflow_decisions',
    title: 'Decision history',
    description:
      "Lists decisions the service made about contacts, newest first: the action, its rationale, the arm and patterns behind it, whether it was exploration, and the outcome once known. can_contact and block_reasons are live and overrule a frozen action: never write where can_contact is false. Use this tool when explaining why a contact was or was not messaged, or how past advice turned out. Filter by contact_id or campaign_id; with neither it covers the whole tenant. For a contact's present profile and next action use get_recipient_intelligence; for who called this server, get_action_audit_log. Message text is never returned. No match gives an empty list and the alert no_workflow_decisions_available. Uses 1 call of the key's quota per page.",
  },
});
export type WorkflowDecisions = Answer<typeof WORKFLOW_DECISIONS>;
export type WorkflowDecisionsQuery = Arguments<typeof WORKFLOW_DECISIONS>;
