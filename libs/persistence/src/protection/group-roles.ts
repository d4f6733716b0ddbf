import type { ClientBase } from 'pg';

/** Roles that hold the grants. Logins of services inherit from one of them; all databases of a cluster share them. */
export const GROUP_ROLES = [
  'outcomes_ingest',
  'outcomes_worker',
  'outcomes_reader',
  'outcomes_admin',
  'outcomes_console',
] as const;

/** Groups that have the rights of others besides their own: pages show what the reading services answer, and import. */
export const GROUPS_WITHIN: readonly { readonly member: string; readonly of: string }[] = [
  { member: 'outcomes_console', of: 'outcomes_reader' },
  { member: 'outcomes_console', of: 'outcomes_ingest' },
];

/**
 * Reads every row of every company, for backups alone: it may read, and write down that it did; nobody logs in as it. Its
 * members take it on with SET ROLE, because BYPASSRLS is not inherited.
 */
export const BACKUP_ROLE = 'outcomes_backup';

const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Makes the group roles that the cluster lacks, and changes none that is there.
 * @param client - of a role that may create roles
 * @returns whether the role for backups is there; only a superuser, or from Postgres 16 on a role that has BYPASSRLS
 * itself, may make it
 */
export async function ensureGroupRoles(client: Pick<ClientBase, 'query'>): Promise<boolean> {
  for (const role of GROUP_ROLES) await client.query(createRole(role, 'NOBYPASSRLS'));
  for (const { member, of } of GROUPS_WITHIN) await client.query(joinGroup(member, of));
  try {
    await client.query(createRole(BACKUP_ROLE, 'BYPASSRLS'));
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== INSUFFICIENT_PRIVILEGE) throw error;
  }
  const { rows } = await client.query<{ bypasses: boolean }>(
    'SELECT rolbypassrls AS bypasses FROM pg_roles WHERE rolname = $1',
    [BACKUP_ROLE],
  );
  return rows[0]?.bypasses ?? false;
}

// The look before spares an owner without the right to create roles where others have made them.
const createRole = (role: string, bypass: string) => `DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}') THEN
      CREATE ROLE ${role} NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE ${bypass};
    END IF;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`;

const joinGroup = (member: string, of: string) => `DO $$ BEGIN
    IF NOT pg_has_role('${member}', '${of}', 'USAGE') THEN GRANT ${of} TO ${member}; END IF;
  EXCEPTION WHEN unique_violation THEN NULL; END $$`;
