import type { Role } from '@outcomes/contracts';
import type { TenantDatabase, TenantTransaction } from '@outcomes/tenancy';
import { mintSystemScope } from '@outcomes/tenancy/system';

export interface Invitation {
  readonly companyId: string;
  readonly email: string;
  readonly role: Role;
  /** Whether it gives the account of its address to another identity at the provider. */
  readonly relinks: boolean;
}

export interface SentInvitation {
  readonly invitationId: string;
  readonly email: string;
  readonly role: Role;
  readonly createdAt: Date;
}

export interface NewInvitation extends Omit<SentInvitation, 'invitationId'> {
  /** User who sends it; null for an operator. */
  readonly invitedBy: string | null;
  readonly relinks: boolean;
}

/** One that was taken back before anybody accepted it. */
export type WithdrawnInvitation = Pick<SentInvitation, 'email' | 'role'>;

/** Invitations that may still be accepted. @param oldest - when the oldest of them was sent */
export async function openInvitations(
  { client, companyId }: TenantTransaction,
  oldest: Date,
): Promise<SentInvitation[]> {
  const { rows } = await client.query<SentInvitation>(
    `SELECT invitation_id AS "invitationId", email, role, created_at AS "createdAt" FROM invitations
     WHERE company_id = $1 AND accepted_at IS NULL AND created_at > $2 ORDER BY created_at, email`,
    [companyId, oldest],
  );
  return rows;
}

/**
 * Writes an invitation down in the place of what was sent to that address before.
 * @returns what was taken back
 */
export async function invite(
  transaction: TenantTransaction,
  fingerprint: Buffer,
  { email, role, createdAt, invitedBy, relinks }: NewInvitation,
): Promise<WithdrawnInvitation[]> {
  const { client, companyId } = transaction;
  const withdrawn = await withdrawInvitationsTo(transaction, email);
  await client.query(
    `INSERT INTO invitations (company_id, invitation_sha256, email, role, created_at, invited_by, relinks)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [companyId, fingerprint, email, role, createdAt, invitedBy, relinks],
  );
  return withdrawn;
}

/** @param invitationId - a UUID @returns what was taken back; undefined where nothing open has this id */
export async function withdrawInvitation(
  { client, companyId }: TenantTransaction,
  invitationId: string,
): Promise<WithdrawnInvitation | undefined> {
  const { rows } = await client.query<WithdrawnInvitation>(
    `DELETE FROM invitations WHERE company_id = $1 AND invitation_id = $2 AND accepted_at IS NULL
     RETURNING email, role`,
    [companyId, invitationId],
  );
  return rows[0];
}

/** Takes back what is open for an address. */
export async function withdrawInvitationsTo(
  { client, companyId }: TenantTransaction,
  email: string,
): Promise<WithdrawnInvitation[]> {
  const { rows } = await client.query<WithdrawnInvitation>(
    `DELETE FROM invitations WHERE company_id = $1 AND email = $2 AND accepted_at IS NULL
     RETURNING email, role`,
    [companyId, email],
  );
  return rows;
}

/** Takes back what somebody sent and nobody accepted yet, of these roles. */
export async function withdrawInvitationsBy(
  { client, companyId }: TenantTransaction,
  userId: string,
  roles: readonly Role[],
): Promise<WithdrawnInvitation[]> {
  // Pods of the version before name no inviter; of theirs the log tells who invited the address.
  const { rows } = await client.query<WithdrawnInvitation>(
    `DELETE FROM invitations WHERE company_id = $1 AND accepted_at IS NULL AND role = ANY ($3::text[])
       AND (invited_by::text = $2 OR (invited_by IS NULL AND EXISTS (
         SELECT FROM administration_log AS log
         WHERE log.company_id = $1 AND log.action = 'person.invite' AND log.actor_type = 'user'
           AND log.actor_id = $2 AND log.subject = encode(sha256(convert_to(invitations.email, 'UTF8')), 'hex'))))
     RETURNING email, role`,
    [companyId, userId, roles],
  );
  return rows;
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
      `SELECT company_id AS "companyId", email, role, relinks FROM invitations
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
