import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Deprecation } from '@outcomes/contracts';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';

/** Somebody to write to, and the keys that it is about. */
export interface KeyHolder {
  readonly email: string;
  /** Stands for the address, in this company only. */
  readonly sha256: Buffer;
  readonly keyIds: readonly string[];
}

/** Holders of a company's active keys, and how many of the keys nobody can be written to about. */
export interface KeyHolders {
  readonly holders: readonly KeyHolder[];
  readonly keysWithoutContact: number;
}

/**
 * Pause after the first attempt, doubled after each further one up to the longest. An attempt takes four minutes at
 * most (SmtpSettings.timeoutMs), so whoever made a claim that is due again has given up or died.
 */
const FIRST_PAUSE_SECONDS = 900;
const LONGEST_PAUSE_SECONDS = 86_400;
/** What was announced is forgotten so many days after the end. */
const DAYS_KEPT = 30;

/** Contacts of keys, and who was told of what. */
@Injectable()
export class AnnouncementRepository {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /** A key's own contact, or else the company's; one holder per address, whatever its keys. */
  async holders(scope: TenantScope, now: Date): Promise<KeyHolders> {
    const { rows } = await this.database.transaction(scope, ({ client, companyId }) =>
      client.query<{ key_id: string; email: string | null }>(
        `SELECT keys.key_id, coalesce(own.email, company.email) AS email FROM api_keys keys
           LEFT JOIN key_contacts own ON own.company_id = keys.company_id AND own.key_id = keys.key_id
           LEFT JOIN key_contacts company ON company.company_id = keys.company_id AND company.key_id = ''
          WHERE keys.company_id = $1 AND keys.revoked_at IS NULL AND keys.expires_at > $2
          ORDER BY keys.key_id`,
        [companyId, now],
      ),
    );
    const holders = new Map<string, KeyHolder & { readonly keyIds: string[] }>();
    for (const { key_id, email } of rows) {
      if (email === null) continue;
      const identity = email.toLowerCase();
      const sha256 = createHash('sha256').update(`${scope.companyId}\n${identity}`).digest();
      const holder = holders.get(identity) ?? { email, sha256, keyIds: [] };
      holder.keyIds.push(key_id);
      holders.set(identity, holder);
    }
    return {
      holders: [...holders.values()],
      keysWithoutContact: rows.filter(({ email }) => email === null).length,
    };
  }

  /**
   * Takes it upon the caller to tell a holder, and puts the next attempt off in the same statement.
   * @returns false where the holder was told, or another attempt is under way or not yet due
   */
  async claim(
    scope: TenantScope,
    deprecation: Deprecation,
    { sha256 }: KeyHolder,
    now: Date,
  ): Promise<boolean> {
    const claimed = await this.database.transaction(scope, ({ client, companyId }) =>
      client.query(
        `INSERT INTO announcements AS told
           (company_id, deprecation_id, contact_sha256, sunset_on, attempts, next_attempt_at)
         VALUES ($1, $2, $3, $4, 1, $5::timestamptz + make_interval(secs => $6::float8))
         ON CONFLICT (company_id, deprecation_id, contact_sha256) DO UPDATE
            SET attempts = told.attempts + 1,
                next_attempt_at = $5::timestamptz
                  + make_interval(secs => least($6::float8 * power(2, least(told.attempts, 30)), $7::float8))
          WHERE told.sent_at IS NULL AND told.next_attempt_at <= $5`,
        [
          companyId,
          deprecation.id,
          sha256,
          deprecation.sunsetOn,
          now,
          FIRST_PAUSE_SECONDS,
          LONGEST_PAUSE_SECONDS,
        ],
      ),
    );
    return claimed.rowCount === 1;
  }

  /** The holder was told; nobody tells it again. */
  async told(scope: TenantScope, deprecation: Deprecation, { sha256 }: KeyHolder, now: Date): Promise<void> {
    await this.database.transaction(scope, ({ client, companyId }) =>
      client.query(
        `UPDATE announcements SET sent_at = $4
          WHERE company_id = $1 AND deprecation_id = $2 AND contact_sha256 = $3`,
        [companyId, deprecation.id, sha256, now],
      ),
    );
  }

  /** Lets go of contacts whose key has ended, and of who was told of what ended long ago. */
  async expire(scope: TenantScope, now: Date): Promise<void> {
    await this.database.transaction(scope, async ({ client, companyId }) => {
      await client.query(
        `DELETE FROM key_contacts WHERE company_id = $1 AND key_id <> '' AND key_id NOT IN
           (SELECT key_id FROM api_keys WHERE company_id = $1 AND revoked_at IS NULL AND expires_at > $2)`,
        [companyId, now],
      );
      await client.query(
        `DELETE FROM announcements WHERE company_id = $1 AND sunset_on < ($2::timestamptz AT TIME ZONE 'UTC')::date - $3::int`,
        [companyId, now, DAYS_KEPT],
      );
    });
  }
}
