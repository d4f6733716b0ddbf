/** An address with more messages is a placeholder and identifies nobody. */
export const MAX_TOUCHES_OF_ADDRESS = 1_000;

/**
 * Statement of the first message to a decision's contact in an order, of those that it got under its own id and of those to
 * its address. Apart, so that each has its index; what is read of an address is bounded, whatever was written to it since the
 * decision. $1 is the company, behind a SELECT: of one that its statistics do not know yet, Postgres expects a single row.
 * @param columns - of `touches`, those of the order among them; beside the statement stands `decision`, with contact_id,
 * recipient_hash and whatever the condition names
 * @param condition - beginning with AND, or nothing
 */
export function firstMessage(columns: string, order: string, condition: string): string {
  const first = `${condition} ORDER BY ${order} LIMIT 1`;
  return `SELECT ${columns} FROM (
    (SELECT ${columns} FROM touches WHERE company_id = (SELECT $1::uuid) AND recipient_id = decision.contact_id ${first})
    UNION ALL (SELECT ${columns} FROM (
      SELECT ${columns}, count(*) OVER () AS messages FROM (
        SELECT ${columns} FROM touches
        WHERE company_id = (SELECT $1::uuid) AND touches.recipient_hash = decision.recipient_hash
        LIMIT ${MAX_TOUCHES_OF_ADDRESS + 1}) AS used) AS to_address
      WHERE messages <= ${MAX_TOUCHES_OF_ADDRESS} ${first})
  ) AS either ORDER BY ${order} LIMIT 1`;
}

/** The first message to a decision's contact after it: whether and how a decision was followed rests on it everywhere. */
export function nextMessage(columns: string): string {
  return firstMessage(columns, 'sent_at, sequence_step, touch_id', 'AND sent_at > decision.decided_at');
}
