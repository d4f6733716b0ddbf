import { Inject, Injectable } from '@nestjs/common';
import { POSITIONS, type Position } from '@outcomes/contracts';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { readRecipientCounts, type RecipientCounts } from './industry-days.repository';

/** The people of one position who have answered at least once. */
export interface Responders {
  readonly position: Position;
  readonly people: number;
  /** Those whose position is known with a confidence of 0.8 or more. */
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
export interface RecipientReadings extends RecipientCounts {
  readonly responders: readonly Responders[];
  /** By position and industry; people whose industry was never sent are absent. */
  readonly byIndustry: readonly ResponderGroup[];
}

// Both follow every change of a touch (triggers of `touches` and `responders`), erasure included. Confidences are summed
// exactly, so that the order of changes does not matter.
const RESPONDERS = `
  SELECT position, sum(people)::int AS people, sum(confident)::int AS confident, sum(responses)::int AS responses,
    (sum(confidence) / sum(people))::float8 AS confidence
  FROM responder_counts WHERE company_id = $1
  GROUP BY position ORDER BY position`;

const BY_INDUSTRY = `
  SELECT position, industry, people FROM responder_counts
  WHERE company_id = $1 AND industry = ANY ($2)
  ORDER BY position, industry`;

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

  /**
   * What a run needs to know of recipients. The cost of the industries is bounded, however long the history.
   * @param settledThrough - last send day whose messages have all settled, by channel
   */
  async read(scope: TenantScope, settledThrough: ReadonlyMap<number, number>): Promise<RecipientReadings> {
    const counts = await readRecipientCounts(this.database, scope, settledThrough);
    const industries = [...new Set(counts.industryCounts.map(({ group }) => group))];
    const byIndustry = industries.length < 2 ? [] : await this.byIndustry(scope, industries);
    return { responders: await this.byPosition(scope), ...counts, byIndustry };
  }

  private async byIndustry(scope: TenantScope, industries: readonly string[]): Promise<ResponderGroup[]> {
    return this.database.transaction(scope, async ({ client, companyId }) => {
      const { rows } = await client.query<Omit<ResponderGroup, 'position'> & { position: number }>(
        BY_INDUSTRY,
        [companyId, industries],
      );
      return rows.map((row) => ({ ...row, position: POSITIONS[row.position] ?? 'unknown' }));
    });
  }
}
