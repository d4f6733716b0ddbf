import type { TestDatabase } from '@outcomes/testing';

interface Policy {
  readonly table: string;
  readonly name: string;
  readonly command: string;
  readonly using: string | null;
  readonly check: string | null;
  readonly restricted: boolean;
}

/** Every way in which a table with a company_id could show or take another company's rows, one line each. */
export async function protectionFaults(database: TestDatabase): Promise<string[]> {
  const tables = await database.query<{
    name: string;
    kind: string;
    enabled: boolean;
    forced: boolean;
    owner: string;
  }>(
    `SELECT c.relname AS name, c.relkind AS kind, c.relrowsecurity AS enabled, c.relforcerowsecurity AS forced,
            pg_get_userbyid(c.relowner) AS owner
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
        AND EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'company_id')
      ORDER BY c.relname`,
  );
  const policies = await database.query<Policy & Record<string, unknown>>(
    `SELECT tablename AS table, policyname AS name, cmd AS command, qual AS using, with_check AS check,
            permissive = 'RESTRICTIVE' AS restricted
       FROM pg_policies WHERE schemaname = 'public'`,
  );
  const faults: string[] = [];
  for (const { name, kind, enabled, forced, owner } of tables) {
    const own = policies.filter((policy) => policy.table === name);
    if (kind !== 'r') faults.push(`${name}: no plain table, so row-level security does not cover it`);
    if (!enabled) faults.push(`${name}: row-level security is not enabled`);
    if (!forced) faults.push(`${name}: row-level security is not forced`);
    if (!own.some(({ command, check }) => takesRows(command) && check !== null)) {
      faults.push(`${name}: no policy with a WITH CHECK`);
    }
    for (const policy of own) faults.push(...policyFaults(policy));
    if (owner.startsWith('outcomes_')) faults.push(`${name}: owned by the service role ${owner}`);
  }
  return [...faults, ...(await roleFaults(database))];
}

const takesRows = (command: string) => command === 'ALL' || command === 'INSERT';

/** Policies that show every row, and why they may: they are for one role, and for reading alone. */
const SEES_ALL = [
  'companies.schedule',
  'ingest_batches.schedule',
  'reanalysis_requests.schedule',
  'analysis_plans.schedule',
  'campaign_generations.schedule',
  'touch_rebuilds.schedule',
];

function policyFaults({ table, name, command, using, check }: Policy): string[] {
  const faults: string[] = [];
  if (takesRows(command) && check === null) faults.push(`${table}.${name}: writes without a WITH CHECK`);
  for (const condition of [using, check]) {
    if (condition === null || condition.includes(`current_setting('app.`)) continue;
    if (command !== 'SELECT' || !SEES_ALL.includes(`${table}.${name}`)) {
      faults.push(`${table}.${name}: does not depend on a setting of the transaction`);
    }
  }
  return faults;
}

async function roleFaults(database: TestDatabase): Promise<string[]> {
  const rows = await database.query<{ fault: string }>(
    `SELECT rolname || ': may bypass row-level security' AS fault FROM pg_roles
      WHERE rolname LIKE 'outcomes\\_%' AND (rolbypassrls OR rolsuper OR rolcreaterole OR rolcreatedb)
        -- Backups are read with it; nobody logs in as it, and what its members may do has a test of its own.
        AND NOT (rolname = 'outcomes_backup' AND NOT (rolcanlogin OR rolsuper OR rolcreaterole OR rolcreatedb))
     UNION ALL
     SELECT pg_get_userbyid(relowner) || ': owns ' || relname FROM pg_class
      WHERE pg_get_userbyid(relowner) LIKE 'outcomes\\_%'
     UNION ALL
     SELECT pg_get_userbyid(proowner) || ': owns ' || proname FROM pg_proc
      WHERE pg_get_userbyid(proowner) LIKE 'outcomes\\_%'
     UNION ALL
     SELECT m.rolname || ': is a member of ' || r.rolname FROM pg_auth_members a
       JOIN pg_roles r ON r.oid = a.roleid JOIN pg_roles m ON m.oid = a.member
      WHERE m.rolname LIKE 'outcomes\\_%' AND r.rolname NOT LIKE 'outcomes\\_%'
     UNION ALL
     SELECT proname || ': runs with the rights of its owner' FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
      WHERE n.nspname = 'public' AND p.prosecdef`,
  );
  return rows.map(({ fault }) => fault);
}
