import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import { schema, type ErrorCode } from '@outcomes/contracts';
import { Fails, Succeeds } from '@outcomes/openapi';

export const EVERY_REQUEST_FAILS = [
  'INVALID_ACTOR',
  'TENANT_REQUIRED',
  'missing_token',
  'invalid_token',
  'self_serve_auth_failed',
  'Forbidden',
  'METHOD_NOT_ALLOWED',
  'RATE_LIMITED',
  'TOO_MANY_FAILED_ATTEMPTS',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
] as const satisfies readonly ErrorCode[];

const EVERY_BODY_FAILS = [
  'INVALID_ENCODING',
  'REQUEST_TIMEOUT',
  'TOO_MANY_EVENTS',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
] as const satisfies readonly ErrorCode[];

const EVENT = {
  channel: 'email',
  sequence_step: 0,
  recipient_id: 'crm-00421',
  sent_at: '2026-01-05T09:30:00+01:00',
  outcome_at: '2026-01-08T14:00:00Z',
  outcome: 'responded',
  tone: 'direct',
  metadata: { campaign_id: 'spring-2026' },
};
const CSV = `channel,sequence_step,recipient_id,sent_at,outcome_at,outcome,metadata.campaign_id
email,0,crm-00421,2026-01-05T09:30:00+01:00,2026-01-08T14:00:00Z,responded,spring-2026
`;
const STORED = { accepted: 1, rejected: 0, duplicates: 0, errors: [] };

const referenceTo = (name: string) => schema.reference(name) as { $ref: string };

const Prefer = () =>
  ApiHeader({
    name: 'Prefer',
    description: '`return=representation` lists what became of each event.',
    required: false,
    schema: { type: 'string', examples: ['return=representation'] },
  });

export const PostEvents = () =>
  applyDecorators(
    ApiTags('Ingestion'),
    ApiOperation({
      summary: 'Send outcome events',
      description: 'At most 500 events and 8 MiB. Answers once they are stored. Needs events_write.',
    }),
    Prefer(),
    ApiConsumes('application/json'),
    ApiBody({
      required: true,
      schema: referenceTo('OutcomeEvents'),
      examples: {
        several: { summary: 'Several events', value: { events: [EVENT] } },
        single: { summary: 'A single event', value: EVENT },
      },
    }),
    Succeeds({ status: 202, description: 'Stored.', schemaName: 'EventsAnswer', example: STORED }),
    Fails([...EVERY_REQUEST_FAILS, ...EVERY_BODY_FAILS, 'INVALID_JSON', 'INVALID_REQUEST']),
  );

export const PostCsv = () =>
  applyDecorators(
    ApiTags('Ingestion'),
    ApiOperation({
      summary: 'Send outcome events as CSV',
      description:
        'RFC 4180 in UTF-8: a header row with the field names in any order, at most 500 data rows and 5 MiB. metadata is JSON, or columns such as metadata.campaign_id. Needs events_write.',
    }),
    Prefer(),
    ApiConsumes('text/csv'),
    ApiBody({
      required: true,
      schema: { type: 'string' },
      examples: { minimal: { summary: 'One row', value: CSV } },
    }),
    Succeeds({ status: 202, description: 'Stored.', schemaName: 'CsvAnswer', example: STORED }),
    Fails([
      ...EVERY_REQUEST_FAILS,
      ...EVERY_BODY_FAILS,
      'INVALID_CSV',
      'UNKNOWN_COLUMN',
      'MISSING_COLUMN',
      'DUPLICATE_COLUMN',
    ]),
  );
