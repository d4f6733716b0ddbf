import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, startCommand, testRedisUrl, type TestDatabase } from '@outcomes/testing';

describe('the settings of outcomes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'outcomes-settings-'));
  let database: TestDatabase;
  let admin: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    admin = await database.loginAs('outcomes_admin');
  });
  afterAll(async () => {
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  const outcomes = (environment: Record<string, string>, ...args: string[]) =>
    startCommand(args, { cwd: folder, environment: { REDIS_URL: testRedisUrl(), ...environment } }).ended;

  it.each([
    ['DATABASE_URL', 'postgres://login:100%@127.0.0.1:5432/outcomes', ['company', 'list']],
    ['DATABASE_URL', 'postgres://login:100%@127.0.0.1:5432/outcomes', ['company', 'delete', randomUUID()]],
    ['READ_API_DATABASE_URL', 'nonsense', ['doctor']],
    ['BACKUP_DATABASE_URL', 'http://127.0.0.1', ['backup', 'backup.gz']],
    ['DATABASE_POOLER', 'nonsense', ['doctor']],
    ['TRUSTED_CA_FILES', '/nowhere/ca.crt', ['doctor']],
  ])('are named where they are of no use: %s=%s', async (variable, value, command) => {
    const { code, stdout, stderr } = await outcomes({ DATABASE_URL: admin, [variable]: value }, ...command);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(new RegExp(`^outcomes: ${variable}\\b.*\\n$`));
    expect(stderr).not.toContain('100%@');
  });

  it('are those of a running npm start only for its own database', async () => {
    const secrets = Buffer.alloc(32, 7).toString('base64');
    mkdirSync(join(folder, '.local'));
    writeFileSync(
      join(folder, '.local/environment.json'),
      JSON.stringify({ databaseUrl: admin, redisUrl: 'redis://127.0.0.1:1', sourceSecretsKey: secrets }),
    );
    const company = randomUUID();
    await database.query(`INSERT INTO companies (company_id, name) VALUES ($1, 'Test')`, [company]);
    const create = ['webhooks', 'create', '--company', company, '--url', 'https://hooks.example.com/in'];
    const foreign = await outcomes({ DATABASE_URL: admin }, ...create);
    const own = await outcomes({}, ...create);
    const doctor = await startCommand(['doctor'], { cwd: folder, environment: { DATABASE_URL: admin } })
      .ended;
    rmSync(join(folder, '.local'), { recursive: true });
    await database.query('DELETE FROM webhook_endpoints; DELETE FROM companies');
    expect(own.code).toBe(0);
    expect(foreign).toMatchObject({ code: 1, stdout: '' });
    expect(foreign.stderr).toContain('Set SOURCE_SECRETS_KEY first');
    expect(doctor.stdout).toContain('set REDIS_URL');
  });

  it('of a running npm start are named where it is not running, or where its key is taken', async () => {
    mkdirSync(join(folder, '.local'));
    const nowhere = {
      databaseUrl: 'postgres://a:b@127.0.0.1:9/outcomes',
      ingestApiUrl: 'http://127.0.0.1:9',
    };
    writeFileSync(join(folder, '.local/environment.json'), JSON.stringify(nowhere));
    writeFileSync(join(folder, '.local/quickstart.json'), JSON.stringify({ apiKey: 'svc_wrong' }));
    writeFileSync(join(folder, 'outcomes.csv'), 'channel\nemail\n');
    const stopped = await outcomes({}, 'company', 'list');
    const sent = await outcomes({}, 'import', 'outcomes.csv', '--url', 'nonsense');
    rmSync(join(folder, '.local'), { recursive: true });
    expect(stopped).toMatchObject({ code: 1, stdout: '' });
    expect(stopped.stderr).toBe(
      'outcomes: Postgres is not reachable. Is "npm start" running in this folder?\n',
    );
    expect(sent.stderr).toMatch(/^No key was given: this goes to the demonstration company of npm start\./);
  });

  it.each([
    ['which nobody listens at', 'postgres://a:b@127.0.0.1:9/outcomes'],
    ['whose login is refused', undefined],
  ])('of a migration say %s', async (_what, url) => {
    const refused = new URL(admin);
    refused.password = 'wrong';
    const { code, stdout, stderr } = await outcomes({ DATABASE_URL: url ?? refused.href }, 'migrate');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^outcomes: Postgres is not reachable \(.*\)\. Check DATABASE_URL\.\n$/);
  });

  it.each([[['company', 'list']], [['batches', 'list']], [['audit', 'verify']]])(
    'need the login of the command line for %j, which would find nothing with another one',
    async (command) => {
      const login = await database.loginAs('outcomes_worker');
      const { code, stdout, stderr } = await outcomes({ DATABASE_URL: login }, ...command);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain('set DATABASE_URL to the login of the command line');
      expect(await outcomes({ DATABASE_URL: admin }, ...command)).toMatchObject({ code: 0 });
    },
  );

  it.each([
    [['keys', 'list', '--company']],
    [['user', 'list', '--company']],
    [['webhooks', 'list', '--company']],
    [['sources', 'list', '--company']],
    [['batches', 'list', '--company']],
    [['batches', 'retry', '--company']],
    [['audit', 'list', '--company']],
    [['company', 'contact']],
    [['analyze', '--company']],
  ])('name a company, and %j says where there is none', async (command) => {
    const nobody = randomUUID();
    const secrets = { SOURCE_SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') };
    const { code, stdout, stderr } = await outcomes({ DATABASE_URL: admin, ...secrets }, ...command, nobody);
    expect({ code, stdout, stderr }).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: `outcomes: there is no company ${nobody}; see "outcomes company list".\n`,
    });
  });

  it('say where tools reach ingest-api; without that only the path is shown', async () => {
    const company = randomUUID();
    await database.query(`INSERT INTO companies (company_id, name) VALUES ($1, 'Test')`, [company]);
    const environment = {
      ...{ DATABASE_URL: admin, INGEST_API_URL: 'http://outcomes-ingest-api' },
      SOURCE_SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    };
    const create = ['sources', 'create', '--tool', 'smartlead', '--company', company];
    const told = await outcomes(
      { ...environment, INGEST_API_PUBLIC_URL: 'https://in.example.com/' },
      ...create,
    );
    expect(told.stdout).toMatch(/^Address {2}https:\/\/in\.example\.com\/ingest\/sources\/src_/);
    const untold = await outcomes({ ...environment, INGEST_API_PUBLIC_URL: '' }, ...create);
    expect(untold.stdout).toMatch(/^Address {2}\/ingest\/sources\/src_\S+\nPut in front of it/);
    expect(untold.stdout).not.toContain('outcomes-ingest-api');
    await database.query('DELETE FROM sources; DELETE FROM companies');
  });
});
