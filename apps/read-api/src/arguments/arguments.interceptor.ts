import {
  Inject,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { addressReader, GivenArguments } from '@outcomes/read-model';
import type { Request } from 'express';
import type { Observable } from 'rxjs';

/** Metadata of a handler: what its arguments are read with. */
export const ADDRESS_READER = 'outcomes:address-reader';
type Reader = ReturnType<typeof addressReader>;

const GIVEN = Symbol('arguments');
type Judged = Request & { [GIVEN]?: GivenArguments };

/** The arguments that the interceptor has judged. */
export const givenTo = (request: Request): GivenArguments => (request as Judged)[GIVEN] ?? {};

/**
 * Judges the address of every read by the schema of its question, also where a handler takes no argument: a parameter
 * that does not exist must not pass anywhere.
 */
@Injectable()
export class ArgumentsInterceptor implements NestInterceptor {
  constructor(@Inject(Reflector) private readonly reflector: Reflector) {}

  /** @throws AppError INVALID_PARAMETER, or what the question refuses the argument with */
  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Judged>();
    const read = this.reflector.get<Reader | undefined>(ADDRESS_READER, context.getHandler());
    request[GIVEN] = read?.({ path: request.params, query: request.query });
    return next.handle();
  }
}
