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
