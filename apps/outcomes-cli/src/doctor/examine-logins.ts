import { randomUUID } from 'node:crypto';
import { BACKUP_ROLE, type InstallationLogin } from '@outcomes/persistence';
import { Client, type ClientConfig } from 'pg';
import type { CliConfig } from '../outcomes-cli.config';
import { failureLine } from '../output/cli-failure';
import { fault, ok, unknown, type Finding } from './finding';

const TIMEOUT_MS = 5_000;
const REFUSED = '42501';

interface Act {
  readonly name: string;
  /** Shown where it worked. */
  readonly done: string;
  readonly variable: string;
  /** $1 is a company that there is not, in text that takes it. */
  readonly statements: readonly string[];
}

const READS = [
  'SELECT document FROM snapshots WHERE company_id = $1',
  'SELECT touch_id FROM touches WHERE company_id = $1 LIMIT 1',
  'SELECT recipient_hash, outcome FROM outcome_events WHERE company_id = $1 LIMIT 1',
  `INSERT INTO usage_months (company_id, key_id, month, used) VALUES ($1, 'doctor', date '2000-01-01', 1)`,
];
const AUDITS = [
  `SELECT set_config('app.audit_company_ids', '{' || $1 || '}', true)`,
  `INSERT INTO audit_log (company_id, entry_id, occurred_at, key_id, actor_type, actor_id, tool, status, latency_ms,
     input_sha256, request_id)
   VALUES ($1, gen_random_uuid(), now(), 'doctor', 'service', 'doctor', 'doctor', 'success', 0, sha256(''), 'doctor')`,
];
const POSTS = [
  `INSERT INTO outcome_events (company_id, event_id, touch_id, channel, sequence_step, outcome, sent_has_time, sent_at,
     outcome_at, recipient_id, thread_id)
   VALUES ($1, gen_random_uuid(), gen_random_uuid(), 0, 0, 0, true, now(), now(), 'doctor', 'doctor')`,
  `INSERT INTO ingest_batches (company_id, batch_id, event_ids)
   VALUES ($1, gen_random_uuid(), ARRAY[gen_random_uuid()])`,
  `INSERT INTO erasures (company_id, erasure_id, subject, subject_sha256, kept_suppression)
   VALUES ($1, gen_random_uuid(), 'recipient', sha256(''), false)`,
  'DELETE FROM outcome_events WHERE company_id = $1',
];
const WORKS = [
  'SELECT company_id FROM companies LIMIT 1',
  'SELECT batch_id FROM ingest_batches WHERE company_id = $1 AND processed_at IS NULL FOR UPDATE SKIP LOCKED',
  `INSERT INTO touches (company_id, touch_id, channel, sequence_step, position, position_confidence, outcome, streamed,
     sent_day, sent_at, outcome_at, levels, recipient_id, thread_id)
   VALUES ($1, gen_random_uuid(), 0, 0, 0, 0, 1, true, current_date, now(), now(), '{}', 'doctor', 'doctor')`,
  `INSERT INTO analysis_runs (company_id, run_id, run_key, state, engine_version, data_as_of, started_at)
   VALUES ($1, gen_random_uuid(), 'doctor', 'running', 'doctor', now(), now())`,
  'SELECT seal_no FROM audit_seals WHERE company_id = $1 LIMIT 1',
];
const SIGNS_IN = [
  `INSERT INTO memberships (company_id, user_id, email, role, created_at)
   VALUES ($1, gen_random_uuid(), 'doctor@example.com', 'member', now())`,
];
const ADMINISTERS = [
  'SELECT company_id FROM companies LIMIT 1',
  `INSERT INTO companies (company_id, name) VALUES ($1, 'doctor')`,
  `INSERT INTO api_keys (company_id, key_id, secret_sha256, permissions, expires_at)
   VALUES ($1, 'doctordoctor0000', sha256(''), '{}', now())`,
];

