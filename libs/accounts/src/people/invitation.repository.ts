import type { Role } from '@outcomes/contracts';
import type { TenantDatabase, TenantTransaction } from '@outcomes/tenancy';
import { mintSystemScope } from '@outcomes/tenancy/system';

export interface Invitation {
  readonly companyId: string;
  readonly email: string;
  readonly role: Role;
}

export interface SentInvitation {
  readonly email: string;
  readonly role: Role;
  readonly createdAt: Date;
}

/** Invitations that may still be accepted. @param oldest - when the oldest of them was sent */
export async function openInvitations(
  { client, companyId }: TenantTransaction,
  oldest: Date,
): Promise<SentInvitation[]> {
  const { rows } = await client.query<SentInvitation>(
    `SELECT email, role, created_at AS "createdAt" FROM invitations
     WHERE company_id = $1 AND accepted_at IS NULL AND created_at > $2 ORDER BY created_at, email`,
    [companyId, oldest],
  );
  return rows;
}

/** Writes an invitation down, and takes back what was sent to that address before. */
export async function invite(
  { client, companyId }: TenantTransaction,
  fingerprint: Buffer,
  { email, role, createdAt }: SentInvitation,
): Promise<void> {
  await client.query('DELETE FROM invitations WHERE company_id = $1 AND email = $2 AND accepted_at IS NULL', [
    companyId,
    email,
  ]);
  await client.query(
    `INSERT INTO invitations (company_id, invitation_sha256, email, role, created_at) VALUES ($1, $2, $3, $4, $5)`,
    [companyId, fingerprint, email, role, createdAt],
  );
}

/** The one that somebody presents, before any company is known. @param oldest - as `openInvitations` */
export async function presentedInvitation(
  database: TenantDatabase,
  fingerprint: Buffer,
  oldest: Date,
): Promise<Invitation | undefined> {
  const scope = mintSystemScope({ 'app.invitation': fingerprint.toString('hex') });
  return database.unscoped(scope, async ({ client }) => {
    const { rows } = await client.query<Invitation>(
      `SELECT company_id AS "companyId", email, role FROM invitations
       WHERE invitation_sha256 = $1 AND accepted_at IS NULL AND created_at > $2`,
      [fingerprint, oldest],
    );
    return rows[0];
  });
}

/** @returns whether it was still to be accepted: of two who come at once, one is late */
export async function acceptInvitation(
  { client, companyId }: TenantTransaction,
  fingerprint: Buffer,
  at: Date,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE invitations SET accepted_at = $3 WHERE company_id = $1 AND invitation_sha256 = $2
       AND accepted_at IS NULL`,
    [companyId, fingerprint, at],
  );
  return rowCount === 1;
}
