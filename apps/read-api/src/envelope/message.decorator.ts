import { SetMetadata } from '@nestjs/common';

export const MESSAGE = 'outcomes:message';

/** The short sentence that an answer carries as its `message`. */
export interface MessageTexts {
  readonly says: string;
  /** In its place where the data is an empty list or object: why, and what to do. */
  readonly empty?: string | undefined;
}

/** What an answer carries as its `message`; another sentence where it has no data and `empty` is given. */
export const Message = (says: string, empty?: string) =>
  SetMetadata(MESSAGE, { says, empty } satisfies MessageTexts);

/** @param json - the data as it is sent */
export function messageOf({ says, empty }: MessageTexts, json: string): string {
  return empty !== undefined && (json === '[]' || json === '{}') ? empty : says;
}
