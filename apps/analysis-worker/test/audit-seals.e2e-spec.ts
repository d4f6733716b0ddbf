import { INSTALLATION } from '@outcomes/audit';
import {
  createTestDatabase,
  Installation,
  tcpProxy,
  testRedisUrl,
  waitUntil,
  type TcpProxy,
} from '@outcomes/testing';

describe('the worker, sealing the audit log', () => {
  let installation: Installation;
  let redis: TcpProxy;

  beforeAll(async () => {
    redis = await tcpProxy(testRedisUrl());
    const environment = { AUDIT_SEAL_INTERVAL_MS: '50' };
    installation = new Installation(await createTestDatabase(), { redisUrl: redis.url, environment });
  });
  afterAll(async () => {
    await installation.stopServices({ signal: 'SIGKILL' });
    await redis.close();
    await installation.stop();
  });

  const audit = (companyId: string, rows: number) =>
    installation.database.query(
      `INSERT INTO audit_log (company_id, entry_id, occurred_at, key_id, actor_type, actor_id, tool, status,
         latency_ms, input_sha256, request_id)
       SELECT $1, gen_random_uuid(), now(), 'k', 'agent', 'a', 'get_bandit_state', 'success', n, sha256('x'), 'r'
         FROM generate_series(1, $2::int) AS n`,
      [companyId, rows],
    );
  const sealed = async (companyId: string) => {
    const [row] = await installation.database.query<{ rows: number }>(
      'SELECT coalesce(sum(row_count), 0)::int AS rows FROM audit_seals WHERE company_id = $1',
      [companyId],
    );
    return row?.rows;
  };
  const counted = async (companyId: string) => {
    const [row] = await installation.database.query<{ calls: number }>(
      'SELECT coalesce(sum(calls), 0)::int AS calls FROM audit_call_counts WHERE company_id = $1',
      [companyId],
    );
    return row?.calls;
  };
  const untilSealed = (companyId: string, rows: number) =>
    waitUntil(`${rows} sealed rows`, async () => (await sealed(companyId)) === rows, 25_000);

  it('seals what it finds at its start, what comes later, and while Redis is away', async () => {
    const [one, other] = [await installation.addCompany(), await installation.addCompany()];
    await audit(one, 1_500);
    // Calls for no tenant, or for one that the caller may not read.
    await audit(INSTALLATION, 3);
    const worker = await installation.start('analysis-worker');
    await untilSealed(one, 1_500);
    await untilSealed(INSTALLATION, 3);
    await audit(other, 5);
    await audit(one, 7);
    await untilSealed(other, 5);
    await untilSealed(one, 1_507);
    await audit(INSTALLATION, 2);
    await untilSealed(INSTALLATION, 5);
    await redis.cut();
    await audit(other, 2);
    await untilSealed(other, 7);
    for (const [companyId, calls] of [
      [one, 1_507],
      [other, 7],
    ] as const)
      await waitUntil(`${calls} counted calls`, async () => (await counted(companyId)) === calls);
    // Counted when the rows are stored, so a moment later than they are seen.
    const metric = 'outcomes_audit_rows_sealed_total{app="analysis-worker"} 1519';
    await waitUntil('the count', async () => (await worker.metrics()).includes(metric));
  });
});
