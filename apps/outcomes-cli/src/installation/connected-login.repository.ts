import type { ClientBase } from 'pg';

export interface ConnectedLogin {
  readonly name: string;
  /** Past row-level security. */
  readonly passes: boolean;
  /** Has the rights of the command line: of every other login policies hide the companies, as if there were none. */
  readonly administers: boolean;
  readonly ownsTables: boolean;
}

/** Who is connected, and may see what. Before the first migration, whoever asks. */
export async function connectedLogin(client: Pick<ClientBase, 'query'>): Promise<ConnectedLogin> {
  const { rows } = await client.query<ConnectedLogin>(
    `SELECT rolname AS name, rolsuper OR rolbypassrls AS passes,
       rolsuper OR rolbypassrls OR coalesce(
         (SELECT pg_has_role(r.oid, g.oid, 'USAGE') FROM pg_roles g WHERE g.rolname = 'outcomes_admin'), true) AS administers,
       coalesce((SELECT pg_has_role(r.oid, c.relowner, 'USAGE') FROM pg_class c WHERE c.oid = to_regclass('companies')),
         false) AS "ownsTables"
     FROM pg_roles r WHERE rolname = current_user`,
  );
  const [login] = rows;
  if (!login) throw new Error('The login is no role.');
  return login;
}
