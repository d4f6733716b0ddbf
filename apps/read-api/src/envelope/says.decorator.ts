import { SetMetadata } from '@nestjs/common';

export const SAYS = 'outcomes:says';

/** The short sentence that an answer carries as its `message`. */
export interface Saying {
  readonly says: string;
  /** In its place where the data is an empty list or object: why, and what to do. */
  readonly empty?: string | undefined;
}

/** What an answer carries as its `message`; another sentence where it has no data and `empty` is given. */
export const Says = (says: string, empty?: string) => SetMetadata(SAYS, { says, empty } satisfies Saying);

/** @param json - the data as it is sent */
export function messageOf({ says, empty }: Saying, json: string): string {
  return empty !== undefined && (json === '[]' || json === '{}') ? empty : says;
}
