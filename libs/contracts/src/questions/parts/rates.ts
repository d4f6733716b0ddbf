import { OUTCOMES } from '../../outcomes/dimensions';
import {
  count,
  known,
  nullable,
  number,
  record,
  share,
  text,
  type Schema,
  type TypeOf,
} from '../../schemas/json-schema';

/** A rate with its interval; nulls when it rests on nothing. */
export const rateOf = (description: string) =>
  record(
    {
      value: nullable(share('Posterior mean, 0 to 1.')),
      ci_low: nullable(share('Lower end of the 95 % interval.')),
      ci_high: nullable(share('Upper end of the 95 % interval.')),
      n: count('Outcomes it rests on.'),
    },
    `${description} Equal-tailed 95 % credible interval; nulls when n is 0.`,
  );
export type RateEstimate = TypeOf<ReturnType<typeof rateOf>>;

/**
 * A rate of one side of a comparison. Where something is claimed it is adjusted: both sides differ by the odds ratio
 * alone, and mix to the level of replies.
 */
export const adjustedRateOf = (description: string) =>
  record(
    {
      value: nullable(share('0 to 1.')),
      ci_low: nullable(share('Lower end of the 95 % interval.')),
      ci_high: nullable(share('Upper end of the 95 % interval.')),
      n: count('Settled messages of this side.'),
    },
    `${description} Of a claim adjusted: the two sides differ by the odds ratio alone, which is compared inside campaign, fortnight, step, position and channel; its interval is that of the effect. Otherwise as observed. Nulls when n is 0.`,
  );

/** A number with its 95 % interval; nulls where it is not known. */
export const intervalOf = (value: string, description?: string) =>
  record(
    {
      value: nullable(number(value)),
      ci_low: nullable(number('Lower end of the 95 % interval.')),
      ci_high: nullable(number('Upper end of the 95 % interval.')),
    },
    description,
  );

const NUMBER_SOURCES = ['own', 'segment', 'company', 'prior'] as const;
export type NumberSource = (typeof NUMBER_SOURCES)[number];
/** What a number rests on: the subject's own outcomes, its segment's, the company's, or no tenant data at all. */
export const DATA_SOURCE = known(
  NUMBER_SOURCES,
  "What the number rests on: own, segment, company, or prior (no tenant data). Own are this campaign's or contact's outcomes; see the trust-model reference.",
);

export const OUTCOME_COUNTS = record(
  {
    responded: count('Replies.'),
    no_response: count('Closed without reply.'),
    bounced: count('Bounces.'),
    unsubscribed: count('Unsubscribes.'),
  } satisfies Record<(typeof OUTCOMES)[number], Schema>,
  'Messages per outcome.',
);
export type OutcomeCounts = TypeOf<typeof OUTCOME_COUNTS>;

export const NEXT_ACTIONS = ['send', 'wait', 'switch_channel', 'stop'] as const;
export type NextAction = (typeof NEXT_ACTIONS)[number];

export const BLOCK_REASONS = ['unsubscribed', 'bounced'] as const;

export const NEXT_CURSOR = nullable(text('Pass as cursor for older entries; null on the last page.'));

export const sha256 = (description: string) => text(description, { pattern: '^[0-9a-f]{64}$' });
