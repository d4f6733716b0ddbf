/**
 * Condition on a message: its contact has left the sequence for a person, by a reply or by booking a meeting, which needs
 * none. 1 is responded.
 */
export const HAS_ANSWERED = '(outcome = 1 OR meeting_booked)';

/** An address of more recipients or messages is a placeholder or a shared inbox, and ties nobody to anybody. */
const MAX_RECIPIENTS_OF_ADDRESS = 20;
const MAX_MESSAGES_OF_ADDRESS = 1_000;

/**
 * Answers that name an address, be it as recipient_email or as a recipient_id that is one, by two partial indexes: SQL that
 * stands where a table may. $1 is the company; OFFSET 0 as below.
 * @param hash - SQL of the hash of the address
 * @param columns - of outcome_events
 */
export const answersFrom = (hash: string, columns: string, condition = 'true') => {
  const answers = (named: string) => `(
      SELECT ${columns} FROM outcome_events
      WHERE company_id = (SELECT $1::uuid) AND ${named} AND ${condition} OFFSET 0)`;
  return `(${answers(`recipient_hash = ${hash} AND outcome IN (1, 2, 3) AND recipient_hash IS NOT NULL`)}
    UNION ALL ${answers(`id_address_hash = ${hash} AND id_address_hash IS NOT NULL`)})`;
};

/**
 * What is kept of an address when its events are gone: SQL that stands where a table may. The SHA-256 of an id that is the
 * address, in small letters, begins with the hash of the address: so rows are found that were kept before answers named
 * the address that their recipient_id is. `g` comes after every hexadecimal digit.
 * @param hash - SQL of the hash of the address
 * @param columns - of suppressions
 */
export const keptAt = (hash: string, columns: string) => `((
      SELECT ${columns} FROM suppressions
      WHERE company_id = (SELECT $1::uuid) AND recipient_hash = ${hash} AND recipient_hash <> '' OFFSET 0)
    UNION ALL (SELECT ${columns} FROM suppressions
      WHERE company_id = (SELECT $1::uuid) AND recipient_sha >= ${hash} AND recipient_sha < ${hash} || 'g'
        AND recipient_hash = '' OFFSET 0))`;

const SHA256 = (text: string) => `encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`;

/**
 * Who is meant. $1 company, $2 to $4 contacts (recipient_id, its SHA-256, hash of an address), $5 end of retention.
 * `place` counts the contacts from 1; `address` holds H, `person` holds R of each (README). A person who is known only
 * by what outlived its events has no recipient_id.
 *
 * Predicates are spelled as those of the partial indexes. OFFSET 0 keeps a look-up by index a look-up, also for EXISTS:
 * without it the planner, which overestimates how many people share an address, would read all events instead.
 * `(SELECT $1::uuid)` keeps the company from the planner: of one that its statistics do not know yet it expects a single
 * row, which any index finds, and would read all messages or events of a first import for each address.
 * outcome: 1 responded, 2 bounced, 3 unsubscribed.
 */
const PEOPLE = `
  contact AS MATERIALIZED (
    SELECT place::integer AS place, recipient_id, recipient_sha, hash
    FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS asked (recipient_id, recipient_sha, hash, place)
  ), own AS MATERIALIZED (
    SELECT place, event.hash, event.is_known FROM contact CROSS JOIN LATERAL (
      SELECT recipient_hash AS hash, bool_or(ingested_at > $5) AS is_known FROM outcome_events
      WHERE company_id = (SELECT $1::uuid) AND recipient_id = contact.recipient_id GROUP BY recipient_hash
    ) AS event
  ), address AS MATERIALIZED (
    SELECT place, hash FROM contact WHERE hash IS NOT NULL
    UNION SELECT place, hash FROM own WHERE hash IS NOT NULL
    UNION SELECT place, kept.hash FROM contact CROSS JOIN LATERAL (
      SELECT recipient_hash AS hash FROM suppressions
      WHERE company_id = (SELECT $1::uuid) AND recipient_sha = contact.recipient_sha AND recipient_hash <> '' OFFSET 0
    ) AS kept
  ), alias AS MATERIALIZED (
    SELECT used.hash, people.recipient_id, people.recipient_sha
    FROM (SELECT DISTINCT hash FROM address) AS used CROSS JOIN LATERAL (
      SELECT array_agg(recipient_id) AS ids, array_agg(recipient_sha) AS shas FROM (
        SELECT max(recipient_id) AS recipient_id, recipient_sha, sum(messages) AS messages FROM (
          SELECT recipient_id, ${SHA256('recipient_id')} AS recipient_sha, messages FROM (
            SELECT recipient_id, count(*) AS messages FROM (
              SELECT recipient_id FROM touches WHERE company_id = (SELECT $1::uuid) AND recipient_hash = used.hash
              LIMIT ${MAX_MESSAGES_OF_ADDRESS + 1}
            ) AS sent GROUP BY recipient_id
            UNION ALL SELECT recipient_id, 0 FROM (
              SELECT DISTINCT recipient_id FROM ${answersFrom('used.hash', 'recipient_id')} AS answer
              LIMIT ${MAX_RECIPIENTS_OF_ADDRESS + 1}
            ) AS answered
          ) AS named
          UNION ALL SELECT NULL, recipient_sha, 0 FROM (
            SELECT recipient_sha FROM ${keptAt('used.hash', 'recipient_sha')} AS row
            LIMIT ${MAX_RECIPIENTS_OF_ADDRESS + 1}
          ) AS kept
        ) AS mentioned GROUP BY recipient_sha
      ) AS person HAVING count(*) <= ${MAX_RECIPIENTS_OF_ADDRESS} AND sum(messages) <= ${MAX_MESSAGES_OF_ADDRESS}
    ) AS holders CROSS JOIN LATERAL unnest(ids, shas) AS people (recipient_id, recipient_sha)
  ), person AS MATERIALIZED (
    SELECT place, recipient_id, recipient_sha FROM contact WHERE recipient_sha IS NOT NULL
    UNION SELECT place, recipient_id, recipient_sha FROM address JOIN alias USING (hash)
  )`;

