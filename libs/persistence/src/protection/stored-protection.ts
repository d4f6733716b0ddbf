import type { ClientBase } from 'pg';
import { BACKUP_ROLE, GROUP_ROLES } from './group-roles';

type Client = Pick<ClientBase, 'query'>;

export interface StoredPolicy {
  readonly table: string;
  readonly name: string;
  readonly command: string;
  /** In alphabetical order, separated by commas. */
  readonly roles: string;
  readonly using: string | null;
  readonly check: string | null;
}

export interface StoredProtection {
  /** Of each table: whether row-level security is enabled and forced. */
  readonly tables: ReadonlyMap<string, { readonly isEnabled: boolean; readonly isForced: boolean }>;
  readonly policies: readonly StoredPolicy[];
  /** Rights of the group roles and of everybody, as `role right relation` or `role right relation column`. */
  readonly rights: ReadonlySet<string>;
  readonly roles: ReadonlySet<string>;
  /** Roles that may use the schema. */
  readonly usage: ReadonlySet<string>;
}

/** What protects the tables of a database as it stands; readable for every login, because catalogues are. */
export async function storedProtection(client: Client): Promise<StoredProtection> {
  const groups = [...GROUP_ROLES, BACKUP_ROLE];
  const tables = await client.query<{ name: string; isEnabled: boolean; isForced: boolean }>(
    `SELECT relname AS name, relrowsecurity AS "isEnabled", relforcerowsecurity AS "isForced"
     FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`,
  );
  const policies = await client.query<StoredPolicy>(
    `SELECT tablename AS table, policyname AS name, cmd AS command, qual AS using, with_check AS check,
       array_to_string(ARRAY(SELECT role::text FROM unnest(roles) AS role ORDER BY 1), ', ') AS roles
     FROM pg_policies WHERE schemaname = 'public' AND permissive = 'PERMISSIVE'`,
  );
  const rights = await client.query<{ held: string }>(
    `WITH acls AS (
       SELECT relname, NULL AS attname, relacl AS acl FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'S')
       UNION ALL
       SELECT relname, attname, attacl FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
       WHERE relnamespace = 'public'::regnamespace AND attacl IS NOT NULL AND NOT attisdropped
     )
     SELECT concat_ws(' ', coalesce(rolname, 'PUBLIC'), privilege_type, relname, attname) AS held
     FROM acls CROSS JOIN LATERAL aclexplode(acl) LEFT JOIN pg_roles ON pg_roles.oid = grantee
     WHERE grantee = 0 OR rolname = ANY ($1)`,
    [groups],
  );
  const roles = await client.query<{ name: string; isUser: boolean }>(
    `SELECT rolname AS name, has_schema_privilege(oid, 'public', 'USAGE') AS "isUser" FROM pg_roles
     WHERE rolname = ANY ($1)`,
    [groups],
  );
  return {
    tables: new Map(tables.rows.map((row) => [row.name, row])),
    policies: policies.rows,
    rights: new Set(rights.rows.map(({ held }) => held)),
    roles: new Set(roles.rows.map(({ name }) => name)),
    usage: new Set(roles.rows.flatMap(({ name, isUser }) => (isUser ? [name] : []))),
  };
}
