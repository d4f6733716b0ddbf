import type { Identity, PresentedTenant, Principal } from '@outcomes/auth';
import { AppError } from '@outcomes/contracts';
import type { Exchange } from '@outcomes/platform';

/** A proven credential on one request. */
export interface McpCaller {
  readonly identity: Identity;
  /** The tenant it acts for unless a call names another; undefined for a credential that serves several. */
  readonly home: Principal | undefined;
  /** What the request's headers say of tenant and actor. */
  readonly presented: PresentedTenant;
  /** Whether the credential may read. A call without the permission is counted and audited before it is refused. */
  readonly mayRead: boolean;
}

/** @throws AppError missing_token where nobody was let in */
export function callerOf({ caller }: Exchange): McpCaller {
  if (caller === undefined) throw new AppError('missing_token');
  return caller as McpCaller;
}
