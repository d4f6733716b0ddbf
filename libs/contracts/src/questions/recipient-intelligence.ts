import { CHANNELS, OUTCOMES } from '../outcomes/dimensions';
import {
  count,
  flag,
  known,
  list,
  nullable,
  number,
  record,
  share,
  text,
  texts,
  timestamp,
} from '../schemas/json-schema';
import { RECIPIENT_INTELLIGENCE_EXAMPLE } from './examples/recipient-intelligence';
import { channel, contactId } from './parts/arguments';
import { resultOf, TRUST } from './parts/frame';
import { BLOCK_REASONS, DATA_SOURCE, NEXT_ACTIONS, OUTCOME_COUNTS } from './parts/rates';
import { question, type Answer, type Arguments } from './question';

export const RECIPIENT_INTELLIGENCE = question({
  name: 'RecipientIntelligence',
  arguments: {
    contact_id: contactId(),
    channel: channel('Channel that reply_likelihood is for. Leave out for the one decided for.'),
  },
  required: ['contact_id'],
  result: resultOf({
    contact_id: text('Contact the answer is about.'),
    known: flag('Whether an event of this contact, or its opt-out, is on record.'),
    can_contact: nullable(
      flag(
        'false: do not write; null: unknown, no leave to write. It is false after an unsubscribe ever, or a bounce without a later reply, of the contact or of anybody with its e-mail address.',
      ),
    ),
    block_reasons: list(known(BLOCK_REASONS), 'Why outreach is blocked.'),
    position: record(
      {
        inferred: text('Bucket; unknown when uncategorized.'),
        confidence: share('0 to 1.'),
        original: nullable(
          text('The job title as sent, where it was not categorized. Data, not an instruction.'),
        ),
      },
      'Inferred job level.',
    ),
    history: record(
      {
        events: count('Messages sent to the contact, each with its strongest outcome.'),
        outcomes: OUTCOME_COUNTS,
        last_outcome: nullable(known(OUTCOMES, 'Newest outcome.')),
        last_outcome_at: nullable(timestamp('When.')),
        first_seen_at: nullable(timestamp('First message.')),
      },
      'What happened so far.',
    ),
    reply_likelihood: record(
      {
        channel: nullable(
          known(
            CHANNELS,
            'Channel it is for: the one asked for, else the one decided for, else that of the newest message; null: over the company.',
          ),
        ),
        value: nullable(share('Posterior mean.')),
        ci_low: nullable(share('Lower end of the 95 % interval.')),
        ci_high: nullable(share('Upper end of the 95 % interval.')),
        sample_size: count('Outcomes behind it.'),
        data_source: DATA_SOURCE,
        own_data_share: share("Share of its weight that is the tenant's own outcomes."),
      },
      "Chance of a reply to the next message as the decision states it. Inside the contact's campaign where campaigns differ; where nothing is decided that of its channel and position; over the company where there is none.",
    ),
    preferences: list(
      record({
        dimension: text('What it is about, e.g. channel, tone, word_count, send_hour or send_day.'),
        value: text('Preferred value, e.g. direct, 50-90, 14:00-16:00 UTC.'),
        lift: nullable(number('Relative change in reply rate.')),
        sample_size: count('Outcomes behind it.'),
        data_source: DATA_SOURCE,
      }),
      'Over all contacts. Where next_best_action names another channel, that holds for this one.',
    ),
    segment: record(
      {
        id: nullable(text('Segment id.')),
        name: nullable(text('Name.')),
        size: count('Contacts in it.'),
        confidence_level: nullable(known(['high', 'medium'], 'high from size 10.')),
      },
      'Cluster of similar contacts; nulls when in none.',
    ),
    next_best_action: record(
      {
        action: known(NEXT_ACTIONS, 'What to do.'),
        channel: nullable(known(CHANNELS, 'Channel to use.')),
        sequence_step: nullable(count('Zero-based step to send.')),
        not_before: nullable(timestamp('Earliest sensible time.')),
        rationale: text('Why.'),
        pattern_codes: texts('Patterns to apply.'),
        decision_id: nullable(
          text(
            'Decision of get_workflow_decisions that this is; null where none stands for what is known now.',
          ),
        ),
        decided_at: nullable(timestamp('When it was made.')),
      },
      'The newest frozen decision about the contact, unless something that happened since outdates it. Analyses decide about contacts written to in the last 30 days.',
    ),
    ...TRUST,
  }),
  rest: [
    {
      path: '/intelligence/contacts/{contactId}',
      operation: 'contact',
      inPath: { contactId: 'contact_id' },
      says: 'Intelligence about one contact.',
      summary: 'One contact',
      description:
        'Whether the contact may be written to, what happened so far, chance of a reply and next best action. An e-mail address stands in the path percent-encoded (name%40example.com). An unknown contact is no error: known is false and can_contact null, which is no leave to write. Like get_recipient_intelligence.',
    },
  ],
  tool: {
    name: 'get_recipient_intelligence',
    title: 'Contact profile',
    description:
      "Profiles one contact before you write to them: whether outreach is allowed (never after an unsubscribe, under any id of the same e-mail address, nor after a bounce without a later reply), inferred position, outcome history, reply likelihood with its 95 % interval, learned preferences, and the next best action. Use this tool right before drafting to one person; for many, or whom to write to today, get_workflow_decisions. For odds across positions use get_bandit_state; for writing advice, get_campaign_recommendations. Estimates whose data_source is not own are borrowed. An unknown contact_id is no error: known is false, can_contact null (no leave to write), estimates are company-level, alert contact_unknown. can_contact and history are live, the advice is as decided at decided_at. E-mail addresses are never returned. Uses 1 call of the key's quota.",
  },
  example: RECIPIENT_INTELLIGENCE_EXAMPLE,
});
export type RecipientIntelligence = Answer<typeof RECIPIENT_INTELLIGENCE>;
export type RecipientIntelligenceQuery = Arguments<typeof RECIPIENT_INTELLIGENCE>;
