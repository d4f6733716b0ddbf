import { createHash, randomUUID } from 'node:crypto';
import { expectEnvelope } from '../envelope';
import { shareReadApi, type SharedReadApi } from '../read-api-process';

describe('GET /patterns/recommendation-profiles', () => {
  let api: SharedReadApi;
  beforeAll(async () => {
    api = await shareReadApi();
    await api.database.query(
      `INSERT INTO touches (company_id, touch_id, channel, sequence_step, position, position_confidence, outcome,
        streamed, sent_day, sent_at, outcome_at, levels, recipient_id, thread_id, recipient_hash)
      VALUES ($1, $2, 0, 0, 4, 0.9, 1, true, '2026-01-05', '2026-01-05T09:00:00Z', '2026-01-06T09:00:00Z',
        '{0}', 'anna', 't', '0123456789abcdef')`,
      [api.tenant.companyId, randomUUID()],
    );
  });
  afterAll(() => api.stop());

  it('answers 200 with a person of whom no address is known, under a hash of the recipient_id', async () => {
    const company = await api.addTenant();
    await api.database.query(
      `INSERT INTO touches (company_id, touch_id, channel, sequence_step, position, position_confidence, outcome,
        streamed, sent_day, sent_at, outcome_at, levels, recipient_id, thread_id)
      VALUES ($1, $2, 1, 0, 4, 0.9, 1, true, '2026-01-05', '2026-01-05T09:00:00Z', '2026-01-06T09:00:00Z',
        '{0}', 'urn:li:bert', 't')`,
      [company.companyId, randomUUID()],
    );
    const answer = await api.as(company, '/patterns/recommendation-profiles');
    expect(answer.body.data).toEqual([
      expect.objectContaining({
        recipientId: createHash('sha256').update('recipient_id:urn:li:bert').digest('hex').slice(0, 16),
        email_domain: 'unknown',
        response_count: 1,
      }),
    ]);
  });

  it('answers 200 with the recipients who have answered', async () => {
    const answer = await api.request('/patterns/recommendation-profiles');
    expectEnvelope(answer);
    expect(answer.body.data).toEqual([
      {
        companyId: api.tenant.companyId,
        recipientId: '0123456789abcdef',
        inferred_position: 'vp',
        original_position: null,
        position_confidence: expect.closeTo(0.9, 6),
        response_count: 1,
        cluster_assignment: -1,
        pattern_preferences: { tone: { direct: 1 } },
        response_metrics: { messages: 1, responses: 1 },
        last_updated: '2026-01-06T09:00:00.000Z',
        email_domain: 'unknown',
      },
    ]);
  });

  it('answers 200 with an empty array for a code that no profile carries', async () => {
    const answer = await api.request('/patterns/recommendation-profiles?recommendationCode=TA-1');
    expectEnvelope(answer);
    expect(answer.body.data).toEqual([]);
    expect(answer.body.message).toBe(
      'No profiles: nobody has answered yet, or none carries the recommendationCode asked for.',
    );
  });

  it('answers 200 page by page, each profile once, with a link to the next page', async () => {
    const [company, other] = [await api.addTenant(), await api.addTenant()];
    const answered = (companyId: string, people: number) =>
      api.database.query(
        `INSERT INTO touches (company_id, touch_id, channel, sequence_step, position, position_confidence, outcome,
          streamed, sent_day, sent_at, outcome_at, levels, recipient_id, thread_id, recipient_hash)
        SELECT $1, gen_random_uuid(), 0, 0, 4, 0.9, 1, true, '2026-01-05', '2026-01-05T09:00:00Z',
          '2026-01-06T09:00:00Z', '{0}', 'p' || n, 't', lpad(to_hex(n), 16, '0')
        FROM generate_series(1, $2::integer) AS n`,
        [companyId, people],
      );
    await answered(company.companyId, 7);
    await answered(other.companyId, 2);
    const path = '/patterns/recommendation-profiles';
    const ids = ({ body }: { body: Record<string, unknown> }) =>
      (body.data as { recipientId: string }[]).map(({ recipientId }) => recipientId);
    const whole = ids(await api.as(company, path));
    const pages: string[][] = [];
    let next: string | undefined = '?limit=3';
    let elsewhere = '';
    while (next !== undefined) {
      const page = await api.as(company, `${path}${next}`);
      pages.push(ids(page));
      elsewhere ||= next.includes('cursor') ? next : '';
      next = /^<(\?[^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
    }
    expect(pages.map(({ length }) => length)).toEqual([3, 3, 1]);
    expect(pages.flat()).toEqual(whole);
    // Mutation: a cursor that carries its company. This one is a mark in whatever list the caller has.
    const foreign = await api.as(other, `${path}${elsewhere}`);
    expect(ids(foreign)).toEqual([]);
    for (const wrong of ['?limit=0', '?limit=500', '?cursor=nonsense', '?limit=1&limit=2']) {
      expect((await api.as(company, `${path}${wrong}`)).status).toBe(400);
    }
  });

  it("answers 200 without another tenant's recipients", async () => {
    const answer = await api.as(await api.addTenant(), '/patterns/recommendation-profiles');
    expect(answer.body.data).toEqual([]);
  });
});
