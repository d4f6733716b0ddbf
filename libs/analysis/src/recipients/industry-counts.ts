/** Messages and replies of one industry in one stratum at one level of LEVELS. */
export interface IndustryCount {
  /** In lower case, without blanks around it, at most 60 characters. */
  readonly industry: string;
  readonly channel: number;
  readonly step: number;
  readonly position: number;
  readonly level: number;
  readonly messages: number;
  readonly replies: number;
}

/** Newest mature messages that are looked at, so that a day's run costs the same whatever the history. */
const NEWEST_MESSAGES = 100_000;
/** Industries with fewer replies say nothing; and a company has more spellings than this only by accident. */
const FEWEST_REPLIES = 20;
const MOST_INDUSTRIES = 12;

/**
 * The industry is not part of the counts: it is free text. So it is read from the newest messages whose outcome is
 * settled (14 days old for e-mail, 21 for LinkedIn). Parameter: the company.
 */
export const INDUSTRY_COUNTS = `
  WITH recent AS (
    SELECT touch_id, recipient_id, channel, sequence_step, position, outcome, levels
    FROM touches
    WHERE company_id = $1 AND sent_day <= (SELECT max(sent_day) FROM touches WHERE company_id = $1)
      - CASE channel WHEN 0 THEN 14 ELSE 21 END
    ORDER BY sent_day DESC, touch_id LIMIT ${NEWEST_MESSAGES}
  ), placed AS MATERIALIZED (
    SELECT recent.*, (
      SELECT max(left(lower(btrim(industry)), 60)) FROM outcome_events e
      WHERE e.company_id = $1 AND e.recipient_id = recent.recipient_id AND e.touch_id = recent.touch_id
    ) AS industry
    FROM recent
  ), kept AS (
    SELECT industry FROM placed WHERE industry <> '' GROUP BY industry
    HAVING count(*) FILTER (WHERE outcome = 1) >= ${FEWEST_REPLIES}
    ORDER BY count(*) DESC, industry COLLATE "C" LIMIT ${MOST_INDUSTRIES}
  )
  SELECT industry, channel, least(2, (sequence_step + 1) / 2) AS step, position, level::int,
    count(*)::int AS messages, (count(*) FILTER (WHERE outcome = 1))::int AS replies
  FROM placed JOIN kept USING (industry), unnest(levels) AS level
  GROUP BY industry, channel, least(2, (sequence_step + 1) / 2), position, level
  ORDER BY industry COLLATE "C", channel, step, position, level`;
