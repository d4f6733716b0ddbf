import type { CohortDelta } from './cohort-deltas';

const SUMS = ['touches', 'replies', 'bounces', 'unsubscribes', 'opens', 'meetings', 'streamed'] as const;
const ARRAYS = {
  level_touches: 'levelTouches',
  level_replies: 'levelReplies',
  level_randomized: 'levelRandomized',
  hour_touches: 'hourTouches',
  hour_replies: 'hourReplies',
  reply_delays: 'replyDelays',
} as const;
const ARRAY_NAMES = Object.keys(ARRAYS) as (keyof typeof ARRAYS)[];
const KEY_TYPES = {
  sent_day: 'date',
  channel: 'smallint',
  step_bucket: 'smallint',
  position: 'smallint',
} as const;
const KEY = Object.keys(KEY_TYPES);
const NAMES = [...KEY, ...SUMS, 'last_outcome_at', ...ARRAY_NAMES];
const TYPES = [
  ...Object.values(KEY_TYPES),
  ...SUMS.map(() => 'integer'),
  'timestamptz',
  ...ARRAY_NAMES.map(() => 'text'),
];

/** How many parameters the key of a stratum takes, and a whole row. */
export const COHORT_KEY_PARAMETERS = KEY.length;
export const COHORT_PARAMETERS = NAMES.length;

/** A stratum as it is stored. */
export interface StoredStratum {
  readonly touches: number;
  readonly lastOutcomeAtMs: number;
  /** As Postgres writes them, in the order of ARRAYS. */
  readonly arrays: readonly string[];
}

/**
 * Stored strata by their place in the given keys, as one text (`stratum`) that `storedStratum` reads.
 * @param from - number of the key's first parameter; the company is $1
 */
export function selectStrata(from: number): string {
  const wanted = Object.values(KEY_TYPES).map((type, index) => `$${from + index}::${type}[]`);
  return `
    SELECT place::integer - 1 AS place, stratum
    FROM unnest(${wanted.join(', ')}) WITH ORDINALITY AS wanted (${KEY.map((name) => `of_${name}`).join(', ')}, place)
    CROSS JOIN LATERAL (
      SELECT concat_ws(' ', touches, coalesce((extract(epoch FROM last_outcome_at) * 1000)::float8::text, '-Infinity'),
        ${ARRAY_NAMES.map((name) => `${name}::text`).join(', ')}) AS stratum FROM cohort_counts
      WHERE company_id = (SELECT $1::uuid) AND ${KEY.map((name) => `${name} = of_${name}`).join(' AND ')} OFFSET 0
    ) AS found`;
}

/** @param stratum - as `selectStrata` gives it */
export function storedStratum(stratum: string): StoredStratum {
  const [touches, lastOutcomeAt, ...arrays] = stratum.split(' ');
  return { touches: Number(touches), lastOutcomeAtMs: Number(lastOutcomeAt), arrays };
}

/**
 * Adds to the sums of strata and puts their arrays in place of what is stored.
 * @param from - number of the first parameter; the company is $1
 */
export function upsertStrata(from: number): string {
  return `
  INSERT INTO cohort_counts (company_id, ${NAMES.join(', ')})
  SELECT $1, ${[...KEY, ...SUMS, 'last_outcome_at'].join(', ')},
    ${ARRAY_NAMES.map((name) => `${name}::integer[]`).join(', ')}
  FROM unnest(${TYPES.map((type, index) => `$${from + index}::${type}[]`).join(', ')}) AS given (${NAMES.join(', ')})
  ON CONFLICT (company_id, ${KEY.join(', ')}) DO UPDATE SET
    ${SUMS.map((name) => `${name} = cohort_counts.${name} + excluded.${name}`).join(', ')},
    last_outcome_at = greatest(cohort_counts.last_outcome_at, excluded.last_outcome_at),
    ${ARRAY_NAMES.map((name) => `${name} = excluded.${name}`).join(', ')}
  RETURNING 1`;
}

/**
 * Parameters of `upsertStrata`.
 * @param stored - by place in the deltas, what `selectStrata` found. Postgres could add them too, and takes ten times as
 * long for it.
 */
