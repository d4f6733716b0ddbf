/** The company of a statement, behind a SELECT so that Postgres does not look it up in its statistics. */
const HIDDEN_PARAMETER = /\(SELECT (\$\d+::uuid)\)/g;
/** What only Citus is to read. */
const ONLY_THERE = /\/\*citus (.*?)\*\//g;

/** Citus has to know the values of a statement to find the node that it is for. */
const PLANNED_ONCE = "'force_generic_plan'";
const PLANNED_AS_NEEDED = "'auto'";

/** Statements are few, but some carry a number in their text. */
const MAX_KNOWN = 2_000;
const known = new Map<string, string>();

/**
 * A statement as Citus has to read it. Citus sends a statement to the one node of its company only where the company is a
 * parameter or a constant. One Postgres has it behind a SELECT, `(SELECT $1::uuid)`, because it plans for a company that
 * is missing from its statistics as if that had one row. And what stands in a comment that begins with the word citus is
 * part of the statement there: an INSERT of many rows then RETURNs something, for it would be a COPY otherwise, which
 * Postgres refuses under row-level security. Nor is it told to plan without the values.
 * @param query - as it is given to the driver: a text, or an object with one
 */
export function inCitus(query: unknown): unknown {
  if (typeof query === 'string') return textInCitus(query);
  if (typeof query !== 'object' || query === null || !('text' in query)) return query;
  return typeof query.text === 'string' ? { ...query, text: textInCitus(query.text) } : query;
}

/** Where tools hold statements against what Citus asks of them, they read them so, too. */
export function textInCitus(text: string): string {
  const before = known.get(text);
  if (before !== undefined) return before;
  if (known.size >= MAX_KNOWN) known.clear();
  const changed = text
    .replaceAll(HIDDEN_PARAMETER, '$1')
    .replaceAll(ONLY_THERE, '$1')
    .replaceAll(PLANNED_ONCE, PLANNED_AS_NEEDED);
  known.set(text, changed);
  return changed;
}
