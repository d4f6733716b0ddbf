import { hash } from 'node:crypto';
import { MAX_HELD } from '@outcomes/ingestion';
import { shareIngestApi, startIngestApi, type SharedIngestApi } from '../ingest-api-process';
import { changeHeld, connectTool, heldOf, outreach, smartlead } from './connected-tool';

const sha = (text: string) => hash('sha256', text);

describe('what cannot be read of a delivery', () => {
  let api: SharedIngestApi;
  beforeAll(async () => {
    api = await shareIngestApi();
  });
  afterAll(() => api.stop());

  it('holds what it cannot read, without address, subject and text, and reads it when it can', async () => {
    const tenant = await api.addTenant({ burst: 100 });
    const { sourceId, deliver } = await connectTool(api, 'outreach', tenant);
    const delivery = outreach('mailing.delivered', {
      ...{ deliveredAt: '2026-01-05T09:00:00Z', subject: 'A question', bodyText: 'Never leaves' },
    });
    expect((await deliver(delivery)).body).toMatchObject({ accepted: 0, waiting: 1 });
    expect((await deliver(delivery)).body).toMatchObject({ waiting: 1 });
    // An opt-out does not wait for its step.
    const optOut = await deliver(outreach('mailing.updated', { unsubscribedAt: '2026-01-06T09:00:00Z' }));
    expect(optOut.body).toMatchObject({ accepted: 1, waiting: 0 });
    const held = () => heldOf(api, sourceId);
    const [first] = await held();
    expect(first?.row).toMatchObject({ reason: 'UNKNOWN_STEP_ID', recipient_shas: [sha('outreach:7')] });
    expect(first?.fields).toMatchObject({ data: { type: 'mailing', id: 9001 } });
    expect(JSON.stringify(first?.fields)).not.toMatch(/A question|Never leaves|@/);
    // What the database keeps says nothing of it.
    const stored = await api.database.query<{ row: string }>(
      `SELECT (to_jsonb(h) - 'sealed')::text AS row FROM held_deliveries h WHERE company_id = $1`,
      [tenant.companyId],
    );
    const plain = [...stored.map(({ row }) => row), first?.row.sealed.toString('latin1')].join();
    expect(plain).toContain(sourceId);
    expect(plain).not.toMatch(/mailing|9001|outreach:7|198394/);
    await api.database.query(`UPDATE sources SET steps = '{"198394": 2}' WHERE source_id = $1`, [sourceId]);
    const replayed = await api.request(`/ingest/replays?source=${sourceId}`, { as: tenant });
    expect(replayed.body).toEqual({ looked_at: 1, released: 1, accepted: 1, duplicates: 0, next: null });
    expect(await held()).toEqual([]);
    expect((await api.events(tenant)).map((event) => event.sequence_step).sort()).toEqual([0, 2]);
  });

  it('gives a held address the identity that it would have had', async () => {
    const tenant = await api.addTenant({ burst: 100 });
    const { sourceId, deliver } = await connectTool(api, 'smartlead', tenant);
    await deliver(smartlead('SOMETHING_NEW', { secret_key: 'Never leaves' }));
    const [held] = await heldOf(api, sourceId);
    expect(held?.fields.to_email).toBe(`held-${sha('ada@example.com').slice(0, 32)}@example.com`);
    expect(JSON.stringify(held?.fields)).not.toMatch(/ada@|A question|Never leaves/);
    const recipientId = `em_${sha('ada@example.com').slice(0, 32)}`;
    expect(held?.row).toMatchObject({
      recipient_shas: [sha(recipientId)],
      address_hashes: [sha('ada@example.com').slice(0, 16)],
    });
    // As a later version of the profile would read it.
    await changeHeld(api, sourceId, { event_type: 'EMAIL_SENT' });
    await api.request(`/ingest/replays?source=${sourceId}`, { as: tenant });
    expect((await deliver(smartlead('EMAIL_SENT'))).body).toMatchObject({ accepted: 1, duplicates: 1 });
    expect(await api.events(tenant)).toMatchObject([
      {
        recipient_id: recipientId,
        recipient_hash: sha('ada@example.com').slice(0, 16),
        email_domain: 'example.com',
      },
    ]);
  });

  it('lets go of what it held when the recipient is erased, by id and by address', async () => {
    const tenant = await api.addTenant({ burst: 100 });
    const { sourceId, deliver } = await connectTool(api, 'smartlead', tenant);
    const left = async () =>
      (await api.database.query('SELECT 1 FROM held_deliveries WHERE source_id = $1', [sourceId])).length;
    await deliver([
      smartlead('NEW', { to_email: 'ada@example.com' }),
      smartlead('NEW', { to_email: 'ben@example.com' }),
    ]);
    expect(await left()).toBe(2);
    const erase = (id: string) =>
      api.request(`/ingest/events?recipient_id=${encodeURIComponent(id)}`, { method: 'DELETE', as: tenant });
    await erase(`em_${sha('ada@example.com').slice(0, 32)}`);
    expect(await left()).toBe(1);
    await erase('Ben@Example.com');
    expect(await left()).toBe(0);
  });

  it('refuses what it has no room to hold, so that it is sent again, and takes what needs none', async () => {
    const tenant = await api.addTenant({ burst: 100 });
    const { sourceId, deliver } = await connectTool(api, 'smartlead', tenant);
    await deliver(smartlead('NEW', { to_email: 'ada@example.com' }));
    await api.database.query(
      `INSERT INTO held_deliveries
         (company_id, source_id, held_id, reason, recipient_shas, address_hashes, sealed, received_at)
       SELECT $1, $2, gen_random_uuid(), 'unknown_type', '{}', '{}', '', now() FROM generate_series(2, $3::int)`,
      [tenant.companyId, sourceId, MAX_HELD],
    );
    const refused = await deliver([
      smartlead('NEW', { to_email: 'ben@example.com' }),
      smartlead('EMAIL_SENT', { to_email: 'cyd@example.com' }),
      smartlead('OPTED_OUT', { to_email: 'dan@example.com' }),
    ]);
    expect([refused.status, refused.body.error]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    // What could be read is stored, and counts once when it is sent again; an opt-out does not wait for room.
    const kept = (await api.events(tenant)).map((event) => event.recipient_hash);
    expect(kept.sort()).toEqual(
      ['cyd@example.com', 'dan@example.com'].map((a) => sha(a).slice(0, 16)).sort(),
    );
    // What is held already is not new, and what is read needs no room.
    expect((await deliver(smartlead('NEW', { to_email: 'ada@example.com' }))).status).toBe(202);
    expect((await deliver(smartlead('EMAIL_SENT', { to_email: 'cyd@example.com' }))).body).toMatchObject({
      duplicates: 1,
    });
    await api.database.query(
      `DELETE FROM held_deliveries WHERE held_id IN (
         SELECT held_id FROM held_deliveries WHERE source_id = $1 AND sealed = '' LIMIT 1)`,
      [sourceId],
    );
    expect((await deliver(smartlead('NEW', { to_email: 'ben@example.com' }))).body).toMatchObject({
      waiting: 1,
    });
  });

  it('refuses what it would have to hold where it has nothing to encrypt it with', async () => {
    const keyless = await startIngestApi();
    const { deliver } = await connectTool(keyless, 'smartlead');
    expect((await deliver(smartlead('NEW'))).status).toBe(503);
    expect((await deliver(smartlead('EMAIL_SENT'))).status).toBe(202);
    await keyless.stop();
  });
});
