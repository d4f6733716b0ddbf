import { SetMetadata } from '@nestjs/common';

export const MESSAGE = 'outcomes:message';

/** What an envelope says around the data of a route. */
export interface EnvelopeTexts {
  /** The short sentence that an answer carries as its `message`. */
  readonly says: string;
  /** In its place where the data is an empty list or object: why, and what to do. */
  readonly empty?: string | undefined;
  /** It is another answer each time: it has no ETag, and none is ever "not modified". */
  readonly everNew?: boolean | undefined;
}

/** What an answer carries as its `message`; another sentence where it has no data and `empty` is given. */
export const Message = ({ says, empty, everNew }: EnvelopeTexts) =>
  SetMetadata(MESSAGE, { says, empty, everNew } satisfies EnvelopeTexts);

/** @param json - the data as it is sent */
export function messageOf({ says, empty }: EnvelopeTexts, json: string): string {
  return empty !== undefined && (json === '[]' || json === '{}') ? empty : says;
}
