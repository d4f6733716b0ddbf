import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { AppError } from '@outcomes/contracts';
import type { Request } from 'express';
import type { Principal } from '../authentication/principal';

const callers = new WeakMap<Request, Principal>();

/** Notes who is calling; the access guard does it once per request. */
export function setCaller(request: Request, principal: Principal): void {
  callers.set(request, principal);
}

/** @throws AppError missing_token where no guard let anybody in, so a handler never runs for nobody */
export function callerOf(request: Request): Principal {
  const principal = callers.get(request);
  if (!principal) throw new AppError('missing_token');
  return principal;
}

/** Hands the authenticated principal to a handler's parameter. */
export const Caller = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  callerOf(context.switchToHttp().getRequest<Request>()),
);
