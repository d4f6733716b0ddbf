import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { AppError } from '@outcomes/contracts';
import type { Request } from 'express';

/** Refuses query parameters where there are none to give: one that is passed over would promise what it does not do. */
@Injectable()
export class NoParametersGuard implements CanActivate {
  /** @throws AppError INVALID_PARAMETER naming the first */
  canActivate(context: ExecutionContext): boolean {
    const [parameter] = Object.keys(context.switchToHttp().getRequest<Request>().query);
    if (parameter !== undefined) throw new AppError('INVALID_PARAMETER', { parameter });
    return true;
  }
}
