import type { ClientBase } from 'pg';
import { BACKUP_ROLE, GROUP_ROLES } from './group-roles';
import { GRANTS, POLICIES, SECURED_TABLES, SEQUENCES, type Policy } from './protection-catalogue';
import { storedProtection, type StoredPolicy, type StoredProtection } from './stored-protection';

type Client = Pick<ClientBase, 'query'>;

/** A difference between what protects a database and what should. */
export interface ProtectionFault {
  /** In words, naming the table or role. */
  readonly what: string;
  /** Statements that fix it; none where something is there that nobody here made, which a person has to judge. */
  readonly fix: readonly string[];
}

const SCHEMA_MIGRATIONS = 'schema_migrations';

/**
 * Holds roles, grants, policies and row-level security of a database against the catalogue. Any login may ask.
 * @returns what differs, in a fixed order; empty where nothing does. A missing role for backups is no fault: an
 * installation may be backed up by other means
 */
export async function protectionFaults(client: Client): Promise<ProtectionFault[]> {
  const stored = await storedProtection(client);
  return [...roleFaults(stored), ...tableFaults(stored), ...policyFaults(stored), ...grantFaults(stored)];
}

/**
 * Puts back what is missing or was changed. What is there in excess stays, for a person to judge.
 * @param client - of the owner of the tables, at the newest schema
 * @returns what was fixed, in words
 */
export async function restoreProtection(client: Client): Promise<string[]> {
  const fixed: string[] = [];
  for (const { what, fix } of await protectionFaults(client)) {
    for (const statement of fix) await client.query(statement);
    if (fix.length > 0) fixed.push(what);
  }
  return fixed;
}

function roleFaults({ roles, usage }: StoredProtection): ProtectionFault[] {
  const needed = GROUP_ROLES.filter((role) => !roles.has(role)).map((role) => ({
    what: `the role ${role} is missing`,
    fix: [],
  }));
  const barred = [...roles]
    .filter((role) => !usage.has(role))
    .map((role) => ({
      what: `${role} may not use the schema`,
      fix: [`GRANT USAGE ON SCHEMA public TO ${role}`],
    }));
  return [...needed, ...barred];
}

function tableFaults({ tables }: StoredProtection): ProtectionFault[] {
  return SECURED_TABLES.flatMap((table): ProtectionFault[] => {
    const found = tables.get(table);
    if (!found) return [{ what: `the table ${table} is missing`, fix: [] }];
    if (found.isEnabled && found.isForced) return [];
    return [
      {
        what: `row-level security is not ${found.isEnabled ? 'forced' : 'enabled'} on ${table}`,
        fix: [
          `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`,
          `ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`,
        ],
      },
    ];
  });
}

function policyFaults({ tables, policies }: StoredProtection): ProtectionFault[] {
  const stored = new Map(policies.map((policy) => [nameOf(policy), policy]));
  const expected = new Set(POLICIES.map(nameOf));
  const wanting = POLICIES.filter(({ table }) => tables.has(table)).flatMap((policy): ProtectionFault[] => {
    const found = stored.get(nameOf(policy));
    if (!found) return [{ what: `the policy ${nameOf(policy)} is missing`, fix: [createPolicy(policy)] }];
    if (isSame(found, policy)) return [];
    return [
      {
        what: `the policy ${nameOf(policy)} is not the one that was made`,
        fix: [`DROP POLICY ${policy.name} ON ${policy.table}`, createPolicy(policy)],
      },
    ];
  });
  const secured = new Set(SECURED_TABLES);
  const strange = policies
    .filter((policy) => secured.has(policy.table) && !expected.has(nameOf(policy)))
    .map((policy) => ({ what: `the policy ${nameOf(policy)} is nobody's here`, fix: [] }));
  return [...wanting, ...strange];
}

function grantFaults({ tables, rights, roles }: StoredProtection): ProtectionFault[] {
  const expected = expectedRights(roles.has(BACKUP_ROLE));
  const wanting = [...expected]
    .filter(([right, { role, table }]) => !rights.has(right) && roles.has(role) && tables.has(table))
    .map(([right, { grant }]) => ({ what: `${worded(right)} is not granted`, fix: [grant] }));
  const strange = [...rights]
    .filter((right) => !expected.has(right))
    .map((right) => ({ what: `${worded(right)} is granted, and should not be`, fix: [] }));
  return [...wanting, ...strange];
}

interface ExpectedRight {
  readonly role: string;
  readonly table: string;
  readonly grant: string;
}

function expectedRights(hasBackupRole: boolean): Map<string, ExpectedRight> {
  const expected = new Map<string, ExpectedRight>();
  const add = (role: string, privilege: string, relation: string, table: string, column?: string) => {
    const of = column === undefined ? '' : ` (${column})`;
    const kind = relation in SEQUENCES ? 'SEQUENCE ' : '';
    expected.set([role, privilege, relation, ...(column === undefined ? [] : [column])].join(' '), {
      ...{ role, table },
      grant: `GRANT ${privilege}${of} ON ${kind}${relation} TO ${role}`,
    });
  };
  for (const { role, rights, on, columns } of GRANTS) {
    for (const relation of on) {
      for (const right of rights) {
        for (const column of columns ?? [undefined])
          add(role, right, relation, SEQUENCES[relation] ?? relation, column);
      }
    }
  }
  if (hasBackupRole) {
    for (const table of [...SECURED_TABLES, SCHEMA_MIGRATIONS]) add(BACKUP_ROLE, 'SELECT', table, table);
    for (const [name, table] of Object.entries(SEQUENCES)) add(BACKUP_ROLE, 'SELECT', name, table);
    // Whoever takes everything away writes down that it did.
    add(BACKUP_ROLE, 'INSERT', 'administration_log', 'administration_log');
  }
  return expected;
}

function worded(right: string): string {
  const [role, privilege, relation, column] = right.split(' ');
  return `${privilege} on ${relation}${column === undefined ? '' : ` (${column})`} to ${role}`;
}

const nameOf = ({ table, name }: Pick<Policy, 'table' | 'name'>) => `${table}.${name}`;

function isSame(stored: StoredPolicy, policy: Policy): boolean {
  return (
    stored.command === policy.command &&
    stored.roles === policy.roles &&
    plain(stored.using) === plain(policy.using) &&
    plain(stored.check) === plain(policy.check)
  );
}

// Versions of Postgres print the same condition with other parentheses and spaces.
const plain = (condition: string | null) => condition?.replaceAll(/[()\s]/g, '') ?? null;

function createPolicy({ table, name, command, roles, using, check }: Policy): string {
  const parts = [
    `CREATE POLICY ${name} ON ${table} FOR ${command} TO ${roles}`,
    ...(using === null ? [] : [`USING (${using})`]),
    ...(check === null ? [] : [`WITH CHECK (${check})`]),
  ];
  return parts.join(' ');
}
