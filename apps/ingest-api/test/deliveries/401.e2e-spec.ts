import { createHmac } from 'node:crypto';
import { SecretBox } from '@outcomes/platform/secrets';
import { shareIngestApi, type SharedIngestApi } from '../ingest-api-process';
import { connectTool, outreach, SECRET, SECRETS_KEY } from './connected-tool';

describe('POST /ingest/sources/{source}', () => {
  let api: SharedIngestApi;
  beforeAll(async () => {
    api = await shareIngestApi();
  });
  afterAll(() => api.stop());

  const stored = () =>
    api.database.query(
      `SELECT 1 FROM outcome_events WHERE company_id = $1
       UNION ALL SELECT 1 FROM held_deliveries WHERE company_id = $1`,
      [api.tenant.companyId],
    );

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
  });

  it('takes both secrets while a rotation lasts, and only the new one after', async () => {
    const { sourceId, deliver } = await connectTool(api, 'outreach');
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
    const { sourceId, deliver } = await connectTool(api, 'outreach');
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
});
