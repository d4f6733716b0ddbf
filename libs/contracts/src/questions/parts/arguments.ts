import { CHANNELS } from '../../outcomes/dimensions';
import { choice, flag, integer, list, text, timestamp, type Schema } from '../../schemas/json-schema';

/** An argument that has a value where none is given. */
export type WithDefault<Value> = Schema<Value> & { readonly default: Value };

/** Campaigns are named in metadata, of which ingestion takes 2,048 bytes. */
const MAX_CAMPAIGN_CHARACTERS = 2_048;
/** Room for the longest identifier as JSON in Base64. */
const MAX_CURSOR_CHARACTERS = 4_096;

/** A text that callers chose themselves: 1 to 256 characters where nothing else is said. */
const identifier = (description: string, maxLength = 256): Schema<string> =>
  text(description, { minLength: 1, maxLength });

export const campaignId = (
  description = 'Campaign, exactly as sent at ingestion in metadata.campaign_id or metadata.sequence_id.',
) => identifier(description, MAX_CAMPAIGN_CHARACTERS);

export const contactId = (
  description = 'The recipient_id you sent at ingestion, case-sensitive (e.g. crm-00421), or an e-mail address, which is looked up by its hash and not stored.',
) => identifier(description);

export const listOfIds = (description: string, maxItems: number): Schema<readonly string[]> =>
  list<string>({ type: 'string', minLength: 1, maxLength: 256 }, description, { minItems: 1, maxItems });

export const CURSOR = identifier(
  'next_cursor of the page before, unchanged and with the same filters. Leave out for the first page.',
  MAX_CURSOR_CHARACTERS,
);

export const channel = (description = 'Only this channel. Leave out for all channels.') =>
  choice(CHANNELS, description);

export const wholeNumber = (
  description: string,
  minimum: number,
  maximum: number,
  fallback: number,
): WithDefault<number> => ({ ...integer(description, { minimum, maximum }), default: fallback });

export const limitOf = (description: string, maximum: number, fallback: number): WithDefault<number> =>
  wholeNumber(description, 1, maximum, fallback);

export const chosenFrom = <const Values extends readonly string[]>(
  values: Values,
  description: string,
  fallback: Values[number],
): WithDefault<Values[number]> => ({ ...choice(values, description), default: fallback });

export const optIn = (description: string): WithDefault<boolean> => ({
  ...flag(description),
  default: false,
});

/** Look-back of what is said about campaigns. */
export const CAMPAIGN_DAYS = wholeNumber(
  'Look-back in days, ending at newest_outcome_at; below 15 nothing has settled.',
  1,
  365,
  30,
);

export const since = (description: string) => timestamp(description);
export const until = (what: string) =>
  timestamp(`Exclusive upper bound of the ${what} time, ISO 8601 with offset. Defaults to now.`);
