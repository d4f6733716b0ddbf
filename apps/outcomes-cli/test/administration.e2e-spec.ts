import { tmpdir } from 'node:os';
import { startCommand } from '@outcomes/testing';
import { Installation } from './installation';

describe('outcomes company and keys', () => {
  let installation: Installation;
  let company: { companyId: string; keyId: string; apiKey: string };

  beforeAll(async () => {
    installation = await Installation.start([]);
    const options = ['--time-zone', 'Europe/Berlin', '--contact', 'ops@example.com'];
    company = await installation.cli('company', 'create', 'Example Ltd', ...options);
  }, 60_000);
  afterAll(() => installation.stop());

  it('creates a company with a key of the documented form', () => {
    expect(company.apiKey).toMatch(/^svc_[0-9A-Za-z]{48}_[0-9a-f]{8}$/);
    expect(company.apiKey).toContain(company.keyId);
  });

  it('says until when the first key of a company works', async () => {
    const { stdout } = await installation.cliOutcome('company', 'create', 'Until Ltd');
    const [, id = '', until = ''] = /^Id +(\S+)$[^]*^Expires +(\S+)$/m.exec(stdout) ?? [];
    expect((Date.parse(until) - Date.now()) / 86_400_000).toBeCloseTo(90, 0);
    const replayed = await installation.cliOutcome('decisions', 'replay', '--company', id);
    expect(replayed).toMatchObject({ code: 0, stdout: expect.stringContaining('There is no decision yet') });
    await installation.database.query('DELETE FROM api_keys WHERE company_id = $1', [id]);
    await installation.database.query('DELETE FROM companies WHERE company_id = $1', [id]);
  });

  it('lists companies and keys without a secret, and shows whom to tell about keys to whoever asks for it alone', async () => {
    const of = ['--company', company.companyId];
    const key = await installation.cli<{ keyId: string; apiKey: string }>(
      ...['keys', 'create', ...of, '--contact', 'a@example.com'],
    );
    const contacts = (...args: string[]) =>
      installation.cli('company', 'contact', company.companyId, ...args);
    const own = { keyId: key.keyId, email: 'a@example.com' };
    expect(await contacts()).toEqual({ contacts: [{ keyId: null, email: 'ops@example.com' }, own] });
    const companies = await installation.cli<object>('company', 'list');
    const keys = await installation.cli<{ keys: object[] }>('keys', 'list', ...of);
    expect(companies).toMatchObject({ companies: [{ name: 'Example Ltd', timeZone: 'Europe/Berlin' }] });
    expect(keys.keys).toHaveLength(2);
    for (const secret of [company.apiKey.slice(20, 40), key.apiKey.slice(20, 40), '@example.com'])
      expect(JSON.stringify([companies, keys])).not.toContain(secret);
    expect(await contacts('--set', 'new@example.com')).toEqual({
      contacts: [{ keyId: null, email: 'new@example.com' }, own],
    });
    expect(await contacts('--key', key.keyId, '--remove')).toEqual({ contacts: [] });
    await installation.database.query('DELETE FROM api_keys WHERE key_id = $1', [key.keyId]);
  });

  it('makes three keys at most, and another when one is revoked', async () => {
    const create = () => installation.cliOutcome('keys', 'create', '--company', company.companyId, '--json');
    await installation.addKey(company.companyId);
    const third = await create();
    expect(third.code).toBe(0);
    const fourth = await create();
    expect(fourth).toMatchObject({ code: 1, stdout: '' });
    expect(fourth.stderr).toContain('Revoke one before you create another');
    await installation.cli('keys', 'revoke', (JSON.parse(third.stdout) as { keyId: string }).keyId);
    expect((await create()).code).toBe(0);
  });

  it('lets people in with a password that is shown once, and gives another one', async () => {
    const of = ['--company', company.companyId];
    const created = await installation.cli<{ password: string }>(
      'user',
      'create',
      ...of,
      '--email',
      'Ada@example.com',
    );
    expect(created).toMatchObject({ email: 'ada@example.com', role: 'owner', password: expect.any(String) });
    const demote = ['user', 'create', ...of, '--email', 'ada@example.com', '--role', 'member', '--json'];
    const last = await installation.cliOutcome(...demote);
    expect(last).toMatchObject({ code: 1, stdout: '' });
    expect(last.stderr).toContain('Make somebody else owner first');
    await installation.cli('user', 'create', ...of, '--email', 'bob@example.com');
    const again = JSON.parse((await installation.cliOutcome(...demote)).stdout) as object;
    expect(again).toMatchObject({ role: 'member', password: null });
    const { password } = await installation.cli<{ password: string }>('user', 'reset', 'ada@example.com');
    expect(password).not.toBe(created.password);
    const listed = await installation.cli('user', 'list', ...of);
    expect(listed).toMatchObject({
      people: [
        { email: 'ada@example.com', role: 'member' },
        { email: 'bob@example.com', role: 'owner' },
      ],
      invitations: [],
    });
    expect(JSON.stringify(listed)).not.toContain(password);
    const unknown = await installation.cliOutcome('user', 'reset', 'nobody@example.com');
    expect(unknown).toMatchObject({ code: 1, stdout: '' });
    await installation.database.query('DELETE FROM memberships');
  });

  it('lets an account in that the address has already only where that is said', async () => {
    const create = ['user', 'create', '--company', company.companyId, '--email', 'ada@example.com'];
    const refused = await installation.cliOutcome(...create);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('outcomes user invite');
    const { stdout } = await installation.cliOutcome(...create, '--existing');
    expect(stdout).toContain('whoever signs in to it has this role');
    await installation.database.query('DELETE FROM memberships');
  });

  it('invites people with a link that is shown once', async () => {
    const invite = ['user', 'invite', '--company', company.companyId, '--email', 'Eve@example.com'];
    const { link, ...sent } = await installation.cli<{ link: string }>(...invite);
    expect(link).toMatch(/^http:\/\/localhost:\d+\/invite#[\w-]{43}$/);
    expect(sent).toMatchObject({ email: 'eve@example.com', role: 'owner', expiresAt: expect.any(String) });
    const { stdout } = await installation.cliOutcome(...invite, '--role', 'member', '--relink');
    expect(stdout).toMatch(/Role {6}member\nLink {6}http.*\/invite#/);
    const listed = await installation.cli('user', 'list', '--company', company.companyId);
    expect(listed).toMatchObject({ invitations: [{ email: 'eve@example.com', role: 'member' }] });
    const logged = await installation.database.query(
      `SELECT actor_type, details FROM administration_log WHERE action = 'person.invite' ORDER BY entry_no`,
    );
    expect(logged).toEqual([
      { actor_type: 'operator', details: { role: 'owner' } },
      { actor_type: 'operator', details: { role: 'member', relinks: true } },
    ]);
    await installation.database.query('DELETE FROM invitations');
  });

  it('narrows a key to what it is for, and lists what it is bound to', async () => {
    const other = await installation.addTenant({ name: 'Bound Ltd' });
    const of = ['--company', other.companyId];
    const bounds = ['--tools', 'get_drift_state,get_bandit_state', '--networks', '203.0.113.0/24'];
    await installation.cli('keys', 'create', ...of, '--for', 'agent', ...bounds);
    const { keys } = await installation.cli<{ keys: object[] }>('keys', 'list', ...of);
    expect(keys[0]).toMatchObject({
      ...{ purpose: 'agent', permissions: ['analytics_read'], networks: ['203.0.113.0/24'] },
      ...{ tools: ['get_drift_state', 'get_bandit_state'], lastUsedAt: null },
    });
    expect(keys[1]).toMatchObject({ purpose: null, tools: null, networks: null });
    const { stdout } = await installation.cliOutcome('keys', 'list', ...of);
    expect(stdout).toMatch(/agent .*get_drift_state.*never/);
    await installation.database.query('DELETE FROM api_keys WHERE company_id = $1', [other.companyId]);
    await installation.database.query('DELETE FROM companies WHERE company_id = $1', [other.companyId]);
  });

  it.each([
    [['keys', 'create', '--company', '5', '--for', 'everything'], /agent, ingest, read/],
    [['keys', 'create', '--company', '5', '--tools', 'get_everything'], /get_drift_state/],
    [['keys', 'list', '--company', '5'], /not a company id/],
    [['keys', 'revoke', 'nonsense'], /No key has this id/],
    [['keys', 'create', '--company', '5', '--burst', 'many'], /Give a whole number/],
    [['company', 'create', 'X', '--time-zone', 'Mars'], /IANA name/],
    [['company', 'create', 'X', '--contact', 'nobody'], /e-mail address/],
    [['nonsense'], /unknown command/],
  ])('answers %j with what to do', async (args, expected) => {
    const { code, stderr } = await installation.cliOutcome(...args);
    expect(code).toBe(1);
    expect(stderr).toMatch(expected);
  });

  it('names the variables of logins that are not put in place', async () => {
    const migrate = (environment: Record<string, string>) => {
      const settings = { DATABASE_URL: installation.database.ownerUrl, ...environment };
      return startCommand(['migrate', '--logins'], { cwd: tmpdir(), environment: settings }).ended;
    };
    const none = await migrate({});
    expect(none).toMatchObject({ code: 1, stdout: '' });
    expect(none.stderr).toMatch(/no login to put in place.*READ_API_DATABASE_URL.*CLI_DATABASE_URL/);
    const url = new URL(installation.database.ownerUrl);
    const role = `outcomes_partial_${process.pid}`;
    Object.assign(url, { username: role, password: 'secret' });
    const some = await migrate({ READ_API_DATABASE_URL: url.toString() });
    await installation.database.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    expect(some.code).toBe(0);
    expect(some.stderr).toMatch(
      /not set: INGEST_API_DATABASE_URL, MCP_GATEWAY_DATABASE_URL, ANALYSIS_WORKER_DATABASE_URL, CLI_DATABASE_URL\./,
    );
  });

  it('deletes no company where nobody can be asked, and says how to', async () => {
    const { code, stdout, stderr } = await installation.cliOutcome('company', 'delete', company.companyId);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/nothing was deleted.*add --yes/);
    expect(await installation.database.query('SELECT FROM companies')).toHaveLength(1);
  });

  it('lists batches that failed too often, and has them tried again', async () => {
    const plant = (attempts: number) =>
      installation.database.query<{ batch_id: string }>(
        `INSERT INTO ingest_batches (company_id, batch_id, event_ids, failed_attempts)
         VALUES ($1, gen_random_uuid(), ARRAY[gen_random_uuid()], $2) RETURNING batch_id`,
        [company.companyId, attempts],
      );
    const [[waiting], [parked]] = [await plant(1), await plant(5)];
    const list = async () =>
      (
        await installation.cli<{ batches: { batchId: string; state: string }[] }>('batches', 'list')
      ).batches.map(({ batchId, state }) => [batchId, state]);
    expect(await list()).toEqual([
      [parked?.batch_id, 'parked'],
      [waiting?.batch_id, 'waiting'],
    ]);
    const foreign = '00000000-0000-4000-8000-00000000ffff';
    expect((await installation.cliOutcome('batches', 'retry', '--company', foreign)).stderr).toContain(
      'there is no company',
    );
    expect(await installation.cli('batches', 'retry', '--company', company.companyId)).toEqual({
      retried: 1,
    });
    expect((await list()).map(([, state]) => state)).toEqual(['waiting', 'waiting']);
    await installation.database.query('DELETE FROM ingest_batches');
  });
});
