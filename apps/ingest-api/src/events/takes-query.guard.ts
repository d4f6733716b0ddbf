import { mixin, type CanActivate, type ExecutionContext, type Type } from '@nestjs/common';
import { AppError } from '@outcomes/contracts';
import type { Request } from 'express';

/**
 * Refuses requests with a query parameter that the address does not have: a misspelt one that was ignored would
 * answer 200 to something else than was asked for.
 */
export function takesQuery(...names: readonly string[]): Type<CanActivate> {
  class TakesQueryGuard implements CanActivate {
    canActivate(context: ExecutionContext): boolean {
      const { query } = context.switchToHttp().getRequest<Request>();
      const unknown = Object.keys(query).find((name) => !names.includes(name));
      if (unknown === undefined) return true;
      const known = names.length === 0 ? 'This address takes none' : `Known are ${names.join(' and ')}`;
      throw new AppError(
        'INVALID_PARAMETER',
        { parameter: unknown.slice(0, 100) },
        { message: `There is no such query parameter. ${known}.` },
      );
    }
  }

  return mixin(TakesQueryGuard);
}
