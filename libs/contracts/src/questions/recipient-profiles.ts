import { list, reference, text } from '../schemas/json-schema';
import type { RecipientProfile } from './parts/recipient-profile';
import { question, type Arguments } from './question';

export const RECIPIENT_PROFILES = question({
  name: 'RecipientProfiles',
  arguments: {
    recommendationCode: text(
      'Only profiles that carry exactly this code; only rows of an older format carry one.',
      { minLength: 1, maxLength: 64 },
    ),
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
        'One profile per recipient who has answered at least once, under a hash of the address; where no address was ever sent, of the recipient_id, with email_domain unknown. A very long list is streamed, without an ETag.',
      mayStream: true,
    },
  ],
  example: [],
});
export type RecipientProfilesQuery = Arguments<typeof RECIPIENT_PROFILES>;
