import type { Entry, Session } from '@outcomes/accounts';
import type { Deed } from '@outcomes/audit';
import { AppError } from '@outcomes/contracts';
import { exchangeParameter } from '@outcomes/platform';

/** Who asks: nobody in particular, somebody who is signed in, or somebody inside a company. */
export interface Visitor {
  readonly session?: Session;
  readonly entry?: Entry;
}

/** Somebody inside the company that the address names, with the permission that the handler asks for. */
export type Visit = Entry & {
  readonly session: Session;
  /** What the administration log says of whatever he does now. */
  readonly deed: Deed;
};

/** @throws AppError NOT_SIGNED_IN, so a handler never runs for nobody */
export const SignedIn = exchangeParameter(({ caller }): Session => {
  const { session } = (caller ?? {}) as Visitor;
  if (!session) throw new AppError('NOT_SIGNED_IN');
  return session;
});

/** @throws AppError COMPANY_NOT_FOUND, so a handler never runs for no company */
export const Visiting = exchangeParameter(({ caller, requestId }): Visit => {
  const { session, entry } = (caller ?? {}) as Visitor;
  if (!session || !entry) throw new AppError('COMPANY_NOT_FOUND');
  return { ...entry, session, deed: { by: { type: 'user', id: session.userId }, requestId } };
});
