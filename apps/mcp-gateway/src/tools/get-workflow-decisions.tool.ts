import type { WorkflowDecision, WorkflowDecisions, WorkflowDecisionsQuery } from '@outcomes/contracts';
import {
  CAMPAIGN_ID,
  CONTACT_ID,
  count,
  CURSOR,
  DATA_SOURCE,
  flag,
  input,
  limitOf,
  list,
  NEXT_CURSOR,
  nullable,
  record,
  result,
  share,
  text,
  texts,
  timestamp,
  TRUST,
} from '../json-schema';
import { defineTool } from './definition';

export const getWorkflowDecisions = defineTool<WorkflowDecisionsQuery>(
  {
    name: 'get_workflow_decisions',
    title: 'Decision history',
    description:
      "Lists decisions the service made about contacts, newest first: the action, its rationale, the arm and patterns behind it, whether it was exploration, and the outcome once known. can_contact and block_reasons are live and overrule a frozen action: never write where can_contact is false. Use this tool when explaining why a contact was or was not messaged, or how past advice turned out. Filter by contact_id or campaign_id; with neither it covers the whole tenant. For a contact's present profile and next action use get_recipient_intelligence; for who called this server, get_action_audit_log. Message text is never returned. No match gives an empty list and the alert no_workflow_decisions_available. Uses 1 call of the key's quota per page.",
    inputSchema: input<WorkflowDecisionsQuery>({
      contact_id: {
        ...CONTACT_ID,
        description:
          'Only decisions about this contact: the recipient_id you sent at ingestion, case-sensitive, or an e-mail address.',
      },
      campaign_id: {
        ...CAMPAIGN_ID,
        description: 'Only decisions in this campaign: metadata.campaign_id as sent at ingestion.',
      },
      since: timestamp('Oldest decision time to include, ISO 8601 with offset, e.g. 2026-01-31T00:00:00Z.'),
      until: timestamp('Exclusive upper bound of the decision time, ISO 8601 with offset. Defaults to now.'),
      limit: limitOf('Decisions per page.', 50, 8),
      cursor: CURSOR,
      include_replay: {
        ...flag(
          'true adds to each decision the frozen bytes that prove it, and models; several KB more, not needed to explain one.',
        ),
        default: false,
      },
    }),
    outputSchema: result<WorkflowDecisions>({
      decision_count: count('Decisions that match the filters, over all pages.'),
      decisions: list(
        record<WorkflowDecision>({
          decision_id: text('Stable id.'),
          decided_at: timestamp('When.'),
          contact_id: text('recipient_id.'),
          campaign_id: nullable(text('Campaign, when known.')),
          thread_id: text('Conversation thread.'),
          channel: text('Channel decided for.'),
          sequence_step: count('Zero-based step.'),
          action: text('send, wait, switch_channel or stop.'),
          rationale: text('Why, in one sentence.'),
          confidence: share("How far the chance rests on the tenant's own outcomes; 1 for a stop."),
          exploration: flag('true: chosen to learn, not because it was best.'),
          position: text('Position bucket of the arm.'),
          pattern_codes: texts('Patterns applied.'),
          outcome: nullable(text('responded, no_response, bounced, unsubscribed; null while open.')),
          outcome_at: nullable(timestamp('When the outcome came.')),
          settled: nullable(
            flag(
              'Whether the next message has settled: only then is silence an answer; null while there is none.',
            ),
          ),
          data_source: DATA_SOURCE,
          not_before: nullable(timestamp('Earliest time that the advice allows; null for a stop.')),
          reply_probability: record<WorkflowDecision['reply_probability']>(
            {
              value: nullable(share('As stated when it was decided.')),
              ci_low: nullable(share('Lower end of the 95 % interval.')),
              ci_high: nullable(share('Upper end of the 95 % interval.')),
            },
            'Chance of a reply to the next message; nulls for a stop.',
          ),
          propensity: share('Chance with which the same knowledge leads to this channel; 1 for a stop.'),
          tone: nullable(text('Tone that a supported pattern speaks for.')),
          daypart: nullable(text('Time of day that a supported pattern speaks for.')),
          weekday: nullable(text('Day that a supported pattern speaks for.')),
          followed: nullable(flag("Whether the contact's next message was the one advised; null before it.")),
          replay: nullable(
            record<NonNullable<WorkflowDecision['replay']>>(
              {
                run_id: text('Run that decided.'),
                engine_version: text('Version of the computation.'),
                seed: count('Seed of the draws.'),
                inputs: text('JSON, byte for byte as it was frozen.'),
                inputs_sha256: text('SHA-256 of inputs.'),
                result: text(
                  'JSON as it was frozen; recomputing it from inputs and model gives the same bytes.',
                ),
                result_sha256: text('SHA-256 of result.'),
                model_sha256: text('Names an element of models.'),
              },
              'What proves the decision; null unless include_replay.',
            ),
          ),
          can_contact: nullable(
            flag(
              'Live, overrules action: false after an opt-out; null where no event of the contact is left.',
            ),
          ),
          block_reasons: texts('Why not, as of now: unsubscribed, bounced.'),
        }),
        'Newest first.',
      ),
      models: list(
        record<WorkflowDecisions['models'][number]>({
          model_sha256: text('SHA-256 of body.'),
          body: text('JSON as it was frozen: posteriors, contact model, patterns and policy.'),
        }),
        'What was known of the company when the decisions of this page were made, once each; empty unless include_replay.',
      ),
      next_cursor: NEXT_CURSOR,
      ...TRUST,
    }),
  },
  (intelligence, scope, query) => intelligence.workflowDecisions(scope, query),
);
