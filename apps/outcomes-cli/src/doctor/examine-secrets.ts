import { SecretBox } from '@outcomes/platform/secrets';
import type { Client } from 'pg';
import { failureLine } from '../output/cli-failure';
import { fault, ok, unknown, type Finding } from './finding';

const CHECK = 'secrets';
/** Row-level security shows one company at a time, so that each takes a question of its own. */
const LOOKED_AT = 1_000;

interface Sealed {
  readonly kind: string;
  /** What it is bound to. */
  readonly owner: string;
  readonly sealed: Buffer;
}

// Of what is held, which may be much and goes after 30 days, one of each company.
const SEALED = `
  SELECT 'of sources' AS kind, source_id AS owner, signing_secret AS sealed FROM sources
  WHERE company_id = $1 AND signing_secret IS NOT NULL AND revoked_at IS NULL
  UNION ALL
  SELECT 'of webhooks', endpoint_id::text, signing_secret FROM webhook_endpoints WHERE company_id = $1
  UNION ALL
  (SELECT 'held deliveries', company_id || '/' || source_id || '/' || held_id, sealed FROM held_deliveries
   WHERE company_id = $1 LIMIT 1)`;

/**
 * Whether what is stored encrypted opens, as it has to after a restore or a rotation of the key: otherwise what tools sign is
 * refused, and no webhook is sent.
 * @param keys - SOURCE_SECRETS_KEY
 */
export async function examineSecrets(client: Client, keys: string | undefined): Promise<Finding> {
  const box = new SecretBox(keys ?? '');
  try {
    const { found, of } = await sealedIn(client);
    if (found.length === 0) return ok(CHECK, `none is stored${of}`);
    if (!box.hasKey)
      return unknown(
        CHECK,
        `${found.length} are stored${of}; set SOURCE_SECRETS_KEY to check that they open`,
      );
    const closed = found.filter(({ sealed, owner }) => box.open(sealed, owner) === undefined);
    if (closed.length === 0) return ok(CHECK, `${found.length} open under SOURCE_SECRETS_KEY${of}`);
    const kinds = [...new Set(closed.map(({ kind }) => kind))].join(', ');
    return fault(
      CHECK,
      `${closed.length} of ${found.length}${of} were encrypted under another SOURCE_SECRETS_KEY (${kinds}); append that key, ` +
        'or make new secrets with "outcomes sources rotate" and "outcomes webhooks rotate"',
    );
  } catch (error) {
    return unknown(CHECK, `cannot be read (${failureLine(error)})`);
  }
}

async function sealedIn(client: Client): Promise<{ found: Sealed[]; of: string }> {
  await client.query('BEGIN READ ONLY');
  try {
    const companies = await client.query<{ id: string }>(
      'SELECT company_id AS id FROM companies ORDER BY 1 LIMIT $1',
      [LOOKED_AT],
    );
    const found: Sealed[] = [];
    for (const { id } of companies.rows) {
      await client.query(`SELECT set_config('app.company_id', $1, true)`, [id]);
      const { rows } = await client.query<Sealed>(SEALED, [id]);
      found.push(...rows);
    }
    return { found, of: companies.rows.length < LOOKED_AT ? '' : ` by ${LOOKED_AT} of the companies` };
  } finally {
    await client.query('ROLLBACK');
  }
}
