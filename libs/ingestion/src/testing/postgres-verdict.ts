import type { FuzzEvent } from './fuzz-events';

/** Runs a query as somebody who may. */
export type RunQuery = (text: string, values: unknown[]) => Promise<readonly Record<string, unknown>[]>;

const PARTS_PER_STATEMENT = 5_000;

/**
 * The contract of each field in Postgres' own terms: its input functions decide what a time, a UUID, a text or a
 * JSON document is, and what the contract asks beyond that stands beside them. An oracle that shares no code with
 * the validation.
 */
const VERDICTS = `
  WITH part AS (
    SELECT n, field, raw, pg_input_is_valid(raw, 'jsonb') AS is_json
    FROM unnest($1::integer[], $2::text[], $3::text[]) AS part (n, field, raw)
  ), value AS (
    SELECT n, field, CASE WHEN is_json THEN jsonb_typeof(raw::jsonb) END AS type,
      CASE WHEN is_json THEN raw::jsonb #>> '{}' END AS text
    FROM part
  )
  SELECT n, field, coalesce(CASE
    WHEN type = 'null' THEN field NOT IN ('recipient_id', 'sequence_step')
    WHEN field = 'fact' THEN
      type = 'string' AND text IN ('sent', 'opened', 'clicked', 'auto_replied', 'meeting_booked')
    WHEN field = 'outcome_at_is' THEN type = 'string' AND text IN ('exact', 'not_before', 'not_after')
    WHEN field IN ('sent_at', 'outcome_at') THEN
      CASE WHEN type = 'string' AND pg_input_is_valid(text, 'timestamptz') AND text ~ concat(
          '^[0-9]{4}-[0-9]{2}-[0-9]{2}(T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?',
          '(Z|[+-]((0[0-9]|1[0-3]):[0-5][0-9]|14:00))?)?$')
        THEN left(text, 4)::integer >= 1990 AND text::timestamptz <= $4::timestamptz + interval '24 hours' END
    WHEN field IN ('word_count', 'sequence_step') THEN
      CASE WHEN type = 'number' THEN text::numeric = trunc(text::numeric) AND text::numeric
        BETWEEN 0 AND CASE field WHEN 'word_count' THEN 2147483647 ELSE 50 END END
    WHEN field = 'event_id' THEN
      type = 'string' AND text ~ '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$' AND pg_input_is_valid(text, 'uuid')
    WHEN field = 'metadata' THEN type = 'object'
    ELSE type = 'string'
      AND char_length(text) >= CASE WHEN field IN ('recipient_id', 'thread_id', 'message_ref') THEN 1 ELSE 0 END
      AND char_length(text) <= CASE field WHEN 'subject' THEN 1000 WHEN 'body' THEN 10000 ELSE 256 END
    END, false) AS accepts
  FROM value`;

/**
 * Which of the wild parts of events Postgres would take.
 * @param now - time of receipt
 * @returns for each event the fields that it refuses
 */
export async function refusedByPostgres(
  run: RunQuery,
  events: readonly FuzzEvent[],
  now: Date,
): Promise<ReadonlySet<string>[]> {
  const refused = events.map(() => new Set<string>());
  const parts = events.flatMap(({ parts: raw }, n) =>
    Object.entries(raw).map(([field, text]) => ({ n, field, text })),
  );
  for (let from = 0; from < parts.length; from += PARTS_PER_STATEMENT) {
    const some = parts.slice(from, from + PARTS_PER_STATEMENT);
    const rows = await run(VERDICTS, [
      some.map(({ n }) => n),
      some.map(({ field }) => field),
      some.map(({ text }) => text),
      now,
    ]);
    for (const { n, field, accepts } of rows)
      if (accepts !== true) refused[n as number]?.add(field as string);
  }
  return refused;
}

/** Rules of the contract over metadata that Postgres has no opinion about: it may take what these refuse. */
const STRICTER = new Set(['metadata']);

/**
 * Events on which two verdicts differ.
 * @param refused - fields that Postgres refuses, per event
 * @param faulty - fields that the validation refuses, per event
 */
export function disagreements(
  events: readonly FuzzEvent[],
  refused: readonly ReadonlySet<string>[],
  faulty: readonly ReadonlySet<string>[],
): string[] {
  return events.flatMap(({ parts }, n) =>
    Object.entries(parts)
      .filter(([field]) => {
        const [byPostgres, byUs] = [refused[n]?.has(field) ?? false, faulty[n]?.has(field) ?? false];
        return byPostgres !== byUs && !(byUs && STRICTER.has(field));
      })
      .map(
        ([field, raw]) =>
          `${field} ${raw.slice(0, 80)}: Postgres ${refused[n]?.has(field) ? 'refuses' : 'takes'} it`,
      ),
  );
}
