import { createHmac } from 'node:crypto';
import { SecretBox } from '@outcomes/ingestion';
import { startIngestApi, type IngestApiProcess } from '../ingest-api-process';
import { connectTool, outreach, SECRET, SECRETS_KEY, smartlead } from './connected-tool';

describe('POST /ingest/sources/{source}', () => {
  let api: IngestApiProcess;
  beforeAll(async () => {
    api = await startIngestApi({ environment: { SOURCE_SECRETS_KEY: SECRETS_KEY } });
  });
  afterAll(() => api.stop());

  let shapes = 0;
  const stored = () =>
    api.database.query('SELECT 1 FROM outcome_events UNION ALL SELECT 1 FROM held_deliveries');

  it('answers 404 alike to a source that is unknown, malformed, revoked, or addressed in the other way', async () => {
    const { sourceId, deliver } = await connectTool(api, 'smartlead');
    const { sourceId: gone, deliver: deliverGone } = await connectTool(api, 'woodpecker');
    await api.database.query('UPDATE sources SET revoked_at = now() WHERE source_id = $1', [gone]);
    const answers = [
      await deliver(smartlead('EMAIL_SENT'), { path: `/ingest/sources/src_${'x'.repeat(22)}/${SECRET}` }),
      await deliver(smartlead('EMAIL_SENT'), { path: `/ingest/sources/src_x/${SECRET}` }),
      await deliver(smartlead('EMAIL_SENT'), { path: `/ingest/sources/${sourceId}` }),
      await deliverGone([{}]),
    ];
    const [first, ...others] = answers.map(({ status, body }) => {
      const { requestId, timestamp, ...said } = body as Record<string, unknown>;
      expect([requestId, timestamp]).toEqual([expect.any(String), expect.any(String)]);
      return [status, said];
    });
    expect(first).toMatchObject([404, { error: 'NOT_FOUND' }]);
    for (const other of others) expect(other).toEqual(first);
  });

  it('answers 401 to another secret, another byte and no proof, and stores nothing', async () => {
    const { deliver } = await connectTool(api, 'outreach');
    const body = JSON.stringify(outreach('mailing.updated', { unsubscribedAt: '2026-01-06T09:00:00Z' }));
    for (const changed of [
      { secret: 'another secret' },
      { sent: body.replace('2026-01-06', '2026-01-07') },
      { headers: { 'outreach-webhook-signature': '' } },
    ]) {
      const answer = await deliver(body, changed);
      expect([answer.status, answer.body.error]).toEqual([401, 'DELIVERY_NOT_PROVEN']);
    }
    expect(await stored()).toEqual([]);
    // Mutation: with the right one it is taken.
    expect((await deliver(body)).status).toBe(202);
    await api.database.query('DELETE FROM outcome_events');
  });

  it('takes both secrets while a rotation lasts, and only the new one after', async () => {
    const { sourceId, deliver } = await connectTool(api, 'outreach', api.tenant, 'rotatedOutreach0000000');
    const sealed = new SecretBox(SECRETS_KEY).seal('the new secret', sourceId);
    await api.database.query(
      `UPDATE sources SET previous_signing_secret = signing_secret, signing_secret = $2,
         previous_until = now() + interval '7 days' WHERE source_id = $1`,
      [sourceId, sealed],
    );
    const body = outreach('mailing.created', {});
    expect((await deliver(body)).status).toBe(202);
    expect((await deliver(body, { secret: 'the new secret' })).status).toBe(202);
  });

  it('does not take the rotated secret after its time, nor one that is sealed for another source', async () => {
    const { sourceId, deliver } = await connectTool(api, 'outreach', api.tenant, 'endedOutreach000000000');
    const sealed = new SecretBox(SECRETS_KEY).seal('the new secret', 'src_another');
    await api.database.query(
      `UPDATE sources SET previous_signing_secret = signing_secret, signing_secret = $2,
         previous_until = now() - interval '1 second' WHERE source_id = $1`,
      [sourceId, sealed],
    );
    for (const secret of [SECRET, 'the new secret'])
      expect((await deliver(outreach('mailing.created', {}), { secret })).status).toBe(401);
    const empty = createHmac('sha256', '').update('{}').digest('hex');
    expect((await deliver('{}', { headers: { 'outreach-webhook-signature': empty } })).status).toBe(401);
  });

  it('answers 429 to the sixth that fails to prove, and still takes the one that does', async () => {
    const { deliver } = await connectTool(api, 'instantly', api.tenant, 'guessedInstantly000000');
    const statuses: number[] = [];
    for (let at = 0; at < 6; at += 1) statuses.push((await deliver('[]', { secret: `wrong ${at}` })).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await deliver([{ event_type: 'x' }])).status).toBe(202);
  });

  it.each([
    ['{', 400, 'INVALID_JSON'],
    ['', 400, 'INVALID_JSON'],
    ['[]', 400, 'INVALID_REQUEST'],
    ['[1]', 400, 'INVALID_REQUEST'],
    ['"text"', 400, 'INVALID_REQUEST'],
    [JSON.stringify(Array.from({ length: 501 }, () => ({}))), 413, 'TOO_MANY_EVENTS'],
    [' '.repeat(8 * 1024 * 1024 + 1), 413, 'PAYLOAD_TOO_LARGE'],
  ])('refuses what is no delivery: %#', async (body, status, error) => {
    shapes += 1;
    const suffix = `shape${shapes}`.padEnd(22, '0');
    const { deliver } = await connectTool(api, 'lemlist', api.tenant, suffix);
    const answer = await deliver(body);
    expect([answer.status, answer.body.error]).toEqual([status, error]);
  });

  it("stores nothing for another company than the source's", async () => {
    const [owner, other] = [await api.addTenant(), await api.addTenant()];
    const { sourceId, deliver } = await connectTool(api, 'smartlead', owner, 'ofOneCompany0000000000');
    await deliver(smartlead('EMAIL_SENT'), { headers: { 'X-Tenant-Id': other.companyId } });
    expect([(await api.events(owner)).length, (await api.events(other)).length]).toEqual([1, 0]);
    const replay = await api.request(`/ingest/replays?source=${sourceId}`, { as: other });
    expect([replay.status, replay.body.error]).toEqual([404, 'SOURCE_NOT_FOUND']);
  });
});
