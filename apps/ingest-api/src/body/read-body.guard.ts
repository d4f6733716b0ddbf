import {
  createParamDecorator,
  Inject,
  mixin,
  type CanActivate,
  type ExecutionContext,
  type Type,
} from '@nestjs/common';
import { callerOf } from '@outcomes/auth';
import { AppError } from '@outcomes/contracts';
import { SERVICE_CONFIG } from '@outcomes/platform';
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { IngestApiConfig } from '../ingest-api.config';
import { BodyBudget } from './body-budget.service';
import { requireMediaType } from '.';

/**
 * Reads a body of one media type, plain or compressed, within a limit of bytes and of time. It runs behind the
 * access guard: nobody makes the service read megabytes without a key. A guard, because an interceptor would put
 * a chain of observables around the hottest route.
 * @param mediaType - the one that the address takes
 * @param limit - bytes, after decompression
 */
export function readsBody(mediaType: string, limit: number): Type<CanActivate> {
  const read = express.raw({ limit, type: () => true });

  class ReadBodyGuard implements CanActivate {
    constructor(
      @Inject(BodyBudget) private readonly budget: BodyBudget,
      @Inject(SERVICE_CONFIG) private readonly config: IngestApiConfig,
    ) {}

    async canActivate(context: ExecutionContext): Promise<boolean> {
      const http = context.switchToHttp();
      const request = http.getRequest<Request>();
      const response = http.getResponse<Response>();
      requireMediaType(request.headers, mediaType);
      this.budget.reserve(callerOf(request).companyId, request, response, limit);
      await readWithin(this.config.BODY_TIMEOUT_MS, limit, read, request, response);
      return true;
    }
  }

  return mixin(ReadBodyGuard);
}

/** The bytes of the body; empty where none was sent. */
export const RawBody = createParamDecorator((_data: unknown, context: ExecutionContext): Buffer => {
  const { body } = context.switchToHttp().getRequest<Request<object, unknown, unknown>>();
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
});

async function readWithin(
  timeoutMs: number,
  limit: number,
  read: RequestHandler,
  request: Request,
  response: Response,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(() => reject(new AppError('REQUEST_TIMEOUT')), timeoutMs);
      read(request, response, (error?: unknown) => (error ? reject(bodyFault(error, limit)) : resolve()));
    });
  } catch (error) {
    // What is left of the body is not wanted any more, so the connection cannot serve another request.
    response.setHeader('Connection', 'close');
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * A body that does not decompress is a fault of its encoding, and one that is too large is told the limit; the rest has a
 * status that the error filter knows.
 */
function bodyFault(error: unknown, limit: number): Error {
  if (!(error instanceof Error)) return new AppError('INVALID_REQUEST', {}, { cause: error });
  if ('type' in error && error.type === 'entity.too.large') {
    const message = `The body is larger than ${limit / 2 ** 20} MiB (${limit} bytes). Split it into several requests.`;
    return new AppError('PAYLOAD_TOO_LARGE', { limit }, { message, cause: error });
  }
  const isCompression = 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_');
  return isCompression ? new AppError('INVALID_ENCODING', {}, { cause: error }) : error;
}
