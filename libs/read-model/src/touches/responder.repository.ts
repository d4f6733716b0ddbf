import { Inject, Injectable } from '@nestjs/common';
import { OUTCOMES, POSITIONS, type Position } from '@outcomes/contracts';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';

/** A recipient, by address hash, who has answered at least once. */
export interface Responder {
  readonly addressHash: string;
  readonly position: Position;
  readonly positionConfidence: number;
  /** The job title as sent. */
  readonly jobTitle: string | null;
  readonly emailDomain: string | null;
  readonly responses: number;
  readonly messages: number;
  /** Levels (index into LEVELS) of the answered messages, one entry per message and level. */
  readonly answeredLevels: readonly number[];
  readonly lastOutcomeAt: Date;
  /** As recipients are grouped by it; null where none was sent, or where it was not asked for. */
  readonly industry: string | null;
}

/** Responders that one statement reads: a list of any length costs one page of memory. */
const PAGE = 500;

/** Spelled out in the statements, so that the index of answered touches serves them. */
const RESPONDED = OUTCOMES.indexOf('responded');

@Injectable()
export class ResponderRepository {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /**
   * Everybody who answered and whose address is known, in order of the hash, page by page. The position is that of the
   * newest answered message of which one is known, as in the recipient analysis.
   * @param after - hash that the page before ended with
   * @returns an empty page after the last
   */
  async page(scope: TenantScope, after: string, { withIndustry = false } = {}): Promise<Responder[]> {
    return this.database.transaction(scope, async ({ companyId, client }) => {
      const found = await client.query<Omit<Responder, 'position'> & { position: number }>({
        // One look-up per person, so that no estimate of sizes can turn the page into a product of lists.
        text: `WITH answered AS MATERIALIZED (
            SELECT DISTINCT recipient_hash FROM touches
            WHERE company_id = $1 AND recipient_hash IS NOT NULL AND outcome = ${RESPONDED} AND recipient_hash > $2
            ORDER BY recipient_hash LIMIT ${PAGE}
          )
          SELECT recipient_hash AS "addressHash", position, position_confidence AS "positionConfidence",
            recipient_position AS "jobTitle", messages, responses, last_outcome_at AS "lastOutcomeAt",
            "answeredLevels", email_domain AS "emailDomain", industry
          FROM answered CROSS JOIN LATERAL (
            SELECT position, position_confidence, recipient_position FROM touches
            WHERE company_id = $1 AND recipient_hash = answered.recipient_hash AND outcome = ${RESPONDED}
            ORDER BY position = 0, sent_at DESC, touch_id LIMIT 1
          ) AS newest CROSS JOIN LATERAL (
            SELECT count(*)::integer AS messages, (count(*) FILTER (WHERE outcome = ${RESPONDED}))::integer AS responses,
              max(outcome_at) AS last_outcome_at
            FROM touches WHERE company_id = $1 AND recipient_hash = answered.recipient_hash
          ) AS counted CROSS JOIN LATERAL (
            SELECT coalesce(array_agg(level ORDER BY level), '{}') AS "answeredLevels" FROM touches, unnest(levels) AS level
            WHERE company_id = $1 AND recipient_hash = answered.recipient_hash AND outcome = ${RESPONDED}
          ) AS levels CROSS JOIN LATERAL (
            SELECT max(e.email_domain) AS email_domain,
              max(left(lower(btrim(e.industry)), 60)) FILTER (WHERE $3) AS industry
            FROM touches t JOIN outcome_events e USING (company_id, recipient_id, touch_id)
            WHERE t.company_id = $1 AND t.recipient_hash = answered.recipient_hash AND t.outcome = ${RESPONDED}
          ) AS event
          ORDER BY recipient_hash`,
        values: [companyId, after, withIndustry],
      });
      return found.rows.map((row) => ({ ...row, position: POSITIONS[row.position] ?? 'unknown' }));
    });
  }
}
