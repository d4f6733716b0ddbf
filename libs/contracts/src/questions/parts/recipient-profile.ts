import {
  anything,
  count,
  integer,
  map,
  nullable,
  record,
  share,
  text,
  timestamp,
  type TypeOf,
} from '../../schemas/json-schema';

/** One recipient who has answered at least once. */
export const RECIPIENT_PROFILE = record(
  {
    companyId: text('Tenant id.'),
    recipientId: text(
      'First 16 hexadecimal characters of the SHA-256 of the e-mail address; where none was ever sent, of `recipient_id:` followed by the recipient_id.',
      {
        pattern: '^[0-9a-f]{16}$',
      },
    ),
    inferred_position: text('Position bucket; unknown when uncategorised.'),
    original_position: nullable(text('The job title as sent, where it could not be categorised.')),
    position_confidence: share('Confidence in the position.'),
    response_count: integer('Replies of this recipient.', { minimum: 1 }),
    cluster_assignment: integer('Segment of the recipient; -1 when unassigned.', { minimum: -1 }),
    pattern_preferences: map(
      map<number>({ type: 'integer', minimum: 0 }, 'Answered messages per level.'),
      'Answered messages per dimension and level.',
    ),
    response_metrics: record({ messages: count('Messages.'), responses: count('Replies.') }),
    statistical_tests: anything('Only on some rows.'),
    last_updated: timestamp('Newest outcome.'),
    email_domain: text('Domain of the address; unknown when unavailable.'),
    recommendation_code: text('Only on rows of an older format.'),
  },
  'One recipient who has answered at least once.',
  ['response_metrics', 'statistical_tests', 'recommendation_code'],
);
export type RecipientProfile = TypeOf<typeof RECIPIENT_PROFILE>;
