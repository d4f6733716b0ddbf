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
} from '../json-schema';
import { defineTool } from './definition';

export const getWorkflowDecisions = defineTool<WorkflowDecisionsQuery>(
  {
    name: 'get_workflow_decisions',
    title: 'Decision history',
    description:
      "Lists decisions the service made about contacts, newest first: the action, its rationale, the arm and patterns behind it, whether it was exploration, and the outcome once known. Use this tool when explaining why a contact was or was not messaged, or how past advice turned out. Filter by contact_id or campaign_id; with neither it covers the whole tenant. For a contact's present profile and next action use get_recipient_intelligence; for who called this server, get_action_audit_log. Message text is never returned. No match gives an empty list and the alert no_workflow_decisions_available. Uses 1 call of the key's quota per page.",
    inputSchema: input<WorkflowDecisionsQuery>({
      contact_id: {
        ...CONTACT_ID,
        description:
          'Only decisions about this contact: the recipient_id you sent at ingestion, case-sensitive.',
      },
      campaign_id: {
        ...CAMPAIGN_ID,
        description: 'Only decisions in this campaign: metadata.campaign_id as sent at ingestion.',
      },
      since: timestamp('Oldest decision time to include, ISO 8601 with offset, e.g. 2026-01-31T00:00:00Z.'),
      until: timestamp('Exclusive upper bound of the decision time, ISO 8601 with offset. Defaults to now.'),
      limit: limitOf('Decisions per page.', 50, 20),
      cursor: CURSOR,
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
          confidence: share('0 to 1.'),
          exploration: flag('true: chosen to learn, not because it was best.'),
          position: text('Position bucket of the arm.'),
          pattern_codes: texts('Patterns applied.'),
          outcome: nullable(text('responded, no_response, bounced, unsubscribed; null while open.')),
          outcome_at: nullable(timestamp('When the outcome came.')),
          data_source: DATA_SOURCE,
        }),
        'Newest first.',
      ),
      next_cursor: NEXT_CURSOR,
    }),
  },
  (intelligence, scope, query) => intelligence.workflowDecisions(scope, query),
);
