import { CHANNELS } from '../outcomes/dimensions';
import { flag, known, list, nullable, record, text, texts, timestamp, uuid } from '../schemas/json-schema';
import { SUPPRESSIONS_EXAMPLE } from './examples/suppressions';
import { CURSOR, limitOf } from './parts/arguments';
import { resultOf } from './parts/frame';
import { BLOCK_REASONS, sha256 } from './parts/rates';
import { question, type Answer, type Arguments } from './question';

export const SUPPRESSION_CHANGES = ['added', 'removed'] as const;
/** What blocks, and how an opt-out was told where that is known. */
export const SUPPRESSION_REASONS = [...BLOCK_REASONS, 'complaint'] as const;
export const BOUNCE_KINDS = ['hard', 'soft', 'unknown'] as const;

export const SUPPRESSIONS = question({
  name: 'Suppressions',
  arguments: {
    limit: limitOf('Entries per page.', 500, 100),
    cursor: {
      ...CURSOR,
      description:
        'next_cursor of the page before, unchanged; keep the last one and continue from it later. Leave out to read from the beginning.',
    },
  },
  required: [],
  result: resultOf({
    suppressions: list(
      record({
        suppression_id: uuid(
          'Stable id of the entry: what names it when everything else had to be forgotten.',
        ),
        change: known(
          SUPPRESSION_CHANGES,
          'added: do not write any more. removed: nothing of this entry speaks against writing any more.',
        ),
        reason: known(
          SUPPRESSION_REASONS,
          'Why; of a removed entry why it was there. complaint: an opt-out that was a report of spam, by a message whose event said so (metadata.complaint).',
        ),
        bounce: nullable(
          known(
            BOUNCE_KINDS,
            'Of the last bounce what kind: hard where its event said that it was for good (metadata.bounce), else unknown. Soft bounces suppress nobody. Null for an opt-out.',
          ),
        ),
        channel: nullable(
          known(
            CHANNELS,
            'Over which it was told of; null where that is not known. It holds for all channels.',
          ),
        ),
        since: timestamp('When it came to be: of an opt-out the first, of a bounce the last.'),
        recipient_ids: texts(
          'Who is meant, as sent at ingestion; of an address up to 20 who have it. Empty where only hashes are left.',
        ),
        recipient_id_sha256: nullable(
          sha256('SHA-256 of the recipient_id, which outlives it; null where the entry is of an address.'),
        ),
        email_hash: nullable(
          text(
            'First 16 hexadecimal characters of the SHA-256 of the address, trimmed and in lower case; null where the entry is of a recipient.',
            { pattern: '^[0-9a-f]{16}$' },
          ),
        ),
        changed_at: timestamp('When the entry was added or removed.'),
      }),
      'In the order of their changes. Each entry stands in the list once, where it changed last.',
    ),
    next_cursor: text('Where to continue, now or later: also after the last entry that there is.'),
    has_more: flag('Whether there are entries behind this page already.'),
  }),
  rest: [
    {
      path: '/suppressions',
      operation: 'suppressions',
      says: 'Who must not be written to, in the order of changes.',
      summary: 'Who must not be written to',
      description:
        'The list to keep other tools in step with: everybody who unsubscribed or whose mail bounced, and everybody who was taken off again. Match an entry by recipient_ids, recipient_id_sha256 or email_hash, whichever it has. Read from the beginning once, keep next_cursor, and come back with it: no change is ever skipped. An opt-out stands here as soon as its event is counted, seconds after it was accepted (GET /ingest/status of the ingest API); whether one contact may be written to is answered at once by /intelligence/contacts/{contactId}. 503 while the list of an upgraded installation is being made.',
    },
  ],
  example: SUPPRESSIONS_EXAMPLE,
});
export type SuppressionPage = Answer<typeof SUPPRESSIONS>;
export type SuppressionsQuery = Arguments<typeof SUPPRESSIONS>;
