import {
  CLAIM_END_REASONS,
  EVIDENCE_TIERS,
  type PatternEvidence,
  type VariantRecord,
} from '../read-model/documents';
import type { EvidenceRecord, UndecidedCodes } from '../read-model/recommendation-results';
import {
  choice,
  count,
  day,
  list,
  nullable,
  number,
  record,
  share,
  text,
  texts,
  type Schema,
} from './json-schema';
import { rateSchema } from './shared-parts';

const BASIS = choice(
  ['randomized', 'observational'],
  'Whether copy was drawn by lot. If not, copy chosen by what was known of the recipient, such as a lead score, stays in the effect.',
);

/** What the odds ratio of a finding rests on. */
const RESTS_ON: { readonly [Name in keyof EvidenceRecord]: Schema } = {
  e_value: number('Evidence that the effect is not chance; it may be looked at every day.', { minimum: 0 }),
  odds_ratio: number('Compared inside campaign, fortnight, step, position and channel.', { minimum: 0 }),
  odds_ratio_low: number('Lower end of its 95 % interval, valid however often one looks.', { minimum: 0 }),
  odds_ratio_high: number('Upper end of its 95 % interval.', { minimum: 0 }),
  n_campaigns: count('Campaigns inside which messages with it and without it are compared.'),
  n_texts_with: number('Texts with it, effective number; days for weekdays and times of day.', {
    minimum: 0,
  }),
  n_texts_without: number('The same without it.', { minimum: 0 }),
  compared_share: share('Share of the messages that are compared with any of the other side.'),
  counted_since: nullable(text('First send day that counts, YYYY-MM-DD.')),
  sends_to_decide: nullable(
    count('Further messages like those so far until it is confirmed; null: more of them would not do.'),
  ),
  basis: BASIS,
};

export const EVIDENCE_RECORD_SCHEMA = record<EvidenceRecord>(
  RESTS_ON,
  'What the effect rests on: settled messages since counted_since.',
);

/** All of it, with the effect. */
export const EVIDENCE_SCHEMA = record<PatternEvidence>(
  {
    ...RESTS_ON,
    probability_positive: share('Probability that the pattern helps.'),
    lift: number('Relative change of the reply rate that odds_ratio means, 0.25 = a quarter more replies.'),
    lift_low: number('Lower end of its 95 % interval, valid however often one looks.'),
    lift_high: number('Upper end of its 95 % interval.'),
    confounding_e_value: number('How strong a hidden cause would have to be to explain the effect away.', {
      minimum: 1,
    }),
    trial_sends: nullable(
      count(
        'Messages of a trial that would confirm 50 % more replies: half of them with it, by lot inside one campaign.',
      ),
    ),
    with_rate: rateSchema('Reply rate with the pattern.'),
    without_rate: rateSchema('Reply rate without it.'),
    level_since: day(
      'Only where replies changed after counted_since: the two rates are at the level of replies since this day. Otherwise they are as observed.',
    ),
  },
  'What the finding rests on: settled messages since counted_since.',
  ['level_since'],
);

const VARIANT: { readonly [Name in keyof Omit<VariantRecord, 'campaign_id'>]: Schema } = {
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
  evidence_tier: nullable(choice(EVIDENCE_TIERS, 'null: nothing is claimed yet.')),
  basis: BASIS,
};

/** Variants inside the campaign that an answer is about. */
export const CAMPAIGN_VARIANTS = list(
  record<Omit<VariantRecord, 'campaign_id'>>(VARIANT),
  'Variants of the campaign against each other, over its whole life and all channels: claims about these texts and no others. At most 20, those with most messages; fewer where the answer would become large.',
);

/** Variants of which something is claimed, in any campaign. */
export const VARIANT_CLAIMS = list(
  record<VariantRecord>({
    campaign_id: nullable(text('Campaign that sent it; null for messages that name none.')),
    ...VARIANT,
  }),
  'Variants of which something is claimed, strongest first, at most limit, three by default: claims about these texts and no others.',
);

/** Codes that nothing is claimed of yet, by the reason. */
export const UNDECIDED = list(
  record<UndecidedCodes>({
    reason: choice(CLAIM_END_REASONS, 'Why it cannot be told yet.'),
    message: text('The reason in words, and what to send to find out.'),
    codes: texts('Pattern codes.'),
  }),
  'Patterns with data of which nothing is claimed yet, by reason.',
);
