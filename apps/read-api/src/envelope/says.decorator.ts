import { SetMetadata } from '@nestjs/common';

export const SAYS = 'outcomes:says';

/** The short sentence that an answer carries as its `message`. */
export const Says = (sentence: string) => SetMetadata(SAYS, sentence);
