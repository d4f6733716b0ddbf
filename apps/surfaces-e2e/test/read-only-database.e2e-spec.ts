import { randomUUID } from 'node:crypto';
import { waitUntil, type ServiceProcess, type Tenant } from '@outcomes/testing';
import { Installation } from './installation';

describe('a service', () => {
  let installation: Installation;
  let service: ServiceProcess;
  let tenant: Tenant;

  beforeAll(async () => {
    installation = await Installation.create();
    tenant = await installation.addTenant();
    service = await installation.start('ingest-api');
  });
  afterAll(() => installation.stop());

  const post = async () => {
    const { status, headers } = await fetch(`http://127.0.0.1:${service.port}/ingest/events`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${tenant.apiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        ...{ channel: 'email', sequence_step: 0, recipient_id: randomUUID(), outcome: 'no_response' },
        ...{ sent_at: '2026-06-01T09:30:00Z', outcome_at: '2026-06-08T09:30:00Z' },
      }),
    });
    return { status, retryAfter: headers.get('Retry-After') };
  };
  const readiness = async () => {
    const answer = await fetch(`http://127.0.0.1:${service.managementPort}/readyz`);
    return { status: answer.status, failing: ((await answer.json()) as { failing: string[] }).failing };
  };
  const isReady = async () => (await readiness()).status === 200;

  it('answers 503 while its primary is demoted, says so, and takes up work with the next one', async () => {
    expect((await post()).status).toBe(202);
    const name = `"${(await installation.database.query<{ name: string }>('SELECT current_database() AS name'))[0]?.name}"`;
    await installation.database.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    await installation.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    // Before anybody asks whether it is ready: the failure of the write itself has to be told as what it is.
    for (let attempt = 0; attempt < 8; attempt += 1)
      expect(await post()).toEqual({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) as string });
    await waitUntil('it to be out', async () => !(await isReady()));
    expect((await readiness()).failing).toContain('postgres');
    expect((await post()).status).toBe(503);
    expect(service.output()).toContain('postgres takes no writes');
    await installation.database.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
    await waitUntil('it to be back', isReady);
    expect((await post()).status).toBe(202);
  });

  it('is not ready on a schema that is behind it, and is once the migrations have run', async () => {
    const [newest] = await installation.database.query<{ timestamp: string; name: string }>(
      `DELETE FROM schema_migrations WHERE id = (SELECT max(id) FROM schema_migrations) RETURNING timestamp, name`,
    );
    expect(await readiness()).toEqual({ status: 503, failing: ['schema'] });
    await installation.database.query('INSERT INTO schema_migrations (timestamp, name) VALUES ($1, $2)', [
      newest?.timestamp,
      newest?.name,
    ]);
    expect(await readiness()).toEqual({ status: 200, failing: [] });
  });
});
