import { Inject, Injectable } from '@nestjs/common';
import { POSITIONS, type Position } from '@outcomes/contracts';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';

/** The people of one position who have answered at least once. */
export interface Responders {
  readonly position: Position;
  readonly people: number;
  /** Those whose position is known with HIGH_CONFIDENCE or more. */
  readonly confident: number;
  readonly responses: number;
  /** Mean confidence in the position, 0 to 1. */
  readonly confidence: number;
}

/** From here on a position counts as known. */
export const HIGH_CONFIDENCE = 0.8;
const RESPONDED = 1; // index into OUTCOMES

// One person is one address where it is known, and one recipient_id otherwise; their position is that of the newest
// message they answered of which a position is known. Confidences are averaged exactly, so that the order of rows
// changes nothing.
const RESPONDERS = `
  SELECT position, count(*)::int AS people, (count(*) FILTER (WHERE confidence >= ${HIGH_CONFIDENCE}))::int AS confident,
    sum(responses)::int AS responses, avg(confidence)::float8 AS confidence
  FROM (
    SELECT (array_agg(position ORDER BY position = 0, sent_at DESC, touch_id))[1] AS position,
      (array_agg(position_confidence::numeric ORDER BY position = 0, sent_at DESC, touch_id))[1] AS confidence,
      count(*) AS responses
    FROM touches
    WHERE company_id = $1 AND outcome = ${RESPONDED}
    GROUP BY coalesce(recipient_hash, recipient_id)
  ) AS people
  GROUP BY position
  ORDER BY position`;

@Injectable()
export class ResponderRepository {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /** Who has answered, by position, in order of POSITIONS; positions without anyone are absent. */
  async byPosition(scope: TenantScope): Promise<Responders[]> {
    return this.database.transaction(scope, async ({ client, companyId }) => {
      const { rows } = await client.query<Omit<Responders, 'position'> & { position: number }>(RESPONDERS, [
        companyId,
      ]);
      return rows.map((row) => ({ ...row, position: POSITIONS[row.position] ?? 'unknown' }));
    });
  }
}
