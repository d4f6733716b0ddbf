// @ts-check
// What access control cannot do without: a read without policies, the hash and comparison of a key, one commit.
import { hash, timingSafeEqual } from 'node:crypto';

/**
 * One tool call, as an audit row keeps it.
 * @typedef {{
 *   companyId: string, keyId: string, actor: { type: string, id: string }, tool: string, errorType: string | null,
 *   latencyMs: number, inputSha256: Buffer, outputSha256: Buffer, requestId: string, occurredAt: Date,
 * }} Entry
 */

/**
 * One document by its primary key, as the owner of the tables, whom no policy asks.
 * @param {import('pg').Pool} pool
 * @param {string} companyId
 * @param {string} document
 * @returns {Promise<string>} The document's body.
 */
export async function plainRead(pool, companyId, document) {
  const { rows } = await pool.query({
    name: 'plain-read',
    text: `SELECT document, body, etag, data_as_of AS "dataAsOf", updated_at AS "updatedAt" FROM snapshots
      WHERE company_id = $1 AND document = ANY ($2)`,
    values: [companyId, [document]],
  });
  return rows[0]?.body;
}

/**
 * Whether a secret is the one that a hash was made of.
 * @param {string} secret
 * @param {Buffer} stored
 */
export function bareKeyCheck(secret, stored) {
  return timingSafeEqual(hash('sha256', secret, 'buffer'), stored);
}

/** A table like the audit log, without policies. @param {import('pg').Pool} pool */
export async function createCommitTable(pool) {
  await pool.query('CREATE TABLE floor_commits (LIKE audit_log INCLUDING ALL)');
}

/**
 * One INSERT of so many rows, committed: the client waits for the disk.
 * @param {import('pg').Pool} pool
 * @param {readonly Entry[]} entries
 */
export async function oneCommit(pool, entries) {
  const values = entries.flatMap((entry) => [
    ...[entry.companyId, entry.requestId, entry.occurredAt, entry.keyId, entry.actor.type, entry.actor.id],
    ...[entry.tool, 'success', entry.latencyMs, entry.inputSha256, entry.outputSha256, entry.requestId],
  ]);
  const width = values.length / entries.length;
  const row = (/** @type {number} */ at) =>
    `(${Array.from({ length: width }, (_, column) => `$${at * width + column + 1}`).join(', ')})`;
  const text = `INSERT INTO floor_commits (company_id, entry_id, occurred_at, key_id, actor_type, actor_id, tool,
    status, latency_ms, input_sha256, output_sha256, request_id) VALUES ${entries.map((_, at) => row(at)).join(', ')}`;
  await pool.query({ name: `one-commit-${entries.length}`, text, values });
}
