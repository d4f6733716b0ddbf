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
}

/** Spelled out in the statements, so that the index of answered touches serves them. */
const RESPONDED = OUTCOMES.indexOf('responded');

@Injectable()
export class ResponderRepository {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /** Everybody who answered and whose address is known, in order of the hash. */
  async findAll(scope: TenantScope): Promise<Responder[]> {
    return this.database.transaction(scope, async ({ companyId, client }) => {
      const found = await client.query<Omit<Responder, 'position'> & { position: number }>({
        text: `WITH answered AS (
            SELECT DISTINCT recipient_hash FROM touches
            WHERE company_id = $1 AND recipient_hash IS NOT NULL AND outcome = ${RESPONDED}
          ), newest AS (
            SELECT DISTINCT ON (recipient_hash) recipient_hash, recipient_id, position, position_confidence,
              recipient_position
            FROM touches JOIN answered USING (recipient_hash) WHERE company_id = $1
            ORDER BY recipient_hash, position = 0, sent_at DESC
          ), counted AS (
            SELECT recipient_hash, count(*)::integer AS messages,
              (count(*) FILTER (WHERE outcome = ${RESPONDED}))::integer AS responses, max(outcome_at) AS last_outcome_at
            FROM touches JOIN answered USING (recipient_hash) WHERE company_id = $1 GROUP BY recipient_hash
          ), levels AS (
            SELECT recipient_hash, array_agg(level ORDER BY level) AS answered_levels
            FROM touches JOIN answered USING (recipient_hash), unnest(levels) AS level
            WHERE company_id = $1 AND outcome = ${RESPONDED} GROUP BY recipient_hash
          )
          SELECT recipient_hash AS "addressHash", position, position_confidence AS "positionConfidence",
            recipient_position AS "jobTitle", messages, responses, last_outcome_at AS "lastOutcomeAt",
            coalesce(answered_levels, '{}') AS "answeredLevels",
            (SELECT email_domain FROM outcome_events e WHERE e.company_id = $1
              AND e.recipient_id = newest.recipient_id AND e.recipient_hash = newest.recipient_hash
              LIMIT 1) AS "emailDomain"
          FROM newest JOIN counted USING (recipient_hash) LEFT JOIN levels USING (recipient_hash)
          ORDER BY recipient_hash`,
        values: [companyId],
      });
      return found.rows.map((row) => ({ ...row, position: POSITIONS[row.position] ?? 'unknown' }));
    });
  }
}
