import { Inject, Injectable } from '@nestjs/common';
import { POSITIONS, type Position } from '@outcomes/contracts';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { INDUSTRY_COUNTS, type IndustryCount } from './industry-counts';

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

/** People of one position and industry who have answered. */
export interface ResponderGroup {
  readonly position: Position;
  readonly industry: string;
  readonly people: number;
}

/** Everything about recipients that the counts do not hold. */
export interface RecipientReadings {
  readonly responders: readonly Responders[];
  /** By position and industry; people whose industry was never sent are absent. */
  readonly byIndustry: readonly ResponderGroup[];
  /** Messages and replies by industry, stratum and level. */
  readonly industryCounts: readonly IndustryCount[];
}

/** From here on a position counts as known. */
export const HIGH_CONFIDENCE = 0.8;
const RESPONDED = 1; // index into OUTCOMES

// Profiles are of people whose address is known: a profile's id is the hash of it. Their position is that of the
// newest message they answered of which a position is known.
const PEOPLE = `
  SELECT recipient_hash,
    (array_agg(position ORDER BY position = 0, sent_at DESC, touch_id))[1] AS position,
    (array_agg(position_confidence::numeric ORDER BY position = 0, sent_at DESC, touch_id))[1] AS confidence,
    count(*) AS responses
  FROM touches
  WHERE company_id = $1 AND outcome = ${RESPONDED} AND recipient_hash IS NOT NULL
  GROUP BY recipient_hash`;

// Confidences are averaged exactly, so that the order of rows changes nothing.
const RESPONDERS = `
  SELECT position, count(*)::int AS people, (count(*) FILTER (WHERE confidence >= ${HIGH_CONFIDENCE}))::int AS confident,
    sum(responses)::int AS responses, avg(confidence)::float8 AS confidence
  FROM (${PEOPLE}) AS people
  GROUP BY position
  ORDER BY position`;

const BY_INDUSTRY = `
  SELECT position, industry, count(*)::int AS people
  FROM (${PEOPLE}) AS people JOIN LATERAL (
    SELECT max(left(lower(btrim(industry)), 60)) AS industry FROM touches t JOIN outcome_events e USING (company_id, recipient_id, touch_id)
    WHERE t.company_id = $1 AND t.recipient_hash = people.recipient_hash AND t.outcome = ${RESPONDED}
  ) AS event ON industry = ANY ($2)
  GROUP BY position, industry
  ORDER BY position, industry COLLATE "C"`;

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

  /** What a run needs to know of recipients. The cost of the industries is bounded, however long the history. */
  async read(scope: TenantScope): Promise<RecipientReadings> {
    const responders = await this.byPosition(scope);
    return this.database.transaction(scope, async ({ client, companyId }) => {
      const counts = await client.query<IndustryCount>(INDUSTRY_COUNTS, [companyId]);
      const industries = [...new Set(counts.rows.map(({ industry }) => industry))];
      const groups =
        industries.length < 2
          ? []
          : (
              await client.query<Omit<ResponderGroup, 'position'> & { position: number }>(BY_INDUSTRY, [
                companyId,
                industries,
              ])
            ).rows;
      return {
        responders,
        industryCounts: counts.rows,
        byIndustry: groups.map((row) => ({ ...row, position: POSITIONS[row.position] ?? 'unknown' })),
      };
    });
  }
}
