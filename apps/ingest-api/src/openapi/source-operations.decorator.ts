import { applyDecorators } from '@nestjs/common';
import { ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { schema, type Schema } from '@outcomes/contracts';
import type { ReplayedDeliveries, SourceOverview } from '@outcomes/ingestion';
import { Fails, Succeeds } from '@outcomes/openapi';
import { EVERY_REQUEST_FAILS } from './operations.decorator';

const { count, known, list, nullable, recordOf, text, texts, timestamp, uuid } = schema;

const SOURCE = 'src_5lYbFq2Xo7nTzVwK0aGhJd';

export const SOURCE_SCHEMAS = {
  Sources: recordOf<{ readonly sources: readonly SourceOverview[] }>({
    sources: list(
      recordOf<SourceOverview>({
        source: text('Id of the source, as in the address that the tool delivers to.'),
        tool: text('Which tool it is.'),
        state: known(['active', 'revoked'], 'Whether deliveries are taken.'),
        created_at: timestamp('When it was made.'),
        last_delivery_at: nullable(
          timestamp('When something authentic came last; null before the first. Up to a second late.'),
        ),
        observed_until: nullable(
          timestamp('Up to when everything is taken to be here: 15 minutes before the last delivery.'),
        ),
        types: list(
          recordOf<SourceOverview['types'][number]>({
            type: text('As the tool names it; "other" beyond fifty, "unnamed" where nothing names it.'),
            records: count('How many came.'),
            last_at: timestamp('When the last one came.'),
          }),
          'What came, the most frequent first.',
        ),
        held: list(
          recordOf<SourceOverview['held'][number]>({
            reason: text('Why it could not be made an event yet, such as UNKNOWN_STEP_ID or unknown_type.'),
            records: count('How many are held.'),
          }),
          'What is kept for 30 days until it can be read.',
        ),
        waiting: count(
          'Facts that are stored and wait for their message, such as replies to a mail that nobody has told to be sent; counted up to 100,000. Opt-outs and bounces hold without one and are left out.',
        ),
        no_sent_events: nullable(
          recordOf<NonNullable<SourceOverview['no_sent_events']>>(
            {
              since: timestamp('When the source was made: nothing of what was sent has come since.'),
              types: texts(
                'What has to be switched on in the tool, as the tool names it; one of them will do.',
              ),
              message: text('What it means and what to do.'),
            },
            'Told where a source delivers what became of mails, and never that one was sent; null where there is nothing to say.',
          ),
        ),
      }),
      'The oldest first.',
    ),
  }),
  ReplayedDeliveries: recordOf<ReplayedDeliveries>({
    looked_at: count('Held records that were read again.'),
    released: count('Those that could be read, and are held no more.'),
    accepted: count('Events that are stored now, those that were there before included.'),
    duplicates: count('Those that were there before.'),
    next: nullable(uuid('Pass as after to go on; null after the last.')),
  }),
} as const satisfies Readonly<Record<string, Schema>>;

const OVERVIEW: SourceOverview = {
  ...{ source: SOURCE, tool: 'smartlead', state: 'active', created_at: '2026-01-02T08:00:00.000Z' },
  last_delivery_at: '2026-01-09T08:15:02.310Z',
  observed_until: '2026-01-09T08:00:02.310Z',
  types: [{ type: 'EMAIL_SENT', records: 4_120, last_at: '2026-01-09T08:15:02.310Z' }],
  held: [{ reason: 'unknown_type', records: 3 }],
  ...{ waiting: 0, no_sent_events: null },
};
const WITHOUT_SENT: SourceOverview = {
  ...OVERVIEW,
  types: [{ type: 'EMAIL_REPLY', records: 57, last_at: '2026-01-09T08:15:02.310Z' }],
  ...{ held: [], waiting: 57 },
  no_sent_events: {
    since: '2026-01-02T08:00:00.000Z',
    types: ['EMAIL_SENT', 'FIRST_EMAIL_SENT'],
    message:
      'Smartlead has delivered EMAIL_REPLY, but nothing of what was sent since this source was made on 2026-01-02. Without it replies wait for their message or stand alone, and rates come out wrong. Switch on EMAIL_SENT or FIRST_EMAIL_SENT in its webhook, and import what was sent before.',
  },
};
const REPLAYED: ReplayedDeliveries = { looked_at: 12, released: 12, accepted: 12, duplicates: 0, next: null };

export const GetSources = () =>
  applyDecorators(
    ApiTags('Sources'),
    ApiOperation({
      summary: 'What outreach tools delivered',
      description:
        'Each source with its last delivery, what came by type, what is held, how many facts wait for their message, and whether nothing of what was sent ever came. Counts against the window of the key and never against its month. Needs events_write.',
    }),
    Succeeds({
      status: 200,
      description: 'The sources.',
      schemaName: 'Sources',
      example: { sources: [OVERVIEW, WITHOUT_SENT] },
    }),
    Fails([...EVERY_REQUEST_FAILS, 'INVALID_PARAMETER']),
  );

export const PostReplays = () =>
  applyDecorators(
    ApiTags('Sources'),
    ApiOperation({
      summary: 'Read held records again',
      description:
        'After a new table of steps, a new setting or a new version: reads up to 500 records that are held again, and stores what can be read now. Sending it again changes nothing. Needs events_write.',
    }),
    ApiQuery({
      name: 'source',
      required: true,
      description: 'Id of the source.',
      schema: { type: 'string' },
    }),
    ApiQuery({
      name: 'since',
      required: false,
      description: 'Oldest receipt, ISO 8601 with offset; everything that is held where absent.',
      schema: { type: 'string', format: 'date-time' },
    }),
    ApiQuery({
      name: 'after',
      required: false,
      description: 'next of the answer before.',
      schema: { type: 'string', format: 'uuid' },
    }),
    Succeeds({ status: 200, description: 'Read.', schemaName: 'ReplayedDeliveries', example: REPLAYED }),
    Fails([...EVERY_REQUEST_FAILS, 'INVALID_PARAMETER', 'SOURCE_NOT_FOUND']),
  );
