import type { TenantScope } from '../tenant-scope';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * @param companyId - lower-case UUID of a company that the caller has authenticated or scheduled
 * @throws RangeError where it is no UUID: the value goes into a session setting, so its form is the guard
 */
export function mintTenantScope(companyId: string): TenantScope {
  if (!UUID.test(companyId)) throw new RangeError('a tenant scope needs a lower-case UUID');
  return Object.freeze({ companyId }) as TenantScope;
}
