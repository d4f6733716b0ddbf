import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { ERROR_CATALOGUE, errorExampleOf, errorSchemaName, schema } from '@outcomes/contracts';
import type { ErrorCode, Schema } from '@outcomes/contracts';
import { headerReferences, QUOTA_HEADERS, RATE_LIMIT_HEADERS, type ResponseHeader } from './response-headers';

export interface SuccessDescription {
  readonly status: number;
  readonly description: string;
  /** Name of a schema that describeApi is given. */
  readonly schemaName?: string;
  readonly example?: unknown;
  /** Beside the request id, the window and the month, which every success carries. */
  readonly headers?: readonly ResponseHeader[];
  /** Whether requests count against a window and a month; so where not given. */
  readonly isCounted?: boolean;
}

/** A success of an operation, with the headers that every success carries. */
export function Succeeds({
  status,
  description,
  schemaName,
  example,
  headers = [],
  isCounted = true,
}: SuccessDescription) {
  const counters = isCounted ? [...RATE_LIMIT_HEADERS, ...QUOTA_HEADERS] : [];
  return ApiResponse({
    status,
    description,
    headers: headerReferences(['X-Request-Id', ...counters, ...headers]),
    ...(schemaName !== undefined && {
      content: {
        'application/json': {
          schema: schema.reference(schemaName) as { $ref: string },
          ...(example !== undefined && { example }),
        },
      },
    }),
  });
}

/**
 * The errors of an operation: one response per status, with the body of every code that has it.
 * @param isCounted - whether requests count against a window
 */
export function Fails(codes: readonly ErrorCode[], isCounted = true) {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set(codes)) {
    const { status } = ERROR_CATALOGUE[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return applyDecorators(
    ...[...byStatus].map(([status, ofStatus]) =>
      ApiResponse({
        status,
        description: ofStatus.map((code) => `\`${code}\`: ${ERROR_CATALOGUE[code].message}`).join('\n\n'),
        headers: headerReferences(errorHeaders(status, isCounted)),
        content: {
          'application/json': {
            schema: bodyOf(ofStatus) as { $ref: string },
            examples: examplesOf(ofStatus),
          },
        },
      }),
    ),
  );
}

function examplesOf(codes: readonly ErrorCode[]) {
  return Object.fromEntries(
    codes.map((code) => [code, { summary: ERROR_CATALOGUE[code].message, value: errorExampleOf(code) }]),
  );
}

function bodyOf(codes: readonly ErrorCode[]): Schema {
  const references = codes.map((code) => schema.reference(errorSchemaName(code)));
  return references.length === 1 && references[0] ? references[0] : { oneOf: references };
}

/** What is too large to be read, or fails on our side, may be refused before anything was counted. */
function errorHeaders(status: number, isCounted: boolean): ResponseHeader[] {
  return [
    'X-Request-Id',
    ...(isCounted && status < 500 && status !== 431 ? RATE_LIMIT_HEADERS : []),
    ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
    ...(status === 405 ? (['Allow'] as const) : []),
  ];
}
