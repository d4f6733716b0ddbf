import { randomUUID } from 'node:crypto';
import { expectEnvelope } from '../envelope';
import { shareReadApi, type SharedReadApi } from '../read-api-process';

describe('GET /suppressions', () => {
  let api: SharedReadApi;
  beforeAll(async () => {
    api = await shareReadApi();
  });
  afterAll(() => api.stop());

  const list = (changeNo: number, recipientId: string | null, addressHash: string | null) =>
    api.database.query(
      `INSERT INTO suppression_list (company_id, suppression_id, change_no, change, reason, recipient_id,
         recipient_sha, recipient_hash, channel, since, changed_at)
       VALUES ($1, $2, $3, 'added', 'unsubscribed', $4::text, encode(sha256($4::text::bytea), 'hex'), $5, 0, now(), now())`,
      [api.tenant.companyId, randomUUID(), changeNo, recipientId, addressHash],
    );

  it('answers 200 page by page, and goes on where it ended', async () => {
    await api.plantTouch({ campaignId: 'spring', recipientId: 'bert' });
    await api.database.query(`UPDATE touches SET recipient_hash = 'bbbbbbbbbbbbbbbb' WHERE company_id = $1`, [
      api.tenant.companyId,
    ]);
    await list(1, 'anna', null);
    await list(2, null, 'bbbbbbbbbbbbbbbb');
    const first = await api.request('/suppressions?limit=1');
    expectEnvelope(first);
    expect(first.body.data).toMatchObject({
      has_more: true,
      suppressions: [{ recipient_ids: ['anna'], email_hash: null, reason: 'unsubscribed', bounce: null }],
    });
    const next = (cursor: string) => api.request(`/suppressions?cursor=${encodeURIComponent(cursor)}`);
    const second = await next(first.body.data.next_cursor as string);
    expect(second.body.data).toMatchObject({
      has_more: false,
      suppressions: [
        {
          recipient_ids: ['bert'],
          email_hash: 'bbbbbbbbbbbbbbbb',
          recipient_id_sha256: null,
          channel: 'email',
        },
      ],
    });
    const none = await next(second.body.data.next_cursor as string);
    expect(none.body.data.suppressions).toEqual([]);
    await list(3, 'carl', null);
    const later = await next(none.body.data.next_cursor as string);
    expect(later.body.data.suppressions).toMatchObject([{ recipient_ids: ['carl'] }]);
  });

  it('answers 200 with the reason and the kind of a bounce, as far as they are known', async () => {
    const tenant = await api.addTenant();
    const rows = [
      ['complaint', null],
      ['bounced', 'hard'],
      // As the version before wrote it.
      ['bounced', null],
    ] as const;
    for (const [at, [reason, bounce]] of rows.entries())
      await api.database.query(
        `INSERT INTO suppression_list (company_id, suppression_id, change_no, change, reason, bounce, recipient_hash,
           since, changed_at)
         VALUES ($1, $2, $3, 'added', $4, $5, $6, now(), now())`,
        [tenant.companyId, randomUUID(), at + 1, reason, bounce, String(at).repeat(16)],
      );
    const answer = await api.as(tenant, '/suppressions');
    expectEnvelope(answer);
    expect(answer.body.data).toMatchObject({
      suppressions: [
        { reason: 'complaint', bounce: null },
        { reason: 'bounced', bounce: 'hard' },
        { reason: 'bounced', bounce: 'unknown' },
      ],
    });
  });

  it("answers 200 without another tenant's entries", async () => {
    const answer = await api.as(await api.addTenant(), '/suppressions');
    expect(answer.body.data).toMatchObject({ suppressions: [], has_more: false });
  });

  it('refuses a cursor of another list, and one from beyond a restored backup', async () => {
    for (const [list, mark] of [
      ['campaigns', '1'],
      ['suppressions', '999'],
      ['suppressions', 'x'],
    ]) {
      const cursor = Buffer.from(JSON.stringify([list, mark])).toString('base64url');
      const answer = await api.request(`/suppressions?cursor=${cursor}`);
      expect([answer.status, answer.body.parameter]).toEqual([400, 'cursor']);
    }
  });

  it('says 503 rather than nothing while an opt-out is stored and the list is not made', async () => {
    const other = await api.addTenant();
    await api.plantTouch({ campaignId: 'spring', recipientId: 'dora', outcome: 3 });
    await api.database.query(
      `UPDATE outcome_events SET company_id = $1 WHERE company_id = $2 AND recipient_id = 'dora'`,
      [other.companyId, api.tenant.companyId],
    );
    const answer = await api.as(other, '/suppressions');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '30']);
  });
});
