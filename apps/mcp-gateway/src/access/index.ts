import type { Identity, PresentedTenant, Principal } from '@outcomes/auth';
import { AppError } from '@outcomes/contracts';
import type { Request } from 'express';

/** A proven credential on one request. */
export interface Caller {
  readonly identity: Identity;
  /** The tenant it acts for unless a call names another; undefined for a credential that serves several. */
  readonly home: Principal | undefined;
  /** What the request's headers say of tenant and actor. */
  readonly presented: PresentedTenant;
  /** Whether the credential may read. A call without the permission is counted and audited before it is refused. */
  readonly mayRead: boolean;
}

const callers = new WeakMap<Request, Caller>();

export function setCaller(request: Request, caller: Caller): void {
  callers.set(request, caller);
}

/** @throws AppError missing_token where no guard let anybody in */
export function callerOf(request: Request): Caller {
  const caller = callers.get(request);
  if (!caller) throw new AppError('missing_token');
  return caller;
}
