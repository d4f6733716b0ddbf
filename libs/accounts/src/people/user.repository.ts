import { INSTALLATION, recordAdministration, type AdministrativeEntry } from '@outcomes/audit';
import type { TenantDatabase, TenantTransaction } from '@outcomes/tenancy';
import { mintSystemScope, type SystemTransaction } from '@outcomes/tenancy/system';

// An account is of no company: it is seen by whoever presents what it is found by.

/** An account as it is stored; it has a password, or an issuer and a subject. */
export interface StoredUser {
  readonly userId: string;
  readonly email: string;
  readonly password: string | null;
  readonly issuer: string | null;
  readonly subject: string | null;
  readonly createdAt: Date;
}

export interface OwnSession {
  readonly fingerprint: Buffer;
  readonly signedInAt: Date;
  readonly lastUsedAt: Date;
}

type Transaction = TenantTransaction | SystemTransaction;
type Entry = Omit<AdministrativeEntry, 'subject'>;

/** Presents an address, to the end of the transaction. @returns whose it is; undefined where it is nobody's */
export async function presentAddress({ client }: Transaction, email: string): Promise<string | undefined> {
  await client.query(`SELECT set_config('app.user_email', $1, true)`, [email]);
  const { rows } = await client.query<{ userId: string }>(
    'SELECT user_id AS "userId" FROM users WHERE email = $1',
    [email],
  );
  return rows[0]?.userId;
}

/** Presents a user, to the end of the transaction. */
export async function presentUser({ client }: Transaction, userId: string): Promise<void> {
  await client.query(`SELECT set_config('app.user_id', $1, true)`, [userId]);
}

/** Whom the provider knows. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

export type LinkedUser = Pick<StoredUser, 'userId' | 'issuer' | 'subject'>;

/** The account of an address, which nobody else changes to the end of the transaction. */
export async function lockUserAt({ client }: Transaction, email: string): Promise<LinkedUser | undefined> {
  await client.query(`SELECT set_config('app.user_email', $1, true)`, [email]);
  const { rows } = await client.query<LinkedUser>(
    'SELECT user_id AS "userId", issuer, subject FROM users WHERE email = $1 FOR UPDATE',
    [email],
  );
  return rows[0];
}

/** Gives an account to an identity at the provider: its password and its sessions are gone. */
export async function linkIdentity(
  transaction: Transaction,
  userId: string,
  { issuer, subject }: Identity,
): Promise<void> {
  await presentUser(transaction, userId);
  await transaction.client.query(
    'UPDATE users SET issuer = $2, subject = $3, password = NULL WHERE user_id = $1',
    [userId, issuer, subject],
  );
  await transaction.client.query('DELETE FROM user_sessions WHERE user_id = $1', [userId]);
}

/** In a transaction to which the user or its address was presented. */
export async function insertUser(
  { client }: Transaction,
  { userId, email, password, issuer, subject, createdAt }: StoredUser,
): Promise<void> {
  await client.query(
    `INSERT INTO users (user_id, email, password, issuer, subject, created_at) VALUES ($1, $2, $3, $4, $5, $6)`,
    [userId, email, password, issuer, subject, createdAt],
  );
}

export async function userByAddress(
  database: TenantDatabase,
  email: string,
): Promise<Pick<StoredUser, 'userId' | 'password'> | undefined> {
  return database.unscoped(mintSystemScope({ 'app.user_email': email }), async ({ client }) => {
    const { rows } = await client.query<Pick<StoredUser, 'userId' | 'password'>>(
      'SELECT user_id AS "userId", password FROM users WHERE email = $1',
      [email],
    );
    return rows[0];
  });
}

/** Whom a provider knows by a subject. */
export async function userOfProvider(
  database: TenantDatabase,
  { issuer, subject }: Identity,
): Promise<string | undefined> {
  const scope = mintSystemScope({ 'app.user_issuer': issuer, 'app.user_subject': subject });
  return database.unscoped(scope, async ({ client }) => {
    const { rows } = await client.query<{ userId: string }>(
      'SELECT user_id AS "userId" FROM users WHERE issuer = $1 AND subject = $2',
      [issuer, subject],
    );
    return rows[0]?.userId;
  });
}

export async function passwordOf(
  database: TenantDatabase,
  userId: string,
): Promise<string | null | undefined> {
  return database.unscoped(mintSystemScope({ 'app.user_id': userId }), (transaction) =>
    passwordWithin(transaction, userId),
  );
}

/** What an account is signed in by, and where it is. */
export async function accountOf(
  database: TenantDatabase,
  userId: string,
): Promise<{ readonly sessions: readonly OwnSession[]; readonly password: string | null | undefined }> {
  return database.unscoped(mintSystemScope({ 'app.user_id': userId }), async (transaction) => {
    const { rows: sessions } = await transaction.client.query<OwnSession>(
      `SELECT session_sha256 AS fingerprint, signed_in_at AS "signedInAt", last_used_at AS "lastUsedAt"
       FROM user_sessions WHERE user_id = $1 ORDER BY last_used_at DESC`,
      [userId],
    );
    return { sessions, password: await passwordWithin(transaction, userId) };
  });
}

/**
 * Gives an account another password and ends its sessions. The log of the installation has it.
 * @param passwords - hashes of the one that was verified, and of the next
 * @returns false where the password is another one by now: nothing is changed then
 */
export async function changePassword(
  database: TenantDatabase,
  userId: string,
  { verified, next }: { readonly verified: string; readonly next: string },
  entry: Entry,
): Promise<boolean> {
  const scope = mintSystemScope({ 'app.user_id': userId, 'app.company_id': INSTALLATION });
  return database.unscoped(scope, async (transaction) => {
    const { rowCount } = await transaction.client.query(
      'UPDATE users SET password = $2 WHERE user_id = $1 AND password = $3',
      [userId, next, verified],
    );
    if (rowCount === 0) return false;
    await endSessionsFor(transaction, userId, entry);
    return true;
  });
}

/** The same for whoever has an address, whatever the password is. @returns false where that is nobody */
export async function changePasswordOfAddress(
  database: TenantDatabase,
  email: string,
  password: string,
  entry: Entry,
): Promise<boolean> {
  return database.unscoped(mintSystemScope({ 'app.company_id': INSTALLATION }), async (transaction) => {
    const userId = await presentAddress(transaction, email);
    if (userId === undefined) return false;
    await presentUser(transaction, userId);
    await transaction.client.query('UPDATE users SET password = $2 WHERE user_id = $1', [userId, password]);
    await endSessionsFor(transaction, userId, entry);
    return true;
  });
}

/** After the user was changed, so that a session that begins now waits for it and does not begin. */
async function endSessionsFor({ client }: SystemTransaction, userId: string, entry: Entry): Promise<void> {
  await client.query('DELETE FROM user_sessions WHERE user_id = $1', [userId]);
  await recordAdministration({ companyId: INSTALLATION, client }, { ...entry, subject: userId });
}

async function passwordWithin(
  { client }: SystemTransaction,
  userId: string,
): Promise<string | null | undefined> {
  const { rows } = await client.query<Pick<StoredUser, 'password'>>(
    'SELECT password FROM users WHERE user_id = $1',
    [userId],
  );
  return rows[0]?.password;
}
