import { SetMetadata } from '@nestjs/common';

export const MESSAGE = 'outcomes:message';

/** The short sentence that an answer carries as its `message`. */
export interface EnvelopeTexts {
  readonly says: string;
  /** In its place where the data is an empty list or object: why, and what to do. */
  readonly empty?: string | undefined;
}

/** What an answer carries as its `message`; another sentence where it has no data and `empty` is given. */
export const Message = (says: string, empty?: string) =>
  SetMetadata(MESSAGE, { says, empty } satisfies EnvelopeTexts);

/** @param json - the data as it is sent */
export function messageOf({ says, empty }: EnvelopeTexts, json: string): string {
  return empty !== undefined && (json === '[]' || json === '{}') ? empty : says;
}
