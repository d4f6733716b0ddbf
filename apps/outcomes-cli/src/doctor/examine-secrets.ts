import { SecretBox } from '@outcomes/platform/secrets';
import type { Client } from 'pg';
import { connectedLogin } from '../installation/connected-login.repository';
import { failureLine } from '../output/cli-failure';
import { fault, ok, unknown, type Finding } from './finding';

const CHECK = 'secrets';
const PAGE = 1_000;
/** How many that do not open are named; the rest is counted. */
const NAMED = 5;

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
  let found = 0;
  const closed: Sealed[] = [];
  try {
    if (!(await connectedLogin(client)).administers)
      return unknown(CHECK, 'not checked: this login sees no companies; use the login of the command line');
    await client.query('BEGIN READ ONLY');
    try {
      for await (const sealed of sealedIn(client)) {
        found += 1;
        if (box.hasKey && box.open(sealed.sealed, sealed.owner) === undefined) closed.push(sealed);
      }
    } finally {
      await client.query('ROLLBACK');
    }
  } catch (error) {
    return unknown(CHECK, `cannot be read (${failureLine(error)})`);
  }
  if (found === 0) return ok(CHECK, 'none is stored');
  if (!box.hasKey)
    return unknown(CHECK, `${found} are stored; set SOURCE_SECRETS_KEY to check that they open`);
  if (closed.length === 0) return ok(CHECK, `${found} open under SOURCE_SECRETS_KEY`);
  const kinds = [...new Set(closed.map(({ kind }) => kind))].join(', ');
  const more = closed.length - NAMED;
  const named = closed.slice(0, NAMED).map(({ owner }) => owner);
  return fault(
    CHECK,
    `${closed.length} of ${found} were encrypted under another SOURCE_SECRETS_KEY (${kinds}); append that key, ` +
      'or make new secrets with "outcomes sources rotate" and "outcomes webhooks rotate": ' +
      `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
  );
}

/** Row-level security shows one company at a time, so that each takes a question of its own. */
async function* sealedIn(client: Client): AsyncGenerator<Sealed> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const { rows: companies } = await client.query<{ id: string }>(
      'SELECT company_id AS id FROM companies WHERE company_id > $1 ORDER BY 1 LIMIT $2',
      [after, PAGE],
    );
    for (const { id } of companies) {
      await client.query(`SELECT set_config('app.company_id', $1, true)`, [id]);
      yield* (await client.query<Sealed>(SEALED, [id])).rows;
    }
    const last = companies.at(-1);
    if (last === undefined || companies.length < PAGE) return;
    after = last.id;
  }
}
