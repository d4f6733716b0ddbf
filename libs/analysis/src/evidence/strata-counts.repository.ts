import { AppError, CHANNELS, MATURITY_DAYS, OUTCOMES } from '@outcomes/contracts';
import { campaignKeyOf } from '@outcomes/persistence';
import type { CompanionPair, CompanionStratum } from '@outcomes/statistics';
import type { TenantTransaction } from '@outcomes/tenancy';
import { isoDay } from '../cohorts/days';
import { EVIDENCE_DESIGN } from './evidence-design';
import type { StrataRange } from './evidence-source';
import { firstDayOf, unmaturedFrom } from './matured-fortnights';

/**
 * Messages with and without a level ($4) of a dimension ($5), by cell and level of another dimension ($6). Matured
 * ($7, first day per channel that is not), counted and answered in time ($8, days per channel) are the same messages as
 * in the counts by campaign. Channels ($9) are compared among first messages, across what would else be a cell each.
 * Strata that compare nothing are left out.
 */
const strataWhere = (campaigns: string) => `
  WITH message AS (
    SELECT campaign_id, floor((sent_day - date '1970-01-01') / 14.0)::integer AS fortnight, sequence_step, position,
      CASE WHEN $9 THEN 0 ELSE channel END AS channel, levels @> ARRAY[$4::smallint] AS "with",
      (SELECT level FROM unnest(levels) AS level WHERE level = ANY ($6::smallint[]) LIMIT 1) AS stratum,
      outcome = $10 AND (NOT outcome_is_exact
        OR outcome_at - sent_at <= ($8::integer[])[channel + 1] * interval '24 hours') AS answered
    FROM touches
    WHERE company_id = $1 AND ${campaigns} AND sent_day >= $2::date AND sent_day < $3::date
      AND sent_day < ($7::date[])[channel + 1] AND levels && $5::smallint[] AND levels && $6::smallint[]
      AND (NOT $9 OR sequence_step = $11) AND counted_in = coalesce(
        (SELECT generation FROM campaign_generations WHERE company_id = $1), 1)
  ), stratum AS (
    SELECT campaign_id, fortnight, count(*) FILTER (WHERE "with")::integer AS na,
      count(*) FILTER (WHERE "with" AND answered)::integer AS ya,
      count(*) FILTER (WHERE NOT "with")::integer AS nb,
      count(*) FILTER (WHERE NOT "with" AND answered)::integer AS yb
    FROM message
    GROUP BY campaign_id, fortnight, sequence_step, position, channel, stratum
  )
  SELECT campaign_id AS "campaignId", fortnight, na, ya, nb, yb FROM stratum
  WHERE na > 0 AND nb > 0 AND ya + yb > 0 AND ya + yb < na + nb`;

/** The campaigns stand last, so that both statements count their other parameters alike. */
const NAMED = strataWhere('campaign_id = ANY ($12::text[])');
const UNNAMED = strataWhere('campaign_id IS NULL');

interface StoredStratum extends Omit<CompanionStratum, 'campaign'> {
  readonly campaignId: string | null;
}

/** One grouped query over the messages of some campaigns; those that name none are asked for by themselves. */
export async function countStrata(
  { client, companyId }: TenantTransaction,
  pair: CompanionPair,
  { campaigns, firstFortnight, lastFortnight }: StrataRange,
  observedUntil: number,
): Promise<CompanionStratum[]> {
  const { level, levels, kind } = codeOf(pair.code);
  const parameters = [
    companyId,
    isoDay(firstDayOf(firstFortnight)),
    isoDay(firstDayOf(lastFortnight + 1)),
    level,
    levels,
    EVIDENCE_DESIGN.dimensions.find(({ name }) => name === pair.within)?.levels ?? [],
    unmaturedFrom(observedUntil).map(isoDay),
    CHANNELS.map((channel) => MATURITY_DAYS[channel]),
    kind === 'channel',
    OUTCOMES.indexOf('responded'),
    EVIDENCE_DESIGN.firstStep,
  ];
  const names = campaigns.flatMap(({ campaignId }) => campaignId ?? []);
  const found: StoredStratum[] = [];
  if (names.length > 0)
    found.push(...(await client.query<StoredStratum>(NAMED, [...parameters, names])).rows);
  if (names.length < campaigns.length)
    found.push(...(await client.query<StoredStratum>(UNNAMED, parameters)).rows);
  return found.map(({ campaignId, ...stratum }) => ({ campaign: campaignKeyOf(campaignId), ...stratum }));
}

/** @throws AppError where no code is called so */
function codeOf(code: string) {
  const found = EVIDENCE_DESIGN.codes.find((one) => one.code === code);
  if (!found) throw new AppError('INTERNAL_ERROR');
  const own = EVIDENCE_DESIGN.dimensions.find(({ name }) => name === found.dimension);
  return { level: found.level, ...(own as NonNullable<typeof own>) };
}
