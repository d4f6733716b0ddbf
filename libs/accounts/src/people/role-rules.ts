import type { Deed } from '@outcomes/audit';
import { AppError, holdersOf, PERMISSIONS_OF_ROLE, ROLES, type Role } from '@outcomes/contracts';
import type { RoleHolder } from './membership.repository';

/**
 * The role of whoever acts, as it stands under the lock: somebody who was removed meanwhile does nothing more.
 * @param by - the role at the beginning of the request, and that of whoever is no user
 * @throws AppError COMPANY_NOT_FOUND for a user who is in the company no more
 */
export function roleNow(rows: readonly RoleHolder[], by: Role, { by: { type, id } }: Deed): Role {
  if (type !== 'user') return by;
  const holder = rows.find(({ userId }) => userId === id);
  if (!holder) throw new AppError('COMPANY_NOT_FOUND');
  return holder.role;
}

/** @throws AppError MISSING_PERMISSION, naming who may do to somebody of that role what is asked */
export function requireMayManage(by: Role, role: Role): void {
  if (mayManage(by, role)) return;
  const holders: Role[] = role === 'owner' ? ['owner'] : holdersOf('manage_people');
  throw new AppError('MISSING_PERMISSION', { permission: 'manage_people', holders });
}

/** Roles that nobody of this role may give. */
export function rolesBeyond(role: Role): Role[] {
  return ROLES.filter((given) => !mayManage(role, given));
}

/**
 * @param next - the person's role afterwards; undefined: none
 * @throws AppError LAST_OWNER
 */
export function requireOwnerLeft(
  rows: readonly RoleHolder[],
  person: RoleHolder,
  next: Role | undefined,
): void {
  const owners = rows.filter(({ role }) => role === 'owner').length;
  if (next !== 'owner' && person.role === 'owner' && owners < 2) throw new AppError('LAST_OWNER');
}

function mayManage(by: Role, role: Role): boolean {
  return PERMISSIONS_OF_ROLE[by].includes('manage_people') && (role !== 'owner' || by === 'owner');
}
