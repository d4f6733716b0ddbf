import type { TenantTransaction } from '@outcomes/tenancy';
import type { Contact } from './contact';
import { neighboursOf } from './contact-standing.repository';
import { answersFrom, keptAt } from './standing-sql';

/** What is told of an opt-out or a bounce beyond that there was one. It decides nothing. */
export interface BlockCause {
  /** Whether an opt-out was a complaint: a mail that was reported as spam. */
  readonly complained: boolean;
  /** Of the last bounce: hard where its event says that it was for good. */
  readonly bounce: 'hard' | 'unknown';
}

const COMPLAINT = `metadata @> '{"complaint": true}'`;
const HARD = `metadata @> '{"bounce": "hard"}'`;

/** An event that says in its metadata that an opt-out was a complaint, or a bounce for good. */
export const IS_COMPLAINT = `coalesce(${COMPLAINT}, false)`;
export const IS_HARD = `coalesce(${HARD}, false)`;

const TOLD = `CASE WHEN outcome = 2 THEN outcome_at END AS bounced_at, outcome = 3 AND ${IS_COMPLAINT} AS complained,
      outcome = 2 AND ${IS_HARD} AS bounce_is_hard`;
const KEPT = 'bounced_at, complained, bounce_is_hard';

/** Most companies are told nothing of the kind: two partial indexes say so. Why `(SELECT $1::uuid)`: standing-sql.ts. */
const ANY = `
  SELECT EXISTS (SELECT FROM outcome_events WHERE company_id = (SELECT $1::uuid) AND outcome IN (2, 3) AND (${COMPLAINT} OR ${HARD}))
    OR EXISTS (SELECT FROM suppressions WHERE company_id = (SELECT $1::uuid) AND (complained OR bounce_is_hard)) AS "isTold"`;

const NOTHING_TOLD: BlockCause = { complained: false, bounce: 'unknown' };

/**
 * What the same events, and what outlived them, say as those that STANDINGS reads. $1 company, $2 to $5 who is near each
 * contact: its place, recipient_id, SHA-256 of that, hash of an address. Whoever has no recipient_id left is held against
 * the hashes of all who opted out or bounced: there are few, and this is rare.
 */
const CAUSES = `
  WITH near AS MATERIALIZED (
    SELECT * FROM unnest($2::integer[], $3::text[], $4::text[], $5::text[]) AS given (place, recipient_id, recipient_sha, hash)
  ), nameless AS MATERIALIZED (
    SELECT place, recipient_sha FROM near WHERE recipient_id IS NULL AND recipient_sha IS NOT NULL
  ), told AS (
    SELECT place, said.* FROM near CROSS JOIN LATERAL (
      SELECT ${TOLD} FROM outcome_events
      WHERE company_id = (SELECT $1::uuid) AND recipient_id = near.recipient_id AND outcome IN (2, 3) OFFSET 0
    ) AS said
    UNION ALL SELECT place, said.* FROM near CROSS JOIN LATERAL ${answersFrom('near.hash', TOLD)} AS said
    UNION ALL SELECT place, kept.* FROM near CROSS JOIN LATERAL (
      SELECT ${KEPT} FROM suppressions WHERE company_id = (SELECT $1::uuid) AND recipient_sha = near.recipient_sha OFFSET 0
    ) AS kept
    UNION ALL SELECT place, kept.* FROM near CROSS JOIN LATERAL ${keptAt('near.hash', KEPT)} AS kept
    UNION ALL SELECT place, ${KEPT} FROM nameless JOIN (
      SELECT encode(sha256(convert_to(recipient_id, 'UTF8')), 'hex') AS recipient_sha, ${TOLD} FROM outcome_events
      WHERE company_id = (SELECT $1::uuid) AND outcome IN (2, 3) AND (SELECT count(*) FROM nameless) > 0
    ) AS said USING (recipient_sha)
  )
  SELECT place, bool_or(complained) AS complained,
    (array_agg(bounce_is_hard ORDER BY bounced_at DESC, bounce_is_hard DESC) FILTER (WHERE bounced_at IS NOT NULL))[1]
      AS "isHard"
  FROM told GROUP BY place`;

/**
 * Why contacts are blocked of whom `standingsOf` says that they are. Near them are those whom it looks at as well.
 * @returns one cause per contact, in their order
 */
export async function causesOf(
  transaction: TenantTransaction,
  contacts: readonly Contact[],
): Promise<BlockCause[]> {
  if (contacts.length === 0) return [];
  const { client, companyId } = transaction;
  const {
    rows: [told],
  } = await client.query<{ isTold: boolean }>(ANY, [companyId]);
  if (!told?.isTold) return contacts.map(() => NOTHING_TOLD);
  const neighbours = await neighboursOf(transaction, contacts);
  const near = neighbours.flatMap((people, at) => distinct(people).map((one) => ({ place: at + 1, ...one })));
  const { rows } = await client.query<{
    place: number;
    complained: boolean;
    isHard: boolean | null;
  }>(CAUSES, [
    companyId,
    near.map(({ place }) => place),
    near.map(({ recipientId }) => recipientId),
    near.map(({ recipientSha }) => recipientSha),
    near.map(({ addressHash }) => addressHash),
  ]);
  const causes = new Map(rows.map((row) => [row.place, row]));
  return contacts.map((_, at) => {
    const cause = causes.get(at + 1);
    return { complained: cause?.complained ?? false, bounce: cause?.isHard ? 'hard' : 'unknown' };
  });
}

/** Whoever is known by name need not be looked for by the hash of it. */
function distinct(people: readonly Contact[]): readonly Contact[] {
  const named = new Set(people.flatMap((one) => (one.recipientId === null ? [] : [one.recipientSha])));
  return people.filter(
    (one) => one.recipientId !== null || !named.has(one.recipientSha) || one.recipientSha === null,
  );
}
