import type { AccessRule } from '@outcomes/auth';
import type { Exchange } from '@outcomes/platform';
import type { BodyOwner } from '../bodies/body-ledger';

/** What a route asks of a request before its body is read. */
export interface AdmissionRule {
  readonly access: Exclude<AccessRule, 'public'>;
  readonly countsQuota: boolean;
}

/** Lets requests in, or refuses them: credential, tenant, permission, limits. Each surface has one. */
export abstract class Admission {
  /**
   * Notes who is calling on the exchange.
   * @returns who pays for the body
   * @throws AppError whatever refuses the request
   */
  abstract authorizeRequest(exchange: Exchange, rule: AdmissionRule): Promise<BodyOwner>;
}
