import { randomBytes } from 'node:crypto';
import {
  databaseContents,
  inForm,
  noteFigures,
  redisContents,
  waitUntil,
  type ServiceProcess,
  type Tenant,
} from '@outcomes/testing';
import { KeyForm } from '@outcomes/auth/key-form';
import { TOOL_NAMES } from '@outcomes/contracts';
import { eachOf, exchange, rpc, type Answer, type Request } from './exchange';
import { Installation } from './installation';

/** Four texts that must stand nowhere that an operator, a neighbour or a thief of a dump can read. */
function canaries() {
  const mark = randomBytes(6).toString('hex');
  return {
    email: `canary-${mark}@secret-${mark}.example`,
    body: `Body-${mark} about the merger`,
    subject: `Subject-${mark} of the merger`,
    contact: `contact-${mark}`,
  };
}

describe('what nobody may find', () => {
  const secret = canaries();
  const form = new KeyForm('svc');
  const answers: Answer[] = [];
  const keys: string[] = [];
  let installation: Installation;
  let services: Readonly<Record<'read' | 'ingest' | 'mcp' | 'worker', ServiceProcess>>;
  let tenant: Tenant;
  let commandLine = '';

  beforeAll(async () => {
    installation = await Installation.create({ environment: { LOG_LEVEL: 'trace' } });
    services = {
      read: await installation.start('read-api'),
      ingest: await installation.start('ingest-api'),
      mcp: await installation.start('mcp-gateway'),
      worker: await installation.start('analysis-worker'),
    };
    tenant = await installation.addTenant({ name: 'Canary' });
    keys.push(tenant.apiKey);
    await ingest();
    await readEverything();
    await useManyKeys();
  }, 600_000);

  afterAll(() => installation?.stop());

  it('is in none of the logs, at their most talkative', () => {
    const output = installation.output() + commandLine;
    expect(output).toContain('"/ingest/events"');
    expect(hits(output, [...Object.values(secret), ...secretsOf(keys)])).toEqual([]);
    noteFigures(
      `${keys.length} keys presented, ${answers.length} requests, ${output.length} characters of logs`,
    );
  });

  it('is in no metric', async () => {
    for (const service of Object.values(services)) {
      const text = await service.metrics();
      expect(text).toContain('process_cpu');
      expect(hits(text, [...Object.values(secret), ...secretsOf(keys)])).toEqual([]);
    }
  });

  it('is in no error body, beyond what its caller wrote into the address', () => {
    const errors = answers.filter(({ status }) => status >= 400);
    expect(errors.length).toBeGreaterThan(10);
    for (const { raw } of errors) {
      expect(hits(raw, [secret.email, secret.body, secret.subject, ...secretsOf(keys)])).toEqual([]);
    }
  });

  it('is not in Redis', async () => {
    const contents = await redisContents(installation.redisPrefix);
    expect(contents).toContain(tenant.keyId);
    expect(hits(contents, [...Object.values(secret), ...secretsOf(keys)])).toEqual([]);
  });

  it('is not in the database where it is a key or an address', async () => {
    const contents = await databaseContents(installation.database);
    // A body that was sent is stored; that shows that the scan sees what is there.
    expect(contents).toContain(secret.body);
    expect(hits(contents, [secret.email, ...secretsOf(keys)])).toEqual([]);
  });

  it('would be found: the scans see a key that is planted', async () => {
    const { apiKey } = form.generate();
    await installation.database.query('UPDATE companies SET name = $1 WHERE company_id = $2', [
      apiKey,
      tenant.companyId,
    ]);
    expect(hits(await databaseContents(installation.database), secretsOf([apiKey]))).toHaveLength(2);
  });

  async function ingest(): Promise<void> {
    const event = (at: number, parts: Readonly<Record<string, unknown>> = {}) => ({
      ...{
        channel: 'email',
        sequence_step: 0,
        recipient_id: secret.contact,
        thread_id: `${secret.contact}-${at}`,
      },
      ...{ sent_at: '2026-01-05T09:30:00Z', outcome_at: '2026-01-08T09:30:00Z', outcome: 'responded' },
      ...{ recipient_email: secret.email, subject: secret.subject, body: secret.body },
      ...parts,
    });
    const good = Array.from({ length: 20 }, (_, at) => event(at));
    const bad = [
      event(30, { tone: 'casual' }),
      event(31, { outcome: secret.subject }),
      event(32, { sent_at: secret.body }),
      event(33, { recipient_email: `${secret.email}@` }),
      event(34, { metadata: { [secret.subject]: '\u0000' } }),
    ];
    const csv = `channel,sequence_step,recipient_id,sent_at,outcome_at,outcome,subject,recipient_email\nemail,0,${secret.contact},x,y,z,${secret.subject},${secret.email}\n`;
    await send({ body: JSON.stringify({ events: [...good, ...bad] }) });
    await send({ body: `{"events":[{"subject":"${secret.subject}",` });
    await send({ body: JSON.stringify({ subject: secret.subject, recipient_email: secret.email }) });
    await send({ path: '/ingest/csv', body: csv, type: 'text/csv' });
    await send({ path: '/ingest/csv', body: `${csv}"${secret.body},${secret.email}`, type: 'text/csv' });
    await waitUntil(
      'the first analysis',
      async () =>
        (
          await installation.database.query(
            `SELECT 1 FROM analysis_runs WHERE company_id = $1 AND state = 'succeeded'`,
            [tenant.companyId],
          )
        ).length > 0,
      120_000,
    );
  }

  async function readEverything(): Promise<void> {
    const read = [
      '/patterns',
      '/patterns/recipients',
      '/intelligence/bandit',
      '/intelligence/drift',
      '/health',
    ];
    for (const path of [...read, `/intelligence/contacts/${secret.contact}`, `/none/${secret.contact}`]) {
      await ask({
        port: services.read.port,
        method: 'GET',
        path: `/v1${path}`,
        headers: bearer(tenant.apiKey),
      });
    }
    for (const name of [...TOOL_NAMES, 'none']) {
      const args = { contact_id: secret.contact, campaign_id: secret.subject };
      await ask(rpc(services.mcp.port, tenant.apiKey, 'tools/call', { name, arguments: args }));
      await ask(
        rpc(services.mcp.port, tenant.apiKey, 'tools/call', {
          name,
          arguments: { contact_id: secret.contact },
        }),
      );
    }
    await ask({
      ...rpc(services.mcp.port, tenant.apiKey, 'x', {}),
      body: `{"${secret.body}": ${secret.email}`,
    });
    const gone = `/ingest/events?recipient_id=${encodeURIComponent('somebody else')}`;
    await ask({ port: services.ingest.port, method: 'DELETE', path: gone, headers: bearer(tenant.apiKey) });
  }

  /** Keys that work, keys that nearly do, and keys that never did. */
  async function useManyKeys(): Promise<void> {
    const { stdout, stderr } = await installation.cliOutcome('company', 'create', 'Holder', '--json');
    const { companyId = '', apiKey: first = '' } = JSON.parse(stdout) as Record<string, string>;
    keys.push(first);
    commandLine = stderr;
    await ask({ ...getPatterns(first), port: services.read.port });
    const ports = [services.read.port, services.ingest.port, services.mcp.port];
    await eachOf(Array.from({ length: inForm(60, 1_000) }), 8, async (_nothing, at) => {
      const { keyId, apiKey } = await installation.addKey(companyId);
      const broken = [
        apiKey,
        form.format(keyId, form.generate().secret),
        form.generate().apiKey,
        `${apiKey}x`,
      ];
      for (const presented of broken) {
        keys.push(presented);
        const port = ports[at % ports.length] ?? 0;
        const request =
          port === services.mcp.port
            ? rpc(port, presented, 'tools/call', { name: 'get_drift_state', arguments: {} })
            : { ...getPatterns(presented), port };
        await ask(request);
      }
    });
  }

  async function send({ path = '/ingest/events', body, type = 'application/json' }: Record<string, string>) {
    const headers = { ...bearer(tenant.apiKey), 'Content-Type': type ?? '' };
    await ask({ port: services.ingest.port, method: 'POST', path: path ?? '', headers, body: body ?? '' });
  }

  async function ask(request: Request): Promise<void> {
    answers.push(await exchange(request));
  }
});

function bearer(apiKey: string): Record<string, string> {
  return { Authorization: `Bearer ${apiKey}` };
}

function getPatterns(apiKey: string): Omit<Request, 'port'> {
  return { method: 'GET', path: '/v1/patterns', headers: bearer(apiKey) };
}

/** Each key whole, and the half of it that is secret. */
function secretsOf(keys: readonly string[]): string[] {
  return keys.flatMap((key) => [key, key.slice('svc_'.length + 16, 'svc_'.length + 48)]);
}

function hits(text: string, wanted: readonly string[]): string[] {
  return wanted.filter((value) => text.includes(value) || text.includes(encodeURIComponent(value)));
}
