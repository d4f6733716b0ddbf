import { applyDecorators } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import type { ErrorCode, ReadDocument } from '@outcomes/contracts';
import { Fails, Succeeds } from '@outcomes/openapi';
import { Says } from '../envelope/says.decorator';
import { exampleOf } from './examples';

export interface ReadDescription {
  /** The sentence that the answer carries as its `message`. */
  readonly says: string;
  /** The sentence in its place where the data is an empty list or object. */
  readonly empty?: string;
  readonly summary: string;
  readonly description: string;
  /** Errors of this operation beside those that every read may have. */
  readonly fails?: readonly ErrorCode[];
  /** A long answer is sent as it is read, and then has no ETag. */
  readonly mayStream?: boolean;
  /** Its pages are linked to each other. */
  readonly isPaged?: boolean;
  /** It is another answer each time, so that none is ever "not modified". */
  readonly everNew?: boolean;
}

const EVERY_READ_FAILS = [
  'CONFLICTING_CREDENTIALS',
  'INVALID_ACTOR',
  'INVALID_PARAMETER',
  'TENANT_REQUIRED',
  'missing_token',
  'invalid_token',
  'self_serve_auth_failed',
  'Forbidden',
  'METHOD_NOT_ALLOWED',
  'RATE_LIMITED',
  'QUOTA_EXCEEDED',
  'TOO_MANY_FAILED_ATTEMPTS',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
] as const satisfies readonly ErrorCode[];

/** A GET of one document: what it says, its envelope, the 304, and every error. */
export function Read(
  document: ReadDocument,
  {
    says,
    empty,
    summary,
    description,
    fails = [],
    mayStream = false,
    isPaged = false,
    everNew = false,
  }: ReadDescription,
) {
  return applyDecorators(
    Says(says, empty),
    ApiOperation({ summary, description }),
    Succeeds({
      status: 200,
      description: says,
      schemaName: answerName(document),
      headers: [
        ...(mayStream ? [] : (['ETag'] as const)),
        ...(isPaged ? (['Link'] as const) : []),
        'Cache-Control',
        'Vary',
      ],
      example: exampleOf(document, says),
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
    Fails([...EVERY_READ_FAILS, ...fails]),
  );
}

/** Name of the schema of the envelope around a document. */
export const answerName = (document: ReadDocument): string => `${document}Answer`;
