import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { IngestOptions } from '@outcomes/ingestion';
import type { Request, Response } from 'express';

const REPRESENTATION = /(?:^|[,;\s])return="?representation"?(?:$|[,;\s])/i;

/** What the caller wishes in the Prefer header (RFC 7240); the answer says which wish was granted. */
export const Preferences = createParamDecorator(
  (_data: unknown, context: ExecutionContext): IngestOptions => {
    const http = context.switchToHttp();
    const representation = REPRESENTATION.test(http.getRequest<Request>().get('prefer') ?? '');
    if (representation) http.getResponse<Response>().setHeader('Preference-Applied', 'return=representation');
    return { representation };
  },
);
