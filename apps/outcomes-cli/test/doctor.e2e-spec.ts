import { randomBytes, randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { ensureServiceLogins, migrateDatabase } from '@outcomes/persistence';
import { randomBase62, SecretBox } from '@outcomes/platform/secrets';
import {
  createTestDatabase,
  startCommand,
  testRedisPrefix,
  testRedisUrl,
  type TestDatabase,
} from '@outcomes/testing';

interface Report {
  readonly healthy: boolean;
  readonly findings: readonly { check: string; state: string; detail: string }[];
}

describe('outcomes doctor', () => {
  let database: TestDatabase;
  let environment: Record<string, string>;

  beforeAll(async () => {
    database = await createTestDatabase();
    environment = {
      REDIS_URL: testRedisUrl(),
      REDIS_PREFIX: testRedisPrefix(),
      DATABASE_URL: await database.loginAs('outcomes_admin'),
      READ_API_DATABASE_URL: await database.loginAs('outcomes_reader'),
      INGEST_API_DATABASE_URL: await database.loginAs('outcomes_ingest'),
      CONSOLE_DATABASE_URL: await database.loginAs('outcomes_console'),
      MCP_GATEWAY_DATABASE_URL: await database.loginAs('outcomes_reader'),
      ANALYSIS_WORKER_DATABASE_URL: await database.loginAs('outcomes_worker'),
      BACKUP_DATABASE_URL: await database.loginAs('outcomes_backup'),
    };
    // Other suites have installations on the same server.
    const logins = Object.keys(environment)
      .filter((name) => name.endsWith('DATABASE_URL'))
      .map(roleOf);
    await database.query(`
      GRANT CONNECT ON DATABASE ${name()} TO ${logins.join(', ')};
      REVOKE CONNECT ON DATABASE ${name()} FROM PUBLIC`);
  });
  afterAll(() => database.drop());

  const name = () => new URL(database.ownerUrl).pathname.slice(1);
  const examined = async (changes: Record<string, string> = {}) => {
    const settings = { cwd: tmpdir(), environment: { ...environment, ...changes } };
    const { code, stdout, stderr } = await startCommand(['doctor', '--json'], settings).ended;
    if (stdout === '') throw new Error(stderr);
    return { code, ...(JSON.parse(stdout) as Report) };
  };
  const faults = ({ findings }: Report) =>
    findings.filter(({ state }) => state !== 'ok').map(({ check, detail }) => `${check}: ${detail}`);
  const roleOf = (variable: string) => `"${new URL(environment[variable] ?? '').username}"`;

  it('does what each service does, and finds nothing at fault', async () => {
    const before = await database.query('SELECT FROM companies');
    const report = await examined();
    expect(faults(report)).toEqual([]);
    expect(report.code).toBe(0);
    expect(report.findings.map(({ check }) => check)).toEqual([
      ...['postgres', 'primary', 'clock', 'migrations', 'connection', 'roles', 'neighbours', 'protection'],
      'backup role',
      'secrets',
      ...[
        'as read-api',
        'as ingest-api',
        'as mcp-gateway',
        'as analysis-worker',
        'as console',
        'as command line',
        'as backup',
        'pooler',
      ],
      ...['redis', 'redis topology', 'redis eviction', 'redis counters', 'redis queue'],
    ]);
    expect(await database.query('SELECT FROM companies')).toEqual(before);
    expect(await database.query('SELECT FROM audit_log')).toEqual([]);
  });

  it('says which login nobody gave it, and does not call that a fault', async () => {
    const report = await examined({ READ_API_DATABASE_URL: '' });
    expect(faults(report)).toEqual([
      'as read-api: not checked; set READ_API_DATABASE_URL to the URL of its login',
    ]);
    expect(report).toMatchObject({ code: 0, healthy: true });
  });

  it('looks whether the replica follows', async () => {
    const primary = environment.READ_API_DATABASE_URL ?? '';
    const report = await examined({ DATABASE_REPLICA_URL: primary });
    expect(faults(report)).toEqual([
      'replica: this is not a standby, so it is not used; set DATABASE_REPLICA_URL to one',
    ]);
    const away = await examined({ DATABASE_REPLICA_URL: 'postgres://nobody@127.0.0.1:1/none' });
    expect(faults(away)).toEqual([
      expect.stringMatching(/^replica: not readable \(.*the primary meanwhile$/),
    ]);
  });

  it.each<[string, string[]]>([
    [
      'REVOKE INSERT ON audit_log FROM outcomes_reader',
      ['protection: INSERT on audit_log to outcomes_reader', 'as mcp-gateway: permission denied'],
    ],
    [
      'DROP POLICY own_company ON outcome_events',
      ['protection: the policy outcome_events.own_company is missing', 'as ingest-api: new row violates'],
    ],
    [
      'ALTER POLICY own_company ON ingest_batches WITH CHECK (true); ALTER POLICY own_company ON erasures WITH CHECK (true)',
      ['protection: the policy erasures.own_company is not', 'as ingest-api: can write rows of another'],
    ],
    [
      'ALTER TABLE touches NO FORCE ROW LEVEL SECURITY',
      ['protection: row-level security is not forced on touches'],
    ],
  ])('finds what %s leaves, which a migration fixes', async (harm, expected) => {
    // What the harm before left would be found here, too.
    await database.query(harm);
    const report = await examined();
    await migrateDatabase(database.ownerUrl);
    expect(report.code).toBe(1);
    expect(faults(report)).toEqual(expected.map((beginning) => expect.stringContaining(beginning) as string));
  });

  it('finds nothing at fault once all of it was fixed', async () => {
    expect(faults(await examined())).toEqual([]);
  });

  it('finds a schema that is behind', async () => {
    await database.query(
      'UPDATE schema_migrations SET name = $1 WHERE id = (SELECT max(id) FROM schema_migrations)',
      ['Another'],
    );
    const report = await examined();
    await database.query(`UPDATE schema_migrations SET name = $1 WHERE name = 'Another'`, [
      /missing: (\w+)/.exec(faults(report).join())?.[1],
    ]);
    expect(faults(report)).toEqual([
      expect.stringMatching(/^migrations: missing: \w+; run "outcomes migrate"/),
    ]);
  });

  it('finds a login of another installation on the server that may connect to this one', async () => {
    const other = await createTestDatabase();
    const login = new URL(other.ownerUrl);
    Object.assign(login, { username: `reader_${randomBytes(4).toString('hex')}`, password: 'secret' });
    try {
      await ensureServiceLogins(other.ownerUrl, { readApi: login.toString() });
      expect(faults(await examined())).toEqual([]);
      await database.query(`GRANT CONNECT ON DATABASE ${name()} TO PUBLIC`);
      const report = await examined();
      expect(report.code).toBe(1);
      const [found] = faults(report);
      expect(found).toMatch(/^neighbours: .*may connect.*REVOKE CONNECT ON DATABASE \S+ FROM PUBLIC"$/);
      const { detail } = report.findings.find(({ check }) => check === 'neighbours') ?? { detail: '' };
      const others = Number(/and (\d+) more/.exec(detail)?.[1] ?? 0);
      // Five are named; other suites may have more.
      if (others === 0)
        expect(detail).toContain(`${login.username} of ${new URL(other.ownerUrl).pathname.slice(1)}`);
      // One that both use on purpose is none of another installation.
      await database.query(`REVOKE CONNECT ON DATABASE ${name()} FROM PUBLIC`);
      await database.query(`GRANT CONNECT ON DATABASE ${name()} TO ${login.username}`);
      expect(faults(await examined())).toHaveLength(1);
      const shared = new URL(environment.READ_API_DATABASE_URL ?? '');
      Object.assign(shared, { username: login.username, password: login.password });
      expect(faults(await examined({ READ_API_DATABASE_URL: shared.toString() }))).toEqual([]);
    } finally {
      await database.query(`REVOKE CONNECT ON DATABASE ${name()} FROM PUBLIC, ${login.username}`);
      await other.query(`DROP OWNED BY ${login.username}; DROP ROLE ${login.username}`);
      await other.drop();
    }
  });

  it('finds secrets that were encrypted under another key, as after a restore with new Secrets', async () => {
    const [company, other] = [randomUUID(), randomUUID()];
    const [key, lost] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
    const [before, after] = [new SecretBox(lost), new SecretBox(key)];
    const sources = [`src_${randomBase62(22)}`, `src_${randomBase62(22)}`] as const;
    const held = randomUUID();
    await database.query(`INSERT INTO companies (company_id, name) VALUES ($1, 'One'), ($2, 'Two')`, [
      company,
      other,
    ]);
    await database.query(
      `INSERT INTO sources (company_id, source_id, tool, signing_secret, created_at)
       VALUES ($1, $2, 'outreach', $3, now()), ($4, $5, 'outreach', $6, now())`,
      [
        ...[company, sources[0], before.seal('a secret', sources[0])],
        ...[other, sources[1], after.seal('a secret', sources[1])],
      ],
    );
    await database.query(
      `INSERT INTO held_deliveries (company_id, source_id, held_id, reason, received_at, recipient_shas, address_hashes, sealed)
       VALUES ($1, $2, $3, 'unreadable', now(), '{}', '{}', $4)`,
      [company, sources[0], held, before.seal('{}', `${company}/${sources[0]}/${held}`)],
    );
    try {
      expect(faults(await examined())).toEqual([
        'secrets: 3 are stored; set SOURCE_SECRETS_KEY to check that they open',
      ]);
      const restored = await examined({ SOURCE_SECRETS_KEY: key });
      expect(restored.code).toBe(1);
      expect(faults(restored)).toEqual([
        expect.stringMatching(
          /^secrets: 2 of 3 were encrypted under another SOURCE_SECRETS_KEY \(of sources, held deliveries\); append/,
        ),
      ]);
      expect(faults(await examined({ SOURCE_SECRETS_KEY: `${key},${lost}` }))).toEqual([]);
    } finally {
      await database.query('DELETE FROM held_deliveries; DELETE FROM sources; DELETE FROM companies');
    }
  });

  it('opens the secrets of however many companies there are, and names those that do not', async () => {
    const key = randomBytes(32).toString('base64');
    const last = 'ffffffff-ffff-4fff-bfff-ffffffffffff';
    const source = `src_${randomBase62(22)}`;
    await database.query(
      `INSERT INTO companies (company_id, name) SELECT gen_random_uuid(), 'Many' FROM generate_series(1, 1000)`,
    );
    await database.query(`INSERT INTO companies (company_id, name) VALUES ($1, 'Last')`, [last]);
    await database.query(
      `INSERT INTO sources (company_id, source_id, tool, signing_secret, created_at) VALUES ($1, $2, 'outreach', $3, now())`,
      [last, source, new SecretBox(randomBytes(32).toString('base64')).seal('a secret', source)],
    );
    try {
      const [found, ...others] = faults(await examined({ SOURCE_SECRETS_KEY: key }));
      expect(found).toMatch(/^secrets: 1 of 1 were encrypted under another SOURCE_SECRETS_KEY/);
      expect(found).toContain(source);
      expect(others).toEqual([]);
    } finally {
      await database.query('DELETE FROM sources; DELETE FROM companies');
    }
  });

  it.each([
    ['is the owner of the tables', true],
    ['sees no companies', false],
  ])('calls no secrets in order that are hidden from its login, which %s', async (why, isOwner) => {
    const login = await database.loginAs('outcomes_reader');
    const role = new URL(login).username;
    await database.query(`GRANT CONNECT ON DATABASE ${name()} TO ${role}`);
    if (isOwner) await database.query(`ALTER TABLE companies OWNER TO ${role}`);
    try {
      const { findings } = await examined({ DATABASE_URL: login });
      expect(findings).toContainEqual({
        ...{ check: 'secrets', state: 'unknown' },
        detail: expect.stringContaining('use the login of the command line') as string,
      });
      expect(findings).toContainEqual({
        ...{ check: 'connection', state: 'fault' },
        detail: `${role} ${why}; set DATABASE_URL to the login of the command line, with which the doctor is to be run`,
      });
    } finally {
      await database.query('ALTER TABLE companies OWNER TO postgres');
      await database.query(`REVOKE CONNECT ON DATABASE ${name()} FROM ${role}`);
    }
  });

  it('finds that it looks as somebody whom nothing holds', async () => {
    const [found] = faults(
      await examined({ DATABASE_URL: database.ownerUrl, CLI_DATABASE_URL: environment.DATABASE_URL ?? '' }),
    );
    expect(found).toMatch(/^connection: postgres bypasses row-level security/);
  });

  it('finds a login that could become the owner, and one that may take on the role for backups', async () => {
    const [reader, worker] = [roleOf('READ_API_DATABASE_URL'), roleOf('ANALYSIS_WORKER_DATABASE_URL')];
    await database.query(`GRANT postgres TO ${reader}; GRANT outcomes_backup TO ${worker}`);
    const report = await examined();
    await database.query(`REVOKE postgres FROM ${reader}; REVOKE outcomes_backup FROM ${worker}`);
    const [roles] = faults(report);
    expect(roles).toContain(`${reader.replaceAll('"', '')} may become postgres`);
    expect(roles).toContain(`${worker.replaceAll('"', '')} may become outcomes_backup`);
  });

  it('finds a login that takes no writes, one that is refused, and a Redis that is away', async () => {
    await database.query(`ALTER ROLE ${roleOf('DATABASE_URL')} SET default_transaction_read_only = on`);
    const wrong = new URL(environment.READ_API_DATABASE_URL ?? '');
    wrong.password = 'wrong';
    const report = await examined({
      READ_API_DATABASE_URL: wrong.toString(),
      REDIS_URL: 'redis://127.0.0.1:1',
    });
    await database.query(`ALTER ROLE ${roleOf('DATABASE_URL')} RESET default_transaction_read_only`);
    expect(faults(report)).toEqual([
      expect.stringMatching(/^primary: read-only/),
      expect.stringMatching(/^as read-api: cannot log in .*28P01/),
      expect.stringMatching(/^as command line: cannot execute INSERT in a read-only transaction/),
      expect.stringMatching(/^pooler: not checked .*28P01/),
      expect.stringMatching(/^redis: not reachable/),
    ]);
  });
});
