import {
  createParamDecorator,
  Inject,
  mixin,
  type CanActivate,
  type ExecutionContext,
  type Type,
} from '@nestjs/common';
import { callerOf } from '@outcomes/auth';
import { RequestBodies } from '@outcomes/limits';
import type { Request, Response } from 'express';
import { requireMediaType } from '.';

const bodies = new WeakMap<Request, Buffer>();

/**
 * Reads a body of one media type within a limit. It runs behind the access guard: nobody makes the service read
 * megabytes without a key. A guard, because an interceptor would put a chain of observables around the hottest route.
 * @param mediaType - the one that the address takes
 * @param limit - bytes, after decompression
 */
export function readsBody(mediaType: string, limit: number): Type<CanActivate> {
  class ReadBodyGuard implements CanActivate {
    constructor(@Inject(RequestBodies) private readonly reader: RequestBodies) {}

    async canActivate(context: ExecutionContext): Promise<boolean> {
      const http = context.switchToHttp();
      const request = http.getRequest<Request>();
      requireMediaType(request.headers, mediaType);
      const source = { request, response: http.getResponse<Response>() };
      bodies.set(request, await this.reader.read(source, callerOf(request), limit));
      return true;
    }
  }

  return mixin(ReadBodyGuard);
}

/** The bytes of the body; empty where none was sent. */
export const RawBody = createParamDecorator(
  (_data: unknown, context: ExecutionContext): Buffer =>
    bodies.get(context.switchToHttp().getRequest<Request>()) ?? Buffer.alloc(0),
);
