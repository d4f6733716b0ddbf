import { AppError, CLAIMABLE_ACTOR_TYPES, type Actor } from '@outcomes/contracts';
import type { PresentedTenant } from './principal';

const VISIBLE = /^[\x21-\x7e]{1,128}$/;

/**
 * Who a request says is acting; the key itself where it says nothing.
 * @throws AppError INVALID_ACTOR - also for an id without a type, which could pass for another key's id
 */
export function presentedActor({ actorType, actorId }: PresentedTenant, keyId: string): Actor {
  if (actorType === undefined && actorId === undefined) return { type: 'api_key', id: keyId };
  const type = CLAIMABLE_ACTOR_TYPES.find((claimable) => claimable === actorType);
  if (type === undefined || !VISIBLE.test(actorId ?? keyId)) throw new AppError('INVALID_ACTOR');
  return { type, id: actorId ?? keyId };
}
