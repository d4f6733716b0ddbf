import { CHANNELS, DRIFT_STATES, type ResultFrame, type Trust } from '@outcomes/contracts';

/**
 * The few forms of JSON Schema that the tools are written in. Closed on input, open on output: fields are only
 * ever added to a result. No `$schema`, and what may be null is an anyOf: clients stumble over anything else.
 */
export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Properties;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}
export type Properties = Readonly<Record<string, Schema>>;

export const text = (description: string, more: Partial<Schema> = {}): Schema => ({
  type: 'string',
  description,
  ...more,
});
export const choice = (values: readonly string[], description: string, more: Partial<Schema> = {}): Schema =>
  text(description, { enum: values, ...more });
export const timestamp = (description: string): Schema => text(description, { format: 'date-time' });
export const integer = (description: string, more: Partial<Schema> = {}): Schema => ({
  type: 'integer',
  description,
  ...more,
});
export const count = (description: string): Schema => integer(description, { minimum: 0 });
export const number = (description: string, more: Partial<Schema> = {}): Schema => ({
  type: 'number',
  description,
  ...more,
});
export const share = (description: string): Schema => number(description, { minimum: 0, maximum: 1 });
export const flag = (description: string): Schema => ({ type: 'boolean', description });
export const list = (items: Schema, description: string): Schema => ({ type: 'array', description, items });
export const texts = (description: string): Schema => list({ type: 'string' }, description);

export const nullable = ({ description, ...schema }: Schema): Schema => ({
  anyOf: [schema, { type: 'null' }],
  description,
});

/** An object whose properties are all present. Given a type, every one of its fields has its schema. */
export const record = <Document = Record<string, unknown>>(
  properties: { readonly [Name in keyof Document]: Schema },
  description?: string,
): Schema => ({
  type: 'object',
  ...(description !== undefined && { description }),
  properties,
  required: Object.keys(properties),
});

export const rate = (description: string): Schema =>
  record(
    {
      value: nullable(number('Posterior mean, 0 to 1.')),
      ci_low: nullable(number('Lower end of the 95 % interval.')),
      ci_high: nullable(number('Upper end of the 95 % interval.')),
      n: count('Outcomes it rests on.'),
    },
    `${description} Equal-tailed 95 % credible interval; nulls when n is 0.`,
  );

// --- What all tools take ------------------------------------------------------------------------------------------
const identifier = (description: string, maxLength = 256): Schema =>
  text(description, { minLength: 1, maxLength });

export const TENANT_ID = identifier(
  'Tenant (company) to read. Leave it out: the server takes the tenant from your API key. Naming any other tenant fails with permission_denied and is logged there. Only a multi-tenant bootstrap credential has to set it.',
  128,
);
export const CAMPAIGN_ID = identifier(
  'Campaign, exactly as sent at ingestion in metadata.campaign_id (or metadata.sequence_id); case-sensitive.',
);
export const CONTACT_ID = identifier(
  'The recipient_id you sent at ingestion, case-sensitive (e.g. crm-00421), or an e-mail address, which is looked up by its hash and not stored.',
);
export const CURSOR = identifier(
  'next_cursor from the previous page, passed back unchanged together with the same filters. Leave out for the first page.',
  512,
);
export const CHANNEL = choice(CHANNELS, 'Only this channel. Leave out for all channels.');
export const limitOf = (what: string, maximum: number, fallback: number): Schema =>
  integer(what, { minimum: 1, maximum, default: fallback });

/** Arguments of a tool: closed, and tenant_id always among them. Every field of the query has its schema. */
export const input = <Query>(
  properties: { readonly [Name in keyof Required<Query>]: Schema },
  required: readonly (keyof Query & string)[] = [],
): Schema => ({
  type: 'object',
  properties: { ...properties, tenant_id: TENANT_ID },
  required,
  additionalProperties: false,
});

// --- What all results carry ---------------------------------------------------------------------------------------
export const DATA_SOURCE = text(
  "What the number rests on: own (this campaign's or contact's outcomes), segment, company, or prior (no tenant data). See the trust-model reference.",
);
export const OUTCOME_COUNTS = record(
  {
    responded: count('Replies.'),
    no_response: count('Closed without reply.'),
    bounced: count('Bounces.'),
    unsubscribed: count('Unsubscribes.'),
  },
  'Messages per outcome.',
);
export const NEXT_CURSOR = nullable(text('Pass as cursor for older entries; null on the last page.'));

/** Whether the numbers may be acted upon: the same words in every tool that says so. */
export const TRUST: { readonly [Name in keyof Trust]: Schema } = {
  drift_state: choice(
    DRIFT_STATES,
    'none (no change of late), rate (the reply rate changed) or insufficient_data (unknown, not stable).',
  ),
  posteriors_trustworthy: flag('Whether to act on the posteriors; the summary says why not.'),
  recommended_action: text('What to do about it now.'),
};

/** A result: the common fields of the interface, then the tool's own. Every field of the document has its schema. */
export const result = <Document extends ResultFrame>(properties: {
  readonly [Name in Exclude<keyof Document, keyof ResultFrame>]: Schema;
}): Schema =>
  record({
    schema_version: text(
      'Version of this result layout, 1.0.0. Fields are only ever added within a major version.',
    ),
    tenant_id: text('Tenant the answer is about.'),
    scope: text('Level of the answer: company, campaign or contact.'),
    summary: text('One or two sentences stating the finding and how far it can be trusted.'),
    alerts: texts(
      'Codes of disclosures that limit the answer (small sample, borrowed prior, stale data ...). Meaning and action per code: the alerts reference.',
    ),
    as_of: timestamp('When this answer was produced.'),
    data_as_of: nullable(
      timestamp(
        'Up to when outcomes are included: receipt of the newest batch that the last run read; null before the first run. See the freshness reference.',
      ),
    ),
    analysed_at: nullable(timestamp('End of the run that made the numbers; null before the first.')),
    newest_outcome_at: nullable(timestamp('Latest moment of which an outcome in the run tells.')),
    ...properties,
  });
