import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '@outcomes/testing';
import { parse } from 'csv-parse/sync';
import { Installation } from './installation';

interface Written {
  readonly entries: number;
  readonly nextCursor: string;
}

const sha = (text: string) => createHash('sha256').update(text).digest('hex');

describe('outcomes suppressions export', () => {
  let installation: Installation;
  let folder: string;
  let [companyId, apiKey] = ['', ''];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'outcomes-suppressions-'));
    installation = await Installation.join();
    ({ companyId, apiKey } = await installation.addTenant({ name: 'Followed' }));
  }, 60_000);
  afterAll(async () => {
    await installation.stop();
    rmSync(folder, { recursive: true, force: true });
  }, 30_000);

  const post = async (...events: object[]) => {
    const answer = await fetch(`${installation.urlOf('ingest-api')}/ingest/events`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ events }),
    });
    expect(answer.status).toBe(202);
    await waitUntil('the batch to be counted', async () => {
      const [pending] = await installation.database.query<{ n: number }>(
        'SELECT count(*)::int AS n FROM ingest_batches WHERE company_id = $1 AND processed_at IS NULL',
        [companyId],
      );
      return pending?.n === 0;
    });
  };
  const event = (recipient_id: string, outcome: string, sequence_step = 0) => ({
    ...{ channel: 'email', sequence_step, recipient_id, outcome, recipient_email: `${recipient_id}@x.org` },
    ...{ sent_at: '2026-01-05T09:00:00Z', outcome_at: `2026-01-0${6 + sequence_step}T09:00:00Z` },
  });
  const exported = async (...more: string[]) => {
    const file = join(folder, 'out.csv');
    const written = await installation.cli<Written>(
      ...['suppressions', 'export', file, '--key', apiKey],
      ...['--url', `${installation.urlOf('read-api')}/v1`, ...more],
    );
    const rows = parse<Record<string, string>>(readFileSync(file), { columns: true });
    return { ...written, rows };
  };

  it('writes who opted out or bounced, and later what has changed', async () => {
    await post(
      ...[event('anna', 'unsubscribed'), event('=carl', 'bounced'), event('bert', 'responded')],
      { ...event('dora', 'unsubscribed'), metadata: { complaint: true } },
      { ...event('emil', 'bounced'), metadata: { bounce: 'hard' } },
      { ...event('fred', 'bounced'), metadata: { bounce: 'soft' } },
    );
    const first = await exported();
    expect(first.entries).toBe(8);
    expect(first.rows).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ change: 'added', recipient_ids: '["anna"]', reason: 'unsubscribed' }),
        expect.objectContaining({ email_hash: sha('anna@x.org').slice(0, 16), recipient_ids: '["anna"]' }),
        expect.objectContaining({ recipient_ids: '["=carl"]', reason: 'bounced', bounce: 'unknown' }),
        expect.objectContaining({ recipient_ids: '["dora"]', reason: 'complaint', bounce: '' }),
        expect.objectContaining({ recipient_ids: '["emil"]', reason: 'bounced', bounce: 'hard' }),
      ]),
    );
    expect(JSON.stringify(first.rows)).not.toMatch(/bert|fred|@x\.org/);
    await post(event('=carl', 'responded', 1));
    const later = await exported('--cursor', first.nextCursor);
    expect(later.rows.map(({ change, reason }) => [change, reason])).toEqual([
      ['removed', 'bounced'],
      ['removed', 'bounced'],
    ]);
    expect((await exported('--cursor', later.nextCursor)).entries).toBe(0);
    expect((await exported()).entries).toBe(6);
  });
});
