import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import { schema, type ErrorCode } from '@outcomes/contracts';
import { Fails, Succeeds } from '@outcomes/openapi';
import { CSV, EVENT, FACTS, FACTS_CSV, STORED } from './event-examples.schema';

export const EVERY_REQUEST_FAILS = [
  'INVALID_ACTOR',
  'INVALID_PARAMETER',
  'TENANT_REQUIRED',
  'missing_token',
  'invalid_token',
  'self_serve_auth_failed',
  'Forbidden',
  'METHOD_NOT_ALLOWED',
  'HEADERS_TOO_LARGE',
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
        facts: { summary: 'A message, and what came of it', value: { events: FACTS } },
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
        'RFC 4180 in UTF-8, cells separated by commas: a header row with the field names in any order, at most 500 data rows and 5 MiB. An empty cell is an absent field. A column may be missing where some row can do without, such as outcome beside fact. metadata is JSON, or columns such as metadata.campaign_id; their cells are text, true or false, so that a number such as propensity needs the JSON. Needs events_write.',
    }),
    Prefer(),
    ApiConsumes('text/csv'),
    ApiBody({
      required: true,
      schema: { type: 'string' },
      examples: {
        minimal: { summary: 'One row', value: CSV },
        facts: { summary: 'A message, and what came of it', value: FACTS_CSV },
      },
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
