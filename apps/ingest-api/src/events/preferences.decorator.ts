import type { IncomingHttpHeaders } from 'node:http';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { IngestOptions } from '@outcomes/ingestion';
import type { SetHeader } from '@outcomes/limits';
import type { Request, Response } from 'express';

const REPRESENTATION = /(?:^|[,;\s])return="?representation"?(?:$|[,;\s])/i;

/** What the caller wishes in the Prefer header (RFC 7240); the answer says which wish was granted. */
export function preferencesOf({ prefer }: IncomingHttpHeaders, setHeader: SetHeader): IngestOptions {
  const representation = prefer !== undefined && REPRESENTATION.test(String(prefer));
  if (representation) setHeader('Preference-Applied', 'return=representation');
  return { representation };
}

export const Preferences = createParamDecorator(
  (_data: unknown, context: ExecutionContext): IngestOptions => {
    const http = context.switchToHttp();
    const response = http.getResponse<Response>();
    return preferencesOf(
      http.getRequest<Request>().headers,
      (name, value) => void response.setHeader(name, value),
    );
  },
);
