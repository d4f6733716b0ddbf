import {
  flag,
  integer,
  known,
  list,
  record,
  text,
  timestamp,
  type Schema,
  type TypeOf,
} from '../../schemas/json-schema';
import { CLAIM_END_REASONS, EVIDENCE, EVIDENCE_TIERS } from './evidence';
import { rateOf } from './rates';

const markup = 'May contain the HTML elements b, em, strong and code, and no other.';

const FINDINGS = {
  code: text('Pattern code, e.g. TA-1, DOW-2 or BWC-OBS-1.', { pattern: '^[A-Z]+(-OBS)?-[0-9]+$' }),
  title: text(`Headline. ${markup}`),
  message: text(`What was found and what to do. ${markup}`),
  type: text(
    'Catalogue record type: recommendation, retraction or undecided; absent on observation records.',
  ),
  positive: flag('true: do more of this; false: avoid it.'),
  tier: integer('Higher means stronger evidence: 3 confirmed, 2 likely, 1 directional, 0 nothing claimed.', {
    minimum: 0,
    maximum: 3,
  }),
  evidence_tier: known(EVIDENCE_TIERS, 'The tier in words; absent where nothing is claimed.'),
  metric: text('Metric or strategy summary.'),
  evidence: EVIDENCE,
  reason: known(
    CLAIM_END_REASONS,
    'Why nothing is claimed; only where nothing is. message says it in words.',
  ),
  levels: list(
    record({
      level: text('Level of the dimension, e.g. direct.'),
      rate: rateOf('Reply rate of its messages, and how many they are.'),
    }),
    'On observation records: the levels that messages have, in the order of the dimension. Not a comparison.',
  ),
  goes_with: text('The stronger code that explains this one; only for the reason goes_with.'),
  first_confirmed_at: timestamp('When the code was first confirmed.'),
  retracted_at: timestamp('When a code that was confirmed or likely no longer was either.'),
};
const OPTIONAL = [
  'title',
  'message',
  'type',
  'positive',
  'tier',
  'evidence_tier',
  'metric',
  'evidence',
  'reason',
  'levels',
  'goes_with',
  'first_confirmed_at',
  'retracted_at',
] as const;

/** The specification promises that these records may have further fields. */
const open = <Value>(schema: Schema<Value>): Schema<Value> => ({ ...schema, additionalProperties: true });

/** Element of GET /patterns: the specification's record, and additive fields with the evidence. */
export const PATTERN_RECORD = open(
  record(
    { companyId: text('Tenant id.'), ...FINDINGS, updated: timestamp('Last write.') },
    'One pattern and what the outcomes say of it.',
    [...OPTIONAL, 'updated'],
  ),
);
export type PatternRecord = TypeOf<typeof PATTERN_RECORD>;

/** The same inside an analysis record, which says companyId and updated once. */
export const PATTERN_FINDINGS = open(record(FINDINGS, undefined, OPTIONAL));
