import { recordAdministration, type Deed } from '@outcomes/audit';
import type { TenantTransaction } from '@outcomes/tenancy';
import { fingerprintOf } from '../sessions/secret';
import type { WithdrawnInvitation } from './invitation.repository';

/** What an invited address is called in the administration log, which names nobody. */
export function invitedSubject(email: string): string {
  return fingerprintOf(email).toString('hex');
}

/** In the transaction that takes them back. */
export async function recordWithdrawn(
  transaction: TenantTransaction,
  withdrawn: readonly WithdrawnInvitation[],
  deed: Deed,
  occurredAt: Date,
): Promise<void> {
  for (const { email, role } of withdrawn)
    await recordAdministration(transaction, {
      ...{ ...deed, action: 'person.withdraw_invitation', subject: invitedSubject(email), occurredAt },
      details: { role },
    });
}
