import pg from 'pg';

export type Prints = Record<string, { rows: number; print: string }>;

export async function queryAs(url: string, text: string, values: unknown[] = []): Promise<any[]> {
  const client = new pg.Client({ connectionString: url, query_timeout: 120_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

export async function countAs(url: string, table: string): Promise<number> {
  const [{ n }] = await queryAs(url, `SELECT count(*)::int AS n FROM ${table}`);
  return n;
}

/**
 * Whether a login sees what is its company's and nothing of others, where policies are all that keeps it from them.
 * The login for backups sees nothing until it takes its role on.
 */
export async function seenBy(url: string, companyId: string) {
  const isBackup = url.includes('backup_reader');
  // Of batches, workers and administrators see everybody's, by name.
  const table = /_(cli|worker)/.test(url) ? 'cohort_counts' : 'ingest_batches';
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(`SELECT set_config('app.company_id', $1, false)`, [companyId]);
    const { rows } = await client.query(
      `SELECT count(*) FILTER (WHERE company_id = $1)::int AS own,
         count(*) FILTER (WHERE company_id <> $1)::int AS foreign FROM ${table}`,
      [companyId],
    );
    return { own: isBackup || rows[0].own > 0, foreign: rows[0].foreign };
  } finally {
    await client.end();
  }
}

/**
 * Of every table the count and a hash that no order matters for. Entries of the administration log about backing up and
 * restoring are left out: they are about what happens between two such looks.
 */
export async function printsOf(url: string): Promise<Prints> {
  const tables = await queryAs(
    url,
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
       AND relname <> 'schema_migrations' ORDER BY 1`,
  );
  const prints: Prints = {};
  for (const { name } of tables) {
    const [row] = await queryAs(
      url,
      `SELECT count(*)::int AS rows, coalesce(md5(string_agg(one::text, E'\\n' ORDER BY one::text COLLATE "C")), '') AS print
       FROM ${name} AS one ${name === 'administration_log' ? `WHERE action NOT LIKE 'backup.%'` : ''}`,
    );
    prints[name] = row;
  }
  return prints;
}

export function differences(before: Prints, after: Prints) {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}

/** Tables in which somebody's rows are left. */
export async function traces(url: string, needles: readonly string[]) {
  const patterns = needles.flatMap((needle) => [`%${needle}%`, `%${Buffer.from(needle).toString('hex')}%`]);
  let found = 0;
  for (const name of Object.keys(await printsOf(url))) {
    const rows = await queryAs(url, `SELECT FROM ${name} AS one WHERE one::text LIKE ANY ($1) LIMIT 1`, [
      patterns,
    ]);
    found += rows.length;
  }
  return found;
}
