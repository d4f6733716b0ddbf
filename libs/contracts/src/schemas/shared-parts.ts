import { ALERT_CATALOGUE } from '../alerts/catalogue';
import type { RateEstimate } from '../read-model/documents';
import { SCHEMA_VERSION, type NextAction, type OutcomeCounts, type ResultFrame } from '../read-model/results';
import {
  choice,
  constant,
  count,
  list,
  nullable,
  record,
  share,
  text,
  timestamp,
  type Schema,
} from './json-schema';

/** A rate with its interval; nulls when it rests on nothing. */
export const rateSchema = (description: string) =>
  record<RateEstimate>(
    {
      value: nullable(share('Posterior mean, 0 to 1.')),
      ci_low: nullable(share('Lower end of the 95 % interval.')),
      ci_high: nullable(share('Upper end of the 95 % interval.')),
      n: count('Outcomes it rests on.'),
    },
    `${description} Equal-tailed 95 % credible interval; nulls when n is 0.`,
  );

/** What the number rests on. */
export const DATA_SOURCE = choice(
  ['own', 'segment', 'company', 'prior'],
  "What the number rests on: own (this campaign's or contact's outcomes), segment, company, or prior (no tenant data).",
);
export const NEXT_ACTIONS = [
  'send',
  'wait',
  'switch_channel',
  'stop',
] as const satisfies readonly NextAction[];
export const OUTCOME_COUNTS = record<OutcomeCounts>(
  {
    responded: count('Replies.'),
    no_response: count('Closed without reply.'),
    bounced: count('Bounces.'),
    unsubscribed: count('Unsubscribes.'),
  },
  'Messages per outcome.',
);
export const NEXT_CURSOR = nullable(text('Pass as cursor for older entries; null on the last page.'));

/** A result: the common fields of the interface, then its own. Every field of the document has its schema. */
export const resultSchema = <Document extends ResultFrame>(properties: {
  readonly [Name in Exclude<keyof Document, keyof ResultFrame>]: Schema;
}): Schema =>
  record({
    schema_version: constant(
      SCHEMA_VERSION,
      'Version of this result layout. Fields are only ever added within a major version.',
    ),
    tenant_id: text('Tenant the answer is about.'),
    scope: choice(['company', 'campaign', 'contact'], 'Level of the answer.'),
    summary: text('One or two sentences stating the finding and how far it can be trusted.'),
    alerts: list(
      { type: 'string', enum: Object.keys(ALERT_CATALOGUE) },
      'Codes of disclosures that limit the answer (small sample, borrowed prior, stale data ...).',
    ),
    as_of: timestamp('When this answer was produced.'),
    data_as_of: nullable(
      timestamp('Up to when outcomes are included (end of the last daily run); null before the first run.'),
    ),
    ...properties,
  });