/**
 * Between what times an answer came, where its `outcome_at` is not the moment: SQL. outcome_at_is: 2 not after, and then it
 * is known to be no earlier than its message, if that; 3 on that day.
 */
export const NOT_BEFORE = `CASE outcome_at_is WHEN 2 THEN sent_at ELSE outcome_at END`;
export const NOT_AFTER = `CASE outcome_at_is WHEN 3 THEN outcome_at + interval '1 day' - interval '1 millisecond' ELSE outcome_at END`;

const SAID = `CASE WHEN outcome = 3 THEN outcome_at END AS unsubscribed_at,
      CASE WHEN outcome = 2 THEN outcome_at END AS bounced_at, CASE WHEN outcome = 2 THEN ${NOT_AFTER} END AS bounced_by,
      CASE WHEN outcome = 1 THEN ${NOT_BEFORE} END AS replied_at`;
const KEPT = 'unsubscribed_at, bounced_at, bounced_at AS bounced_by, replied_at';
const TIMES = `min(unsubscribed_at) AS unsubscribed_at, max(bounced_at) AS bounced_at, max(bounced_by) AS bounced_by,
      max(replied_at) AS replied_at`;

// Replies by recipient_id have no index of their own and are read only where there is a bounce to lift. Where somebody
// has no recipient_id left, all opt-outs of the company are held against the hash: there are few, and this is rare.
const EVIDENCE = `
  said AS MATERIALIZED (
    SELECT place, told.* FROM person CROSS JOIN LATERAL (
      SELECT ${SAID} FROM outcome_events
      WHERE company_id = (SELECT $1::uuid) AND recipient_id = person.recipient_id AND outcome IN (2, 3) OFFSET 0
    ) AS told
    UNION ALL SELECT place, told.* FROM address CROSS JOIN LATERAL ${answersFrom('address.hash', SAID)} AS told
    UNION ALL SELECT place, kept.* FROM person CROSS JOIN LATERAL (
      SELECT ${KEPT} FROM suppressions
      WHERE company_id = (SELECT $1::uuid) AND recipient_sha = person.recipient_sha OFFSET 0
    ) AS kept
    UNION ALL SELECT place, kept.* FROM address CROSS JOIN LATERAL
      ${keptAt('address.hash', KEPT)} AS kept
  ), nameless AS MATERIALIZED (
    SELECT place, recipient_sha FROM person GROUP BY place, recipient_sha HAVING count(recipient_id) = 0
      AND place NOT IN (SELECT place FROM said WHERE unsubscribed_at IS NOT NULL)
  ), blocked AS MATERIALIZED (
    SELECT place, ${TIMES} FROM (
      SELECT * FROM said
      UNION ALL SELECT place, unsubscribed_at, bounced_at, bounced_by, replied_at FROM nameless JOIN (
        SELECT ${SHA256('recipient_id')} AS recipient_sha, ${SAID} FROM outcome_events
        WHERE company_id = (SELECT $1::uuid) AND outcome IN (2, 3) AND (SELECT count(*) FROM nameless) > 0
      ) AS told USING (recipient_sha)
    ) AS all_said GROUP BY place
  ), lifted AS MATERIALIZED (
    SELECT place, max(reply.replied_at) AS replied_at
    FROM (SELECT place FROM blocked WHERE bounced_at IS NOT NULL) AS bounced JOIN person USING (place)
    CROSS JOIN LATERAL (
      SELECT ${NOT_BEFORE} AS replied_at FROM outcome_events
      WHERE company_id = (SELECT $1::uuid) AND recipient_id = person.recipient_id AND outcome = 1 OFFSET 0
    ) AS reply
    GROUP BY place
  )`;

/** Of each contact, by place: whether anything is known of it, and what speaks against writing to it. */
export const STANDINGS = `
  WITH ${PEOPLE}, ${EVIDENCE}
  SELECT place, blocked.unsubscribed_at AS "unsubscribedAt", blocked.bounced_at AS "bouncedAt",
    blocked.bounced_by AS "bouncedBy",
    greatest(blocked.replied_at, lifted.replied_at) AS "repliedAt",
    EXISTS (SELECT FROM own WHERE own.place = contact.place AND is_known) OR EXISTS (
      SELECT FROM ${answersFrom('contact.hash', '1', 'ingested_at > $5')} AS answer) AS "isKnown"
  FROM contact LEFT JOIN blocked USING (place) LEFT JOIN lifted USING (place) ORDER BY place`;

/** Of each contact, by place: itself, its addresses, and everybody who shares one. */
export const NEIGHBOURS = `
  WITH ${PEOPLE}
  SELECT place, recipient_id AS "recipientId", recipient_sha AS "recipientSha", NULL AS "addressHash" FROM person
  UNION ALL SELECT place, NULL, NULL, hash FROM address`;
