import { list, reference, text } from '../schemas/json-schema';
import type { RecipientProfile } from './parts/recipient-profile';
import { limitOf } from './parts/arguments';
import { question, type Arguments } from './question';

export const RECIPIENT_PROFILES = question({
  name: 'RecipientProfiles',
  arguments: {
    recommendationCode: text(
      'Only profiles that carry exactly this code; only rows of an older format carry one.',
      { minLength: 1, maxLength: 64 },
    ),
    limit: limitOf(
      'Most profiles of one page. Without limit and cursor the answer is the whole list.',
      499,
      100,
    ),
    cursor: text('cursor of the link to the next page, unchanged.', { minLength: 1, maxLength: 512 }),
  },
  required: [],
  result: list(reference<RecipientProfile>('RecipientProfile'), 'Recipients who have answered.'),
  ofRun: true,
  rest: [
    {
      path: '/patterns/recommendation-profiles',
      operation: 'profiles',
      says: 'Profiles of recipients who have answered.',
      empty: 'No profiles: nobody has answered yet, or none carries the recommendationCode asked for.',
      summary: 'Recipient profiles',
      description:
        'One profile per recipient who has answered at least once, under a hash of the address; where no address was ever sent, of the recipient_id, with email_domain unknown. With limit, page by page: the Link header (rel=next) leads to the page that follows, and is missing on the last. Without, the whole list; a very long one is streamed, without an ETag.',
      mayStream: true,
      isPaged: true,
    },
  ],
  example: [],
});
export type RecipientProfilesQuery = Arguments<typeof RECIPIENT_PROFILES>;
