import type { ClientBase } from 'pg';

export interface ConnectedLogin {
  readonly name: string;
  /** Past row-level security. */
  readonly passes: boolean;
  /** Has the rights of the command line: of every other login policies hide the companies, as if there were none. */
  readonly administers: boolean;
  readonly ownsTables: boolean;
}

/** A ConnectedLogin. Before the first migration everybody administers. */
export const CONNECTED_LOGIN = `
  SELECT rolname AS name, rolsuper OR rolbypassrls AS passes,
    rolsuper OR rolbypassrls OR coalesce(
      (SELECT pg_has_role(r.oid, g.oid, 'USAGE') FROM pg_roles g WHERE g.rolname = 'outcomes_admin'), true) AS administers,
    coalesce((SELECT pg_has_role(r.oid, c.relowner, 'USAGE') FROM pg_class c WHERE c.oid = to_regclass('companies')),
      false) AS "ownsTables"
  FROM pg_roles r WHERE rolname = current_user`;

/** Who is connected, and may see what. */
export async function connectedLogin(client: Pick<ClientBase, 'query'>): Promise<ConnectedLogin> {
  const [login] = (await client.query<ConnectedLogin>(CONNECTED_LOGIN)).rows;
  if (!login) throw new Error('The login is no role.');
  return login;
}
