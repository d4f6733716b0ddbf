/** An address with more messages is a placeholder and identifies nobody. */
export const MAX_TOUCHES_OF_ADDRESS = 1_000;

/**
 * Statement of the first message to a decision's contact in an order, of those that it got under its own id and of those to
 * its address. Apart, so that each is the first entry of its index, whatever else the contact got. How much was sent to an
 * address is counted, up to the bound, only where that would make a difference: nearly everybody has one id, to which
 * everything at the address was sent. $1 is the company, behind a SELECT: of one that its statistics do not know yet,
 * Postgres expects a single row.
 * @param columns - of `touches`, touch_id and those of the order among them; beside the statement stands `decision`, with
 * contact_id, recipient_hash and whatever the condition names
 * @param order - of sent_at, and then of what tells messages of one moment apart
 * @param condition - beginning with AND, or nothing
 */
export function firstMessage(columns: string, order: string, condition: string): string {
  const first = (whose: string) => `SELECT ${columns} FROM touches
      WHERE company_id = (SELECT $1::uuid) AND ${whose} ${condition} ORDER BY ${order} LIMIT 1`;
  const toAddress = 'touches.recipient_hash = decision.recipient_hash';
  return `SELECT ${columns} FROM (
    WITH own AS MATERIALIZED (${first('recipient_id = decision.contact_id')})
    SELECT ${columns} FROM own
    UNION ALL SELECT ${columns} FROM (${first(toAddress)}) AS to_address
    WHERE CASE WHEN touch_id IN (SELECT touch_id FROM own) THEN false ELSE (SELECT count(*) FROM (
      SELECT FROM touches WHERE company_id = (SELECT $1::uuid) AND ${toAddress}
      LIMIT ${MAX_TOUCHES_OF_ADDRESS + 1}) AS used) <= ${MAX_TOUCHES_OF_ADDRESS} END
  ) AS either ORDER BY ${order} LIMIT 1`;
}

/** The first message to a decision's contact after it: whether and how a decision was followed rests on it everywhere. */
export function nextMessage(columns: string): string {
  return firstMessage(columns, 'sent_at, sequence_step, touch_id', 'AND sent_at > decision.decided_at');
}
