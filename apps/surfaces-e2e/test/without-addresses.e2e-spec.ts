import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DAY_MS } from '@outcomes/contracts';
import { answerCheck, waitUntil, type Tenant } from '@outcomes/testing';
import { exchange } from './exchange';
import { Installation } from './installation';

const PATIENCE_MS = 120_000;
const MESSAGES = 400;
/** Every tenth message is answered, and every tenth of these answers asks to be removed. */
const isAnswered = (n: number) => n % 10 === 0;
const isRemoved = (n: number) => n % 100 === 50;
const TITLES = ['VP of Sales', 'Chief Executive Officer', 'Engineering Manager'];

const personOf = (recipientId: string) =>
  createHash('sha256').update(`recipient_id:${recipientId}`).digest('hex').slice(0, 16);

jest.setTimeout(PATIENCE_MS);

describe('a company that sends over LinkedIn and knows no address', () => {
  const check = answerCheck(join(__dirname, '../../read-api/openapi.json'));
  let installation: Installation;
  let tenant: Tenant;

  const get = async (path: string) => {
    const response = await fetch(`${installation.urlOf('read-api')}/v1${path}`, {
      headers: { Authorization: `Bearer ${tenant.apiKey}` },
    });
    const text = await response.text();
    check('GET', `/v1${path}`, { status: response.status, headers: response.headers, text });
    return JSON.parse(text).data;
  };
  const send = (method: string, path: string, body?: unknown) =>
    exchange({
      port: Number(new URL(installation.urlOf('ingest-api')).port),
      method,
      path,
      headers: { Authorization: `Bearer ${tenant.apiKey}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const isProfiled = (people: number) => async () =>
    (await get('/patterns/recipients')).overview.total_profiled === people;

  const now = Date.now();
  const events = Array.from({ length: MESSAGES }, (_, n) => {
    const sentAt = now - (60 - (n % 30)) * DAY_MS;
    return {
      channel: 'linkedin',
      sequence_step: 0,
      recipient_id: `urn:li:person:${n}`,
      recipient_position: TITLES[n % TITLES.length],
      body_excerpt: 'Quick question about your pipeline, and no pressure at all.',
      sent_at: new Date(sentAt).toISOString(),
      outcome_at: new Date(sentAt + DAY_MS).toISOString(),
      outcome: isRemoved(n) ? 'unsubscribed' : isAnswered(n) ? 'responded' : 'no_response',
    };
  });
  const answered = events.filter(({ outcome }) => outcome === 'responded').map((event) => event.recipient_id);

  beforeAll(async () => {
    installation = await Installation.join('ingestion');
    tenant = await installation.addTenant();
    const answer = await send('POST', '/ingest/events', { events });
    expect(answer.body).toMatchObject({ accepted: MESSAGES, rejected: 0 });
    await waitUntil('the analysis to profile who answered', isProfiled(answered.length), PATIENCE_MS);
  }, PATIENCE_MS);
  afterAll(() => installation?.stop());

  it('profiles everybody who answered, and nobody else', async () => {
    const profiles = await get('/patterns/recommendation-profiles');
    expect(profiles.map(({ recipientId }: { recipientId: string }) => recipientId)).toEqual(
      answered.map(personOf).sort(),
    );
    expect(profiles[0]).toMatchObject({ email_domain: 'unknown', response_count: 1 });
  });

  it('counts them by position, and lists the chunk of recipients as it is described', async () => {
    const { position_breakdown, reasons } = await get('/patterns/recipients');
    expect(position_breakdown).toHaveLength(TITLES.length);
    expect(position_breakdown.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(
      answered.length,
    );
    expect(Object.keys(reasons ?? {})).not.toContain('overview');
    const chunk = await get('/patterns/chunks/recipient_profiling');
    expect(chunk.data.analyses.positions).toHaveLength(TITLES.length);
    const { chunks } = await get('/patterns/chunks');
    const subject = chunks.find(({ metricName }: { metricName: string }) => metricName === 'subject_lines');
    expect(subject).toMatchObject({ hasData: false, reason: expect.stringContaining('send subject') });
    for (const name of ['timing_matrix', 'general_analysis']) await get(`/patterns/chunks/${name}`);
  });

  it('loses the profile of an erased person before the answer', async () => {
    const [erased] = answered;
    const answer = await send('DELETE', `/ingest/events?recipient_id=${encodeURIComponent(erased ?? '')}`);
    expect(answer.body).toMatchObject({ deleted: 1 });
    const profiles = await get('/patterns/recommendation-profiles');
    expect(profiles).toHaveLength(answered.length - 1);
    expect(JSON.stringify(profiles)).not.toContain(personOf(erased ?? ''));
    await waitUntil('the next analysis', isProfiled(answered.length - 1), PATIENCE_MS);
  });
});
