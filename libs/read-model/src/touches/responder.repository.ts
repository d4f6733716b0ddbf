import { Inject, Injectable } from '@nestjs/common';
import { OUTCOMES, POSITIONS, type Position } from '@outcomes/contracts';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';

/** A person who has answered at least once. */
export interface Responder {
  /** 16 hex digits: of the hash of the address or, where none was ever sent, of the recipient_id. */
  readonly personId: string;
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

/** Responders that one statement reads at most: a list of any length costs one page of memory. */
export const MAX_RESPONDERS = 500;

/** Spelled out in the statements, so that the index of answered touches serves them. */
const RESPONDED = OUTCOMES.indexOf('responded');

// `responders` says who has answered, and of which recipients messages that name no address are theirs; it follows the
// messages in the transaction that changes them. Answers are looked up person by person, in indexes of answers alone, so
// that no estimate of sizes can turn the page into a product of lists. All messages of a page are read at once: where
// sizes are not known yet, a company is read once for them and not once for each person.
const answers = (columns: string) => `(
    SELECT ${columns} FROM touches
    WHERE company_id = (SELECT $1::uuid) AND recipient_hash = answered.person AND outcome = ${RESPONDED}
    UNION ALL SELECT ${columns} FROM unnest(answered.recipient_ids) AS own (id) CROSS JOIN LATERAL (
      SELECT * FROM touches
      WHERE company_id = (SELECT $1::uuid) AND recipient_id = own.id AND recipient_hash IS NULL AND outcome = ${RESPONDED} OFFSET 0
    ) AS unaddressed
  ) AS answer`;

/** The number stands in the text, so that no plan is made for another one. */
const people = (limit: number) => `
  WITH answered AS MATERIALIZED (
    SELECT recipient_hash AS person, recipient_ids FROM responders
    WHERE company_id = (SELECT $1::uuid) AND recipient_hash > $2 ORDER BY recipient_hash LIMIT ${limit}
  ), own AS MATERIALIZED (
    SELECT person, id FROM answered, unnest(recipient_ids) AS id
  ), unaddressed AS MATERIALIZED (
    SELECT recipient_id, outcome_at FROM touches
    WHERE company_id = (SELECT $1::uuid) AND recipient_hash IS NULL AND recipient_id = ANY (ARRAY(SELECT id FROM own))
  ), sent AS MATERIALIZED (
    SELECT person, count(*)::integer AS messages, max(outcome_at) AS last_outcome_at FROM (
      SELECT recipient_hash AS person, outcome_at FROM touches
      WHERE company_id = (SELECT $1::uuid) AND recipient_hash = ANY (ARRAY(SELECT person FROM answered))
      UNION ALL SELECT person, outcome_at FROM own JOIN unaddressed ON recipient_id = id
    ) AS message GROUP BY person
  )
  SELECT person AS "personId", position, position_confidence AS "positionConfidence",
    recipient_position AS "jobTitle", messages, responses, last_outcome_at AS "lastOutcomeAt",
    "answeredLevels", email_domain AS "emailDomain", industry
  FROM answered JOIN sent USING (person) CROSS JOIN LATERAL (
    SELECT position, position_confidence, recipient_position
    FROM ${answers('position, position_confidence, recipient_position, sent_at, touch_id')}
    ORDER BY position = 0, sent_at DESC, touch_id LIMIT 1
  ) AS newest CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(level ORDER BY level), '{}') AS "answeredLevels"
    FROM ${answers('levels')}, unnest(levels) AS level
  ) AS levels CROSS JOIN LATERAL (
    SELECT count(DISTINCT touch_id)::integer AS responses, max(email_domain) AS email_domain,
      (array_agg(industry ORDER BY industry IS NULL, sent_at DESC, touch_id) FILTER (WHERE $3))[1] AS industry
    FROM ${answers('recipient_id, touch_id, industry, sent_at')} LEFT JOIN LATERAL (
      SELECT email_domain FROM outcome_events
      WHERE company_id = (SELECT $1::uuid) AND recipient_id = answer.recipient_id AND touch_id = answer.touch_id OFFSET 0
    ) AS event ON true
  ) AS events
  ORDER BY person`;

@Injectable()
export class ResponderRepository {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /**
   * Everybody who answered, in order of the person's id, page by page. The position is that of the newest answered
   * message of which one is known, as in the recipient analysis.
   * @param after - id that the page before ended with
   * @param limit - people, from 1 to MAX_RESPONDERS
   * @returns an empty page after the last
   */
  async page(
    scope: TenantScope,
    after: string,
    { withIndustry = false, limit = MAX_RESPONDERS } = {},
  ): Promise<Responder[]> {
    return this.database.transaction(scope, async ({ companyId, client }) => {
      const found = await client.query<Omit<Responder, 'position'> & { position: number }>({
        text: people(Math.min(MAX_RESPONDERS, Math.max(1, Math.trunc(limit)))),
        values: [companyId, after, withIndustry],
      });
      return found.rows.map((row) => ({ ...row, position: POSITIONS[row.position] ?? 'unknown' }));
    });
  }
}
