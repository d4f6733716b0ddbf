import type { Deed } from '@outcomes/audit';
import { AppError } from '@outcomes/contracts';
import { exchangeParameter, type Exchange } from '@outcomes/platform';
import type { Principal } from '../authentication/principal';

/** @throws AppError missing_token where nobody was let in, so a handler never runs for nobody */
export function callerOf({ caller }: Exchange): Principal {
  if (caller === undefined) throw new AppError('missing_token');
  return caller as Principal;
}

/** Hands the authenticated principal to a handler's parameter. */
export const Caller = exchangeParameter(callerOf);

/** What the administration log says of who called, and on which request. */
export function deedOf(exchange: Exchange): Deed {
  const { keyId, actor } = callerOf(exchange);
  return {
    by: { type: 'api_key', id: keyId },
    requestId: exchange.requestId,
    ...(actor.type !== 'api_key' && { onBehalfOf: `${actor.type}:${actor.id}` }),
  };
}

/** Hands that to a handler's parameter. */
export const OfDeed = exchangeParameter(deedOf);
