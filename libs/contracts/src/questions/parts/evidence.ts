import {
  count,
  day,
  known,
  list,
  nullable,
  number,
  record,
  share,
  text,
  texts,
  type TypeOf,
} from '../../schemas/json-schema';
import { adjustedRateOf } from './rates';

export const EVIDENCE_TIERS = ['confirmed', 'likely', 'directional'] as const;
export type EvidenceTier = (typeof EVIDENCE_TIERS)[number];

/** Why nothing is claimed of a code whose messages are known. */
export const NO_CLAIM_REASONS = [
  'no_data',
  'varies_between_campaigns',
  'few_texts',
  'goes_with',
  'changed',
  'survivors',
  'undecided',
] as const;
export type NoClaimReason = (typeof NO_CLAIM_REASONS)[number];

/** Why a code's claim ended: as above, or messages that it rested on were erased. */
export const CLAIM_END_REASONS = [...NO_CLAIM_REASONS, 'erased'] as const;
export type ClaimEndReason = (typeof CLAIM_END_REASONS)[number];

/** How messages came to be what they are: drawn by lot, or chosen, perhaps by what was known of the recipient. */
const EVIDENCE_BASES = ['randomized', 'observational'] as const;
export type EvidenceBasis = (typeof EVIDENCE_BASES)[number];
const BASIS = known(
  EVIDENCE_BASES,
  'Whether copy was drawn by lot. If not, copy chosen by what was known of the recipient, such as a lead score, stays in the effect.',
);

/** What the odds ratio of a finding rests on. */
const RESTS_ON = {
  e_value: number('Evidence that the effect is not chance; it may be looked at every day.', { minimum: 0 }),
  odds_ratio: number('Compared inside campaign, fortnight, step, position and channel.', { minimum: 0 }),
  odds_ratio_low: number('Lower end of its 95 % interval, valid however often one looks.', { minimum: 0 }),
  odds_ratio_high: number('Upper end of its 95 % interval.', { minimum: 0 }),
  odds_ratio_expected: number(
    'The odds ratio to plan with: nearer to 1 than odds_ratio, the more so the thinner the evidence, because the largest of many estimates are the luckiest.',
    { minimum: 0 },
  ),
  n_campaigns: count('Campaigns inside which messages with it and without it are compared.'),
  n_campaigns_with: count('Campaigns that send messages with it.'),
  n_campaigns_without: count('Campaigns that send messages without it.'),
  n_texts_with: number(
    'Texts with it, effective number: rare ones count less than others, and very many are counted in bundles, so that as many were sent or more; days for weekdays and times of day, the same weekday twice in a fortnight as one.',
    {
      minimum: 0,
    },
  ),
  n_texts_without: number('The same without it.', { minimum: 0 }),
  compared_share: share('Share of the messages that are compared with any of the other side.'),
  counted_since: nullable(text('First send day that counts, YYYY-MM-DD.')),
  sends_to_decide: nullable(
    count('Further messages like those so far until it is confirmed; null: more of them would not do.'),
  ),
  basis: BASIS,
  confounding_e_value: number(
    'Sensitivity: how strong a hidden cause would have to be, as a risk ratio, to explain the effect away.',
    { minimum: 1 },
  ),
  confounding_e_value_limit: number(
    'The same for the end of the interval nearer to no effect; 1 where the interval holds it.',
    { minimum: 1 },
  ),
};

export const EVIDENCE_RECORD = record(
  RESTS_ON,
  'What the effect rests on: settled messages since counted_since.',
);
export type EvidenceRecord = TypeOf<typeof EVIDENCE_RECORD>;

/** All of it, with the effect. */
export const EVIDENCE = record(
  {
    ...RESTS_ON,
    probability_positive: share('Probability that the pattern helps.'),
    lift: number('Relative change of the reply rate that odds_ratio means, 0.25 = a quarter more replies.'),
    lift_low: number('Lower end of its 95 % interval, valid however often one looks.'),
    lift_high: number('Upper end of its 95 % interval.'),
    trial_sends: nullable(
      count(
        'Messages of a trial that would confirm 50 % more replies: half of them with it, by lot inside one campaign.',
      ),
    ),
    with_rate: adjustedRateOf('Reply rate with the pattern.'),
    without_rate: adjustedRateOf('Reply rate without it.'),
    level_since: day(
      'Only where replies changed after counted_since: the two rates are at the level of replies since this day. Otherwise they are at the level since counted_since.',
    ),
  },
  'What the finding rests on: settled messages since counted_since.',
  ['level_since'],
);
export type PatternEvidence = TypeOf<typeof EVIDENCE>;

const VARIANT = {
  variant_id: text('Variant, as sent at ingestion.'),
  n: count('Settled messages.'),
  y: count('Replies to them.'),
  rate: nullable(share('Replies over messages.')),
  odds_ratio: number(
    'Against the other variants of the campaign, inside fortnight, step, position, channel.',
    {
      minimum: 0,
    },
  ),
  odds_ratio_low: number('Lower end of its 95 % interval, valid however often one looks.', { minimum: 0 }),
  odds_ratio_high: number('Upper end of its 95 % interval.', { minimum: 0 }),
  probability_positive: share('Probability that it gets more replies than the others.'),
  e_value: number('Evidence that the difference is not chance; it may be looked at every day.', {
    minimum: 0,
  }),
  evidence_tier: nullable(known(EVIDENCE_TIERS, 'null: nothing is claimed yet.')),
  basis: BASIS,
};

/** Variants inside the campaign that an answer is about. */
export const CAMPAIGN_VARIANTS = list(
  record(VARIANT),
  'Variants of the campaign against each other. Over its whole life and all channels, whatever window_days and channel were asked for; claims about these texts and no others. At most 20, those with most messages; fewer where the answer would become large.',
);

const VARIANT_RECORD = record({
  campaign_id: nullable(text('Campaign that sent it; null for messages that name none.')),
  ...VARIANT,
});
/** A variant of a campaign against the campaign's other variants: a claim about these texts and no others. */
export type VariantRecord = TypeOf<typeof VARIANT_RECORD>;

/** Variants of which something is claimed, in any campaign. */
export const VARIANT_CLAIMS = list(
  VARIANT_RECORD,
  'Variants of which something is claimed, strongest first. At most limit, three by default; claims about these texts and no others.',
);

const UNDECIDED_CODES = record({
  reason: known(CLAIM_END_REASONS, 'Why it cannot be told yet.'),
  message: text('The reason in words, and what to send to find out.'),
  codes: texts('Pattern codes.'),
});
export type UndecidedCodes = TypeOf<typeof UNDECIDED_CODES>;

/** Codes that nothing is claimed of yet, by the reason. */
export const UNDECIDED = list(
  UNDECIDED_CODES,
  'Patterns with data of which nothing is claimed yet, by reason.',
);
