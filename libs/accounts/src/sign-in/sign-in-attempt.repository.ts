import type { TenantDatabase } from '@outcomes/tenancy';
import { mintSystemScope } from '@outcomes/tenancy/system';

/** What a provider's answer is held against. */
export interface SignInAttempt {
  readonly nonce: string;
  readonly verifier: string;
  readonly invitation: Buffer | null;
  readonly beganAt: Date;
  /** Whether the provider has to authenticate the person anew. */
  readonly reauthenticates: boolean;
}

/** @param fingerprint - of the cookie that the browser gets */
export async function keepAttempt(
  database: TenantDatabase,
  fingerprint: Buffer,
  { nonce, verifier, invitation, beganAt, reauthenticates }: SignInAttempt,
): Promise<void> {
  await database.unscoped(presented(fingerprint), ({ client }) =>
    client.query(
      `INSERT INTO sign_in_attempts (attempt_sha256, nonce, code_verifier, invitation_sha256, began_at, reauthenticates)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [fingerprint, nonce, verifier, invitation, beganAt, reauthenticates],
    ),
  );
}

/** An attempt is gone once it was presented, whatever comes of it. */
export async function takeAttempt(
  database: TenantDatabase,
  fingerprint: Buffer,
): Promise<SignInAttempt | undefined> {
  return database.unscoped(presented(fingerprint), async ({ client }) => {
    const { rows } = await client.query<SignInAttempt>(
      `DELETE FROM sign_in_attempts WHERE attempt_sha256 = $1
       RETURNING nonce, code_verifier AS verifier, invitation_sha256 AS invitation, began_at AS "beganAt",
         reauthenticates`,
      [fingerprint],
    );
    return rows[0];
  });
}

function presented(fingerprint: Buffer) {
  return mintSystemScope({ 'app.sign_in_attempt': fingerprint.toString('hex') });
}
