import { createHmac } from 'node:crypto';
import type { SourceOverview } from '@outcomes/ingestion';
import { waitUntil } from '@outcomes/testing';
import { Installation } from './installation';

interface Created {
  readonly sourceId: string;
  readonly url: string;
  readonly secret: string | null;
  readonly header: string | null;
}

describe('outcomes sources', () => {
  let installation: Installation;
  let company: { companyId: string; apiKey: string };

  beforeAll(async () => {
    installation = await Installation.join();
    company = await installation.addTenant({ name: 'Connected' });
  }, 60_000);
  afterAll(() => installation.stop(), 30_000);

  const sources = <Result>(...args: string[]) => installation.cli<Result>('sources', ...args);
  const own = () => ['--company', company.companyId];
  const post = async (url: string, body: unknown, headers: Record<string, string> = {}) => {
    const at = new URL(url);
    const answer = await fetch(`${installation.urlOf('ingest-api')}${at.pathname}`, {
      ...{ method: 'POST', headers, body: JSON.stringify(body) },
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const signed = (body: unknown, secret: string | null) => ({
    'outreach-webhook-signature': createHmac('sha256', secret ?? '')
      .update(JSON.stringify(body))
      .digest('hex'),
  });

  it('connects a tool that carries its secret in the address, shown once and stored as a hash', async () => {
    const made = await sources<Created>('create', '--tool', 'smartlead', ...own());
    expect(made.url).toMatch(new RegExp(`/ingest/sources/${made.sourceId}/[0-9A-Za-z]{32}$`));
    const record = { event_type: 'LEAD_CATEGORY_UPDATED', campaign_id: 1, campaign_name: 'Spring' };
    expect(await post(made.url, record)).toMatchObject({ status: 202, body: { ignored: 1 } });
    const rows = await installation.database.query('SELECT * FROM sources');
    expect(JSON.stringify(rows)).not.toContain(made.url.split('/').at(-1));
  });

  it('connects a tool that signs, learns its steps, replays what waited, rotates, revokes and lists', async () => {
    const made = await sources<Created>(
      'create',
      '--tool',
      'outreach',
      '--signing-secret',
      'shown by the tool',
      ...own(),
    );
    const delivery = {
      data: {
        ...{ type: 'mailing', id: 1, attributes: { deliveredAt: '2026-01-05T09:00:00Z' } },
        relationships: { prospect: { id: 7 }, sequence: { id: 3 }, sequenceStep: { id: 198394 } },
      },
      meta: { eventName: 'mailing.delivered' },
    };
    expect(await post(made.url, delivery, signed(delivery, 'shown by the tool'))).toMatchObject({
      body: { waiting: 1 },
    });
    expect(await sources('steps', made.sourceId, '198394=0', ...own())).toMatchObject({
      steps: { 198394: 0 },
    });
    const key = ['--key', company.apiKey, '--url', installation.urlOf('ingest-api')];
    expect(await sources('replay', made.sourceId, ...key)).toEqual({
      ...{ looked_at: 1, released: 1, accepted: 1, duplicates: 0 },
    });
    const rotated = await sources<Created>('rotate', made.sourceId, ...own());
    expect(rotated.secret).toMatch(/^[0-9A-Za-z]{32}$/);
    await sources('revoke', made.sourceId, ...own());
    const { sources: listed } = await sources<{ sources: SourceOverview[] }>('list', ...own());
    expect(listed.find(({ source }) => source === made.sourceId)).toMatchObject({
      ...{ tool: 'outreach', state: 'revoked', held: [], waiting: 0, no_sent_events: null },
    });
    const log = await installation.database.query<{ action: string }>(
      `SELECT action FROM administration_log WHERE subject = $1 ORDER BY entry_no`,
      [made.sourceId],
    );
    expect(log.map(({ action }) => action)).toEqual([
      ...['source.create', 'source.steps', 'source.rotate', 'source.revoke'],
    ]);
  });

  it.each([
    ['standard input', ['--signing-secret', '-'], (secret: string) => ({ input: `${secret}\n` })],
    ['the environment', [], (secret: string) => ({ environment: { SOURCE_SIGNING_SECRET: secret } })],
  ])(
    'takes the secret that a tool signs with from %s, where no process list shows it',
    async (_where, args, given) => {
      const command = async (secret: string, ...words: string[]) => {
        const { ended } = await installation.startCommand(
          ['sources', ...words, ...args, ...own(), '--json'],
          given(secret),
        );
        const { stdout, stderr } = await ended;
        return { stderr, made: JSON.parse(stdout || '{}') as Created };
      };
      const { made } = await command('piped in', 'create', '--tool', 'outreach');
      // Before anything is delivered, because ingest-api keeps for seconds what it read; the secret before is taken as well.
      await command('piped in later', 'rotate', made.sourceId);
      const delivery = { data: { type: 'mailing', id: 1 }, meta: { eventName: 'mailing.new' } };
      const statusWith = async (secret: string) =>
        (await post(made.url, delivery, signed(delivery, secret))).status;
      expect(await statusWith('piped in')).toBe(202);
      expect(await statusWith('piped in later')).toBe(202);
      expect(await statusWith('another')).toBe(401);
    },
  );

  it('says what to do where no secret comes in, and what ways there are', async () => {
    const args = ['sources', 'create', '--tool', 'outreach', '--signing-secret', '-', ...own()];
    const { code, stderr } = await installation.cliOutcome(...args);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('Pipe the secret in') });
    const { stdout } = await installation.cliOutcome('sources', 'rotate', '--help');
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /- reads it from standard input.*env: SOURCE_SIGNING_SECRET/,
    );
  });

  it('says of a source that never tells what was sent what waits, and what to switch on', async () => {
    const made = await sources<Created>('create', '--tool', 'instantly', ...own());
    const reply = {
      ...{ event_type: 'reply_received', workspace: 'w', campaign_id: 'c', campaign_name: 'n', step: 1 },
      ...{ timestamp: '2026-01-05T09:00:00.000Z', lead_email: 'ben@example.com' },
    };
    const secret = { [made.header ?? '']: made.secret ?? '' };
    expect(await post(made.url, reply, secret)).toMatchObject({ body: { accepted: 1 } });
    const delivered = 'SELECT FROM sources WHERE source_id = $1 AND last_delivery_at IS NOT NULL';
    await waitUntil(
      'the counts',
      async () => (await installation.database.query(delivered, [made.sourceId])).length > 0,
    );
    const { sources: all } = await sources<{ sources: SourceOverview[] }>('list', ...own());
    expect(all.find(({ source }) => source === made.sourceId)).toMatchObject({
      ...{ last_delivery_at: expect.any(String), waiting: 1, no_sent_events: { types: ['email_sent'] } },
    });
    const { stdout } = await installation.cliOutcome('sources', 'list', ...own());
    expect(stdout).toContain('Switch on email_sent');
  });

  it.each([['198394:0'], ['198394'], ['=0'], ['198394=100']])(
    'says what a pair of step id and step looks like, where it is given %s',
    async (pair) => {
      const args = ['sources', 'steps', 'src_any', '198394=0', pair, ...own()];
      const { code, stdout, stderr } = await installation.cliOutcome(...args);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain('Give ID=STEP, such as 198394=0.');
    },
  );

  it('refuses tools without webhooks, and secrets for tools that do not sign', async () => {
    await expect(sources('create', '--tool', 'hubspot', ...own())).rejects.toThrow(/Allowed choices/);
    await expect(
      sources('create', '--tool', 'lemlist', '--signing-secret', 'not taken', ...own()),
    ).rejects.toThrow(/does not sign/);
  });
});