const ACTS: Readonly<Record<Exclude<InstallationLogin, 'backup'>, Act>> = {
  readApi: {
    ...{ name: 'read-api', variable: 'READ_API_DATABASE_URL' },
    ...{ done: 'reads documents, counts usage', statements: READS },
  },
  ingestApi: {
    ...{ name: 'ingest-api', variable: 'INGEST_API_DATABASE_URL' },
    ...{ done: 'stores and deletes events, keeps the erasure ledger', statements: POSTS },
  },
  mcpGateway: {
    ...{ name: 'mcp-gateway', variable: 'MCP_GATEWAY_DATABASE_URL' },
    ...{ done: 'reads documents, writes audit rows', statements: [...READS, ...AUDITS] },
  },
  analysisWorker: {
    ...{ name: 'analysis-worker', variable: 'ANALYSIS_WORKER_DATABASE_URL' },
    ...{ done: 'takes batches, counts messages, starts runs', statements: WORKS },
  },
  console: {
    ...{ name: 'console', variable: 'CONSOLE_DATABASE_URL' },
    ...{ done: 'reads documents, keeps users and sessions', statements: [...READS, ...SIGNS_IN] },
  },
  cli: {
    ...{ name: 'command line', variable: 'CLI_DATABASE_URL' },
    ...{ done: 'creates companies and keys', statements: ADMINISTERS },
  },
};

/**
 * Does with every login that is known what its service does all day, for a company that there is not, in a transaction
 * that is rolled back. A login that nobody named here is not tried.
 */
export async function examineLogins(
  urls: Partial<Record<InstallationLogin, string>>,
  pooler: CliConfig['databasePooler'] = 'none',
): Promise<Finding[]> {
  const timeouts = pooler === 'none' ? { statement_timeout: TIMEOUT_MS } : {};
  const findings: Finding[] = [];
  for (const [login, act] of Object.entries(ACTS)) {
    const url = urls[login as InstallationLogin];
    const check = `as ${act.name}`;
    findings.push(
      url === undefined
        ? unknown(check, `not checked; set ${act.variable} to the URL of its login`)
        : await attempt(check, url, act.variable, act.done, (client) => perform(client, act), timeouts),
    );
  }
  if (urls.backup !== undefined)
    findings.push(
      await attempt('as backup', urls.backup, 'BACKUP_DATABASE_URL', 'may read every row', readAll, timeouts),
    );
  return findings;
}

async function attempt(
  check: string,
  url: string,
  variable: string,
  done: string,
  work: (client: Client) => Promise<string | undefined>,
  timeouts: ClientConfig,
): Promise<Finding> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
    ...timeouts,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    return fault(
      check,
      `cannot log in (${failureLine(error)}); check ${variable}; create it with "outcomes migrate --logins"`,
    );
  }
  try {
    const complaint = await work(client);
    return complaint === undefined ? ok(check, done) : fault(check, complaint);
  } catch (error) {
    return fault(
      check,
      `${failureLine(error)}; run "outcomes migrate" as the owner, or find out what changed`,
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function perform(client: Client, { statements }: Act): Promise<string | undefined> {
  const [company, other] = [randomUUID(), randomUUID()];
  await client.query('BEGIN');
  try {
    await client.query(`SELECT set_config('app.company_id', $1, true)`, [company]);
    // Ids are ours: as text, so that a statement may use them or not.
    for (const statement of statements) await client.query(statement.replaceAll('$1', `'${company}'`));
    const write = statements.findLast(
      (statement) => statement.startsWith('INSERT') && statement.includes('$1,'),
    );
    const isRefused = write === undefined || (await refuses(client, write.replaceAll('$1', `'${other}'`)));
    return isRefused ? undefined : 'can write rows of another company; run "outcomes migrate" as the owner';
  } finally {
    await client.query('ROLLBACK');
  }
}

async function refuses(client: Client, statement: string): Promise<boolean> {
  try {
    await client.query(statement);
    return false;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === REFUSED) return true;
    throw error;
  }
}

async function readAll(client: Client): Promise<string | undefined> {
  await client.query(`SET ROLE ${BACKUP_ROLE}; SET row_security = off`);
  await client.query('SELECT FROM companies LIMIT 1');
  return undefined;
}
