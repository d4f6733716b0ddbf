import { applyDecorators } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiQuery } from '@nestjs/swagger';
import {
  envelopeOf,
  type EnvelopeFrame,
  type ErrorCode,
  type Question,
  type RestRoute,
  type Schema,
} from '@outcomes/contracts';
import { Fails, Succeeds } from '@outcomes/openapi';
import { addressReader } from '@outcomes/read-model';
import { TakesArguments } from '@outcomes/limits';
import { Message } from '../envelope/message.decorator';

const EVERY_READ_FAILS = [
  'INVALID_PARAMETER',
  'CONFLICTING_CREDENTIALS',
  'INVALID_ACTOR',
  'TENANT_REQUIRED',
  'missing_token',
  'invalid_token',
  'self_serve_auth_failed',
  'Forbidden',
  'METHOD_NOT_ALLOWED',
  'HEADERS_TOO_LARGE',
  'RATE_LIMITED',
  'QUOTA_EXCEEDED',
  'TOO_MANY_FAILED_ATTEMPTS',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
] as const satisfies readonly ErrorCode[];
/** A path may be escaped badly. */
const EVERY_PATH_FAILS = ['INVALID_REQUEST'] as const satisfies readonly ErrorCode[];

const EXAMPLE_TIME = new Date('2026-02-03T08:00:00.000Z');
/** What stands beside a document of a run. */
const EXAMPLE_RUN: EnvelopeFrame = {
  analysed_at: '2026-02-03T02:00:00.000Z',
  data_as_of: '2026-02-03T01:58:40.000Z',
  newest_outcome_at: '2026-02-02T16:20:00.000Z',
  drift_state: 'none',
  posteriors_trustworthy: true,
  recommended_action: 'None.',
  summary: 'The posteriors may be acted upon.',
  alerts: [],
};

/** Where Nest finds a question: `campaigns/:campaignId/health`. */
export const addressOf = (question: Question, { path }: RestRoute = question.rest[0]): string =>
  path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1');

/** A GET of one question: its arguments, what it says, its envelope, the 304, and every error. */
export function Read(question: Question, route: RestRoute = question.rest[0]) {
  const { operation, says, summary, description, inPath = {}, fails = [] } = route;
  const { mayStream = false, isPaged = false, everNew = false } = route;
  return applyDecorators(
    TakesArguments(addressReader(question, route)),
    Message(route),
    ApiOperation({ operationId: operation, summary, description }),
    ...parametersOf(question, route),
    Succeeds({
      status: 200,
      description: says,
      schemaName: answerName(question.name),
      headers: [
        ...(mayStream || everNew ? [] : (['ETag'] as const)),
        ...(isPaged ? (['Link'] as const) : []),
        'Cache-Control',
        'Vary',
      ],
      example: answerExampleOf(question, route),
    }),
    ...(everNew
      ? []
      : [
          Succeeds({
            status: 304,
            description:
              'The findings are those that If-None-Match names. No body; the month is not charged.',
            headers: ['ETag'],
          }),
        ]),
    Fails([...EVERY_READ_FAILS, ...(Object.keys(inPath).length > 0 ? EVERY_PATH_FAILS : []), ...fails]),
  );
}

function parametersOf({ arguments: all }: Question, { inPath = {}, without = [] }: RestRoute) {
  const placed = Object.entries(inPath);
  const elsewhere = new Set([...Object.values(inPath), ...without]);
  const asked = Object.keys(all).filter((name) => !elsewhere.has(name));
  return [
    ...placed.map(([name, argument]) => ApiParam({ name, ...describedBy(all[argument]) })),
    ...asked.map((name) => ApiQuery({ name, required: false, ...describedBy(all[name]) })),
  ];
}

/** A parameter says in its own field what a schema says inside. */
function describedBy({ description, ...schema }: Schema = {}) {
  return { description, schema: schema as { readonly type: 'string' } };
}

/** An answer in full: the example with its envelope around it. */
function answerExampleOf({ example, ofRun = false }: Question, route: RestRoute): unknown {
  const { timestamp, ...answer } = envelopeOf(route.example ?? example, route.says, EXAMPLE_TIME);
  return { ...answer, ...(ofRun && EXAMPLE_RUN), timestamp };
}

/** Name of the schema of the envelope around a result. */
export const answerName = (name: string): string => `${name}Answer`;
