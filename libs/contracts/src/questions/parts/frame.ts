import type { AlertCode } from '../../alerts/catalogue';
import {
  constant,
  flag,
  known,
  list,
  nullable,
  record,
  reference,
  text,
  timestamp,
  type ObjectOf,
  type Properties,
} from '../../schemas/json-schema';

/** Version of the results of the intelligence group and of the MCP tools. */
export const SCHEMA_VERSION = '1.0.0';

/** When the last run is of. */
const RUN_TIMES = {
  data_as_of: nullable(
    timestamp(
      'Outcomes received up to then are in all numbers: receipt of the newest batch that the last run read, or that arms were refreshed with; null before the first run. Counts may have newer outcomes too: see the freshness reference.',
    ),
  ),
  analysed_at: nullable(timestamp('End of the last run; null before the first.')),
  newest_outcome_at: nullable(
    timestamp('Latest moment of which an outcome in the last run tells; null where there is none.'),
  ),
};

const ALERTS = list(
  reference<AlertCode>('AlertCode'),
  'Codes of disclosures that limit the answer (small sample, borrowed prior, stale data ...). Meaning and action per code: the alerts reference.',
);

/** What every result begins with. */
const FRAME = {
  schema_version: constant(
    SCHEMA_VERSION,
    'Version of this result layout. Fields are only ever added within a major version.',
  ),
  tenant_id: text('Tenant the answer is about.'),
  scope: known(['company', 'campaign', 'contact'], 'Level of the answer.'),
  /** Numbers and fixed words only: never text that came from a tenant. */
  summary: text('One or two sentences stating the finding and how far it can be trusted.'),
  alerts: ALERTS,
  as_of: timestamp('When this answer was produced.'),
  ...RUN_TIMES,
};
export type ResultFrame = ObjectOf<typeof FRAME>;

/** A result: the common fields of the interface, then its own. */
export const resultOf = <const Of extends Properties>(properties: Of) => record({ ...FRAME, ...properties });

/** State of a reply rate: whether it could be looked at, and whether it has changed of late. */
export const DRIFT_STATES = ['none', 'rate', 'insufficient_data'] as const;

/** Whether the numbers may be acted upon: the same fields, and the same words, in every answer that has them. */
export const TRUST = {
  drift_state: known(
    DRIFT_STATES,
    'State of the reply rate: none (no change of late), rate (it changed) or insufficient_data (too little has settled to look: unknown, not stable).',
  ),
  posteriors_trustworthy: flag(
    'Whether the posteriors may be acted upon: a look for a change was possible, at least 20 replies have settled since the last one, and the newest outcome is at most 30 days old. The summary says why not.',
  ),
  recommended_action: text('What to do about it now; "None." where there is nothing to do.'),
};
export type Trust = ObjectOf<typeof TRUST>;

/** What stands beside a document of a run in its envelope. */
export const ENVELOPE_FRAME = {
  ...RUN_TIMES,
  ...TRUST,
  summary: text('Whether the numbers may be acted upon, and why not.'),
  alerts: ALERTS,
};
/** What an answer with a document of a run says of the run, beside the document. */
export type EnvelopeFrame = ObjectOf<typeof ENVELOPE_FRAME>;

/** What many answers have alike; the references of the MCP server say what it means. */
export const COMMON_FIELDS: ReadonlySet<string> = new Set(Object.keys({ ...FRAME, ...TRUST }));
