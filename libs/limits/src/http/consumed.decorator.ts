import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { AppError } from '@outcomes/contracts';
import type { Request } from 'express';
import type { Consumption } from '../limiter/consumption';

const consumptions = new WeakMap<Request, Consumption>();

/** Notes what a request left of its limits; the access guard does it once per request. */
export function setConsumed(request: Request, consumption: Consumption): void {
  consumptions.set(request, consumption);
}

/** Hands a handler what this request left of its credential's limits. */
export const Consumed = createParamDecorator((_data: unknown, context: ExecutionContext): Consumption => {
  const consumption = consumptions.get(context.switchToHttp().getRequest<Request>());
  if (!consumption) throw new AppError('missing_token');
  return consumption;
});
