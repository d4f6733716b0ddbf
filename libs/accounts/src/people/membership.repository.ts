import type { Role } from '@outcomes/contracts';
import type { TenantTransaction } from '@outcomes/tenancy';

export interface Person {
  readonly userId: string;
  readonly email: string;
  readonly role: Role;
  readonly since: Date;
}

/** Somebody who comes into a company. */
export interface Member extends Omit<Person, 'since'> {
  readonly createdAt: Date;
}

/** In order of their coming. */
export async function peopleOf({ client, companyId }: TenantTransaction): Promise<Person[]> {
  const { rows } = await client.query<Person>(
    `SELECT user_id AS "userId", email, role, created_at AS since FROM memberships WHERE company_id = $1
     ORDER BY created_at, user_id`,
    [companyId],
  );
  return rows;
}

export type RoleHolder = Omit<Person, 'since'>;

/** Everybody's role; whoever else asks waits for the end of the transaction. */
export async function lockRoles({ client, companyId }: TenantTransaction): Promise<RoleHolder[]> {
  // Two owners who remove each other queue here.
  await client.query('SELECT 1 FROM companies WHERE company_id = $1 FOR UPDATE', [companyId]);
  const { rows } = await client.query<RoleHolder>(
    'SELECT user_id::text AS "userId", email, role FROM memberships WHERE company_id = $1',
    [companyId],
  );
  return rows;
}

/** Lets somebody in who is not here; under `lockRoles`, which tells. */
export async function admit(
  { client, companyId }: TenantTransaction,
  { userId, email, role, createdAt }: Member,
): Promise<void> {
  await client.query(
    `INSERT INTO memberships (company_id, user_id, email, role, created_at) VALUES ($1, $2, $3, $4, $5)`,
    [companyId, userId, email, role, createdAt],
  );
}

export async function changeRole(
  { client, companyId }: TenantTransaction,
  userId: string,
  role: Role,
): Promise<void> {
  await client.query('UPDATE memberships SET role = $3 WHERE company_id = $1 AND user_id = $2', [
    companyId,
    userId,
    role,
  ]);
}

export async function dismiss({ client, companyId }: TenantTransaction, userId: string): Promise<void> {
  await client.query('DELETE FROM memberships WHERE company_id = $1 AND user_id = $2', [companyId, userId]);
}
