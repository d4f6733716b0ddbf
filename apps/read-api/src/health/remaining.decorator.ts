import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';

/** Requests left in the burst window, as the access guard has just told the caller; null where it did not. */
export const Remaining = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  const told = context.switchToHttp().getResponse<Response>().getHeader('RateLimit-Remaining');
  return told === undefined ? null : Number(told);
});