export function strataColumns(
  deltas: readonly CohortDelta[],
  stored: ReadonlyMap<number, StoredStratum>,
): unknown[][] {
  const arrays = deltas.map((delta, place) => {
    const before = stored.get(place)?.arrays;
    return ARRAY_NAMES.map((name, at) => sumOf(before?.[at], delta[ARRAYS[name]]));
  });
  return [
    ...keysOf(deltas),
    ...SUMS.map((name) => deltas.map((delta) => delta[name])),
    deltas.map((delta) => timeOf(delta.lastOutcomeAtMs)),
    ...ARRAY_NAMES.map((_, at) => arrays.map((ofStratum) => ofStratum[at])),
  ];
}

/** $1 company, $2 to $5 the key, $6 the newest outcome that left. */
const OF_STRATA = `unnest(${Object.values(KEY_TYPES)
  .map((type, index) => `$${index + 2}::${type}[]`)
  .join(', ')}, $6::timestamptz[]) AS left_behind (${KEY.join(', ')}, lost_outcome_at)
  WHERE c.company_id = $1 AND ${KEY.map((name) => `c.${name} = left_behind.${name}`).join(' AND ')}`;

export const DELETE_EMPTY_STRATA = `DELETE FROM cohort_counts c USING ${OF_STRATA} AND c.touches = 0`;

// Every day is read once, however many of its strata lost their newest outcome.
export const FIND_LAST_OUTCOME = `
  WITH lost AS MATERIALIZED (
    SELECT ${KEY.map((name) => `c.${name}`).join(', ')}
    FROM cohort_counts c, ${OF_STRATA} AND c.touches > 0 AND c.last_outcome_at <= left_behind.lost_outcome_at
  ), found AS MATERIALIZED (
    SELECT sent_day, of_day.* FROM (SELECT DISTINCT sent_day FROM lost) AS day CROSS JOIN LATERAL (
      SELECT channel, position, CASE WHEN sequence_step = 0 THEN 0 WHEN sequence_step <= 2 THEN 1 ELSE 2 END
        AS step_bucket, max(outcome_at) AS last_outcome_at
      FROM touches WHERE company_id = $1 AND touches.sent_day = day.sent_day GROUP BY 1, 2, 3
    ) AS of_day
  )
  UPDATE cohort_counts c SET last_outcome_at = found.last_outcome_at
  FROM lost LEFT JOIN found USING (${KEY.join(', ')})
  WHERE c.company_id = $1 AND ${KEY.map((name) => `c.${name} = lost.${name}`).join(' AND ')}`;

/** Parameters of the two above, behind the company. */
export function leftBehindColumns(deltas: readonly CohortDelta[]): unknown[][] {
  return [...keysOf(deltas), deltas.map((delta) => timeOf(delta.lostOutcomeAtMs))];
}

/**
 * Strata that will have no touches, and no row, and those whose newest outcome itself leaves.
 * @param stored - by place in the deltas, before the change
 */
export function leftBehind(deltas: readonly CohortDelta[], stored: ReadonlyMap<number, StoredStratum>) {
  const after = deltas.map((delta, place) => {
    const { touches = 0, lastOutcomeAtMs = -Infinity } = stored.get(place) ?? {};
    return {
      touches: touches + delta.touches,
      lastOutcomeAtMs: Math.max(lastOutcomeAtMs, delta.lastOutcomeAtMs ?? -Infinity),
    };
  });
  return {
    empty: deltas.filter((_, place) => after[place]?.touches === 0),
    lostNewest: deltas.filter(({ lastOutcomeAtMs: came, lostOutcomeAtMs: lost }, place) => {
      // What came in its stead is as new: so it is with every message of which something else became known.
      if (lost === null || (came !== null && came >= lost)) return false;
      const { touches = 0, lastOutcomeAtMs = Infinity } = after[place] ?? {};
      return touches > 0 && lastOutcomeAtMs <= lost;
    }),
  };
}

/** Columns of the key, also as parameters of `selectStrata`. */
export function keysOf(deltas: readonly CohortDelta[]): unknown[][] {
  return [
    deltas.map((delta) => delta.sentDay),
    deltas.map((delta) => delta.channel),
    deltas.map((delta) => delta.stepBucket),
    deltas.map((delta) => delta.position),
  ];
}

/** @param before - an array as Postgres writes it; one may be shorter than the other, and counts as zeros at its end */
function sumOf(before: string | undefined, delta: readonly number[]): string {
  if (before === undefined || before === '{}') return `{${delta.join(',')}}`;
  const sum = before.slice(1, -1).split(',').map(Number);
  for (const [at, count] of delta.entries()) sum[at] = (sum[at] ?? 0) + count;
  return `{${sum.join(',')}}`;
}

function timeOf(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString();
}
