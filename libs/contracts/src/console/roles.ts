/** What a person is in a company. */
export const ROLES = ['owner', 'organization_admin', 'member'] as const;
export type Role = (typeof ROLES)[number];

/** What a person may do in the console; keys hold permissions of their own. */
export const ACCOUNT_PERMISSIONS = ['read', 'import', 'manage_billing', 'manage_people'] as const;
export type AccountPermission = (typeof ACCOUNT_PERMISSIONS)[number];

/** Who may do what. An organization admin manages people who are no owners. */
export const PERMISSIONS_OF_ROLE: Readonly<Record<Role, readonly AccountPermission[]>> = {
  owner: ACCOUNT_PERMISSIONS,
  organization_admin: ACCOUNT_PERMISSIONS,
  member: ['read'],
};

/** Who holds a permission, for refusals that say whom to ask. */
export function holdersOf(permission: AccountPermission): Role[] {
  return ROLES.filter((role) => PERMISSIONS_OF_ROLE[role].includes(permission));
}

/** Fewest characters of a password, and most that are hashed. */
export const SHORTEST_PASSWORD = 12;
export const LONGEST_PASSWORD = 200;
/** How long ago somebody may have signed in who does what a session that was left open is not enough for, such as a key. */
export const RECENT_SIGN_IN_MINUTES = 15;
