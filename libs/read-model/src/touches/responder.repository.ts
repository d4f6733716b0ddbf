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

/** Responders that one statement reads: a list of any length costs one page of memory. */
const PAGE = 500;

/** Spelled out in the statements, so that the index of answered touches serves them. */
const RESPONDED = OUTCOMES.indexOf('responded');

// `responders` says who has answered, and of which recipients messages that name no address are theirs; it follows the
// messages in the transaction that changes them. Each look-up is of one person or one recipient, so that no estimate of
// sizes can turn the page into a product of lists.
const messages = (columns: string, which = '') => `(
    SELECT ${columns} FROM touches WHERE company_id = $1 AND recipient_hash = answered.person ${which}
    UNION ALL SELECT ${columns} FROM unnest(answered.recipient_ids) AS own (id) CROSS JOIN LATERAL (
      SELECT * FROM touches WHERE company_id = $1 AND recipient_id = own.id AND recipient_hash IS NULL ${which} OFFSET 0
    ) AS unaddressed
  ) AS message`;
const ANSWERED = `AND outcome = ${RESPONDED}`;

const PEOPLE = `
  WITH answered AS MATERIALIZED (
    SELECT recipient_hash AS person, recipient_ids FROM responders
    WHERE company_id = $1 AND recipient_hash > $2 ORDER BY recipient_hash LIMIT ${PAGE}
  )
  SELECT person AS "personId", position, position_confidence AS "positionConfidence",
    recipient_position AS "jobTitle", messages, responses, last_outcome_at AS "lastOutcomeAt",
    "answeredLevels", email_domain AS "emailDomain", industry
  FROM answered CROSS JOIN LATERAL (
    SELECT position, position_confidence, recipient_position
    FROM ${messages('position, position_confidence, recipient_position, sent_at, touch_id', ANSWERED)}
    ORDER BY position = 0, sent_at DESC, touch_id LIMIT 1
  ) AS newest CROSS JOIN LATERAL (
    SELECT count(*)::integer AS messages, (count(*) FILTER (WHERE outcome = ${RESPONDED}))::integer AS responses,
      max(outcome_at) AS last_outcome_at
    FROM ${messages('outcome, outcome_at')}
  ) AS counted CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(level ORDER BY level), '{}') AS "answeredLevels"
    FROM ${messages('levels', ANSWERED)}, unnest(levels) AS level
  ) AS levels CROSS JOIN LATERAL (
    SELECT max(e.email_domain) AS email_domain,
      max(left(lower(btrim(e.industry)), 60)) FILTER (WHERE $3) AS industry
    FROM ${messages('recipient_id, touch_id', ANSWERED)} CROSS JOIN LATERAL (
      SELECT email_domain, industry FROM outcome_events
      WHERE company_id = $1 AND recipient_id = message.recipient_id AND touch_id = message.touch_id OFFSET 0
    ) AS e
  ) AS event
  ORDER BY person`;

@Injectable()
export class ResponderRepository {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /**
   * Everybody who answered, in order of the person's id, page by page. The position is that of the newest answered
   * message of which one is known, as in the recipient analysis.
   * @param after - id that the page before ended with
   * @returns an empty page after the last
   */
  async page(scope: TenantScope, after: string, { withIndustry = false } = {}): Promise<Responder[]> {
    return this.database.transaction(scope, async ({ companyId, client }) => {
      const found = await client.query<Omit<Responder, 'position'> & { position: number }>({
        text: PEOPLE,
        values: [companyId, after, withIndustry],
      });
      return found.rows.map((row) => ({ ...row, position: POSITIONS[row.position] ?? 'unknown' }));
    });
  }
}
