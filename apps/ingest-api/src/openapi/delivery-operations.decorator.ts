import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { schema, type Schema } from '@outcomes/contracts';
import { MAX_EVENTS, type DeliveryAnswer } from '@outcomes/ingestion';
import { Fails, Succeeds } from '@outcomes/openapi';
import { faultAt } from './ingest-answers.schema';

const { anything, count, integer, list, recordOf } = schema;

const RECORD = anything('A record as the tool sends it.');

export const DELIVERY_SCHEMAS = {
  Delivery: {
    description: 'One record, or several, in the form of the tool. Any content type is taken for JSON.',
    oneOf: [RECORD, list(RECORD, 'Several.', { minItems: 1, maxItems: MAX_EVENTS })],
  },
  DeliveryAnswer: recordOf<DeliveryAnswer>({
    accepted: count(
      'Events that are stored now, those that were there before included; also opt-outs and bounces of records that are held or ignored.',
    ),
    duplicates: count('Those of them that were there before.'),
    ignored: count('Records that are no news about a message.'),
    waiting: count('Records that cannot be read yet, and are kept until they can, for 30 days.'),
    rejected: count('Records that make events with a fault; they are kept too.'),
    errors: list(
      faultAt('index', integer('Position of the record, from 0.', { minimum: 0 })),
      'One entry per field at fault.',
    ),
  }),
} as const satisfies Readonly<Record<string, Schema>>;

const DELIVERY = {
  event_type: 'email_sent',
  workspace: '0197a1b0-0000-7000-8000-000000000001',
  campaign_id: '0197a1b0-0000-7000-8000-000000000002',
  campaign_name: 'Spring',
  lead_email: 'ada@example.com',
  step: 1,
  timestamp: '2026-01-05T09:00:00.000Z',
};
const TAKEN: DeliveryAnswer = {
  ...{ accepted: 1, duplicates: 0, ignored: 0, waiting: 0, rejected: 0 },
  errors: [],
};

const DESCRIPTION =
  'For tools, not for you: `outcomes sources create` makes the address. 1 to 500 records and 8 MiB. Answers once everything is stored or held; what is told again counts once. An opt-out or a bounce takes effect at once, whatever cannot be read beside it. There is no window of requests and no quota. After a 503 nothing is lost that is sent again.';

const delivered = (summary: string, description: string) =>
  applyDecorators(
    ApiTags('Sources'),
    ApiOperation({ summary, description: `${description} ${DESCRIPTION}`, security: [] }),
    ApiParam({
      name: 'source',
      description: 'Id of the source; it names company and tool, and proves nothing.',
      schema: { type: 'string', pattern: '^src_[0-9A-Za-z]{22}$' },
    }),
    ApiConsumes('application/json'),
    ApiBody({
      required: true,
      schema: schema.reference('Delivery') as { $ref: string },
      examples: { one: { summary: 'A record of Instantly', value: DELIVERY } },
    }),
    Succeeds({
      ...{ status: 202, description: 'Stored, or held.', schemaName: 'DeliveryAnswer', example: TAKEN },
      isCounted: false,
    }),
    Fails(
      [
        ...([
          'INVALID_JSON',
          'INVALID_REQUEST',
          'INVALID_ENCODING',
          'DELIVERY_NOT_PROVEN',
          'NOT_FOUND',
        ] as const),
        ...(['REQUEST_TIMEOUT', 'PAYLOAD_TOO_LARGE', 'TOO_MANY_EVENTS', 'UNSUPPORTED_MEDIA_TYPE'] as const),
        ...(['TOO_MANY_FAILED_ATTEMPTS', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'] as const),
      ],
      false,
    ),
    Fails(['METHOD_NOT_ALLOWED', 'HEADERS_TOO_LARGE']),
  );

export const PostDelivery = () =>
  delivered(
    'Deliver records, signed or with a secret in a header',
    'The raw body is held against the signature that the tool sends, or a header against the secret of the source.',
  );

export const PostDeliveryWithToken = () =>
  applyDecorators(
    delivered(
      'Deliver records, with the secret in the address',
      'For tools that neither sign nor set headers: the last part of the address is the secret of the source.',
    ),
    ApiParam({ name: 'token', description: 'The secret of the source.', schema: { type: 'string' } }),
  );
