import { createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { Question, RestRoute } from '@outcomes/contracts';
import { addressReader } from '@outcomes/read-model';
import type { Request } from 'express';
import { ADDRESS_READER, givenTo } from './arguments.interceptor';

/** Whose arguments the address of a handler holds. Compiled once, where the handler is declared. */
export const Takes = (question: Question, route: RestRoute) =>
  SetMetadata(ADDRESS_READER, addressReader(question, route));

/** The arguments of the request, judged. */
export const Given = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  givenTo(context.switchToHttp().getRequest<Request>()),
);
