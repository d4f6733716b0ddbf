import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS, EVENT_KINDS } from '@outcomes/contracts';
import { waitUntil } from '@outcomes/testing';
import { Installation } from './installation';

/** More than go into one request. */
const MAILS = 600;
const LEADS = 420;
const FIRST_MS = Date.UTC(2026, 0, 5, 9);

interface ImportResult {
  readonly accepted: number;
  readonly rejected: number;
  readonly duplicates: number;
  readonly rejectsFile: string | null;
  readonly counted: boolean;
  readonly source: {
    readonly takenAnyway: Record<string, number>;
    readonly rows: number;
    readonly told: Record<string, number>;
    readonly draft: boolean;
  };
}

/** A mail in four, of two steps, with what came of it. */
function mailOf(index: number) {
  const sentMs = FIRST_MS + index * 60_000;
  const iso = (ms: number) => new Date(ms).toISOString();
  return {
    id: `stat-${index}`,
    email: `lead-${index % LEADS}@example.com`,
    step: index < LEADS ? 1 : 2,
    sent: iso(sentMs + (index < LEADS ? 0 : 3 * DAY_MS)),
    opened: index % 4 === 0 ? iso(sentMs + 4 * DAY_MS) : '',
    // Of those who got two mails nobody answers the first.
    replied: index % 10 === 0 && index >= MAILS - LEADS ? iso(sentMs + 5 * DAY_MS) : '',
    bounced: index % 50 === 7,
    unsubscribed: index % 90 === 3,
  };
}

function payloadsOf(mail: ReturnType<typeof mailOf>): object[] {
  const payload = (event_type: string, event_timestamp: string, more: object) => ({
    event_type,
    event_timestamp,
    stats_id: mail.id,
    campaign_id: 111,
    campaign_name: 'Spring',
    sequence_number: mail.step,
    from_email: 'us@example.org',
    sent_message: { time: mail.sent, html: 'Never leaves' },
    ...more,
  });
  const to = { to_email: mail.email };
  const lead = { sl_lead_email: mail.email, to_email: 'us@example.org' };
  return [
    payload('EMAIL_SENT', mail.sent, to),
    ...(mail.opened ? [payload('EMAIL_OPEN', mail.opened, to)] : []),
    ...(mail.replied ? [payload('EMAIL_REPLY', mail.replied, lead)] : []),
    ...(mail.bounced ? [payload('EMAIL_BOUNCE', mail.sent, to)] : []),
    ...(mail.unsubscribed ? [payload('LEAD_UNSUBSCRIBED', mail.sent, { lead_email: mail.email })] : []),
  ];
}

/** Another order every time the list is another, and the same whenever it is not. */
function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item, index) => [(index * 7_919 + 13) % 10_007, item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}

describe('outcomes import, of a file of a tool', () => {
  let installation: Installation;
  let folder: string;

  const company = (name: string) => installation.addTenant({ name });
  const importFile = (file: string, apiKey: string, ...more: string[]) =>
    installation.cli<ImportResult>(
      ...[
        'import',
        file,
        '--key',
        apiKey,
        '--state-folder',
        join(folder, 'state'),
        '--campaign',
        '111',
        ...more,
      ],
    );
  const counts = (companyId: string) =>
    installation.database.query<object>(
      `SELECT outcome, sequence_step, opened, count(*)::integer AS messages FROM touches
       WHERE company_id = '${companyId}' GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
    );

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'outcomes-import-sources-'));
    installation = await Installation.join();
  }, 60_000);

  afterAll(async () => {
    await installation.stop();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  it('counts the same mails by export, by payloads shuffled and three times each, and by both', async () => {
    const mails = Array.from({ length: MAILS }, (_, index) => mailOf(index));
    const columns =
      'lead_email,sequence_number,stats_id,sent_time,open_time,click_time,reply_time,is_unsubscribed,is_bounced';
    const rows = mails.map(({ id, email, step, sent, opened, replied, bounced, unsubscribed }) =>
      [email, step, id, sent, opened, '', replied, unsubscribed, bounced].join(','),
    );
    const exported = join(folder, 'statistics.csv');
    writeFileSync(exported, `${columns}\n${rows.join('\n')}\n`);
    const payloads = mails.flatMap(payloadsOf);
    const delivered = join(folder, 'payloads.json');
    const thrice = shuffled([...payloads, ...payloads, ...payloads]);
    writeFileSync(delivered, thrice.map((payload) => JSON.stringify(payload)).join('\n'));

    const [a, b, c] = [await company('Export'), await company('Payloads'), await company('Both')];
    const twice = async () => {
      // Without the analyses, between which a company rests for a minute.
      await importFile(delivered, c.apiKey, '--no-wait');
      await importFile(exported, c.apiKey, '--no-wait');
    };
    const [byExport, byPayload] = await Promise.all([
      importFile(exported, a.apiKey),
      importFile(delivered, b.apiKey),
      twice(),
    ]);
    expect(byExport).toMatchObject({
      rejected: 0,
      counted: true,
      source: { rows: MAILS, told: { sent: MAILS } },
    });
    expect(byPayload).toMatchObject({ rejected: 0, counted: true, source: { told: { sent: 3 * MAILS } } });
    const isCounted = async () => {
      const waiting = await installation.database.query(
        'SELECT FROM ingest_batches WHERE company_id = $1 AND processed_at IS NULL',
        [c.companyId],
      );
      return waiting.length === 0;
    };
    await waitUntil('everything to be counted', isCounted, 60_000);

    const expected = await counts(a.companyId);
    const total = (list: readonly object[]) =>
      (list as { messages: number }[]).reduce((sum, { messages }) => sum + messages, 0);
    expect(total(expected)).toBe(MAILS);
    expect(await counts(b.companyId)).toEqual(expected);
    expect(await counts(c.companyId)).toEqual(expected);
  }, 180_000);

  it('takes an opt-out in that saved deliveries tell of beside something else, once however often they are imported', async () => {
    const { apiKey, companyId } = await company('Beside');
    const file = join(folder, 'deliveries.json');
    const delivery = (id: number, name: string, attributes: object) => ({
      data: {
        ...{ type: 'mailing', id, attributes },
        relationships: { prospect: { id: 7 }, sequence: { id: 3 }, sequenceStep: { id: 198_394 } },
      },
      meta: { eventName: name },
    });
    const left = { unsubscribedAt: '2026-01-07T10:00:00Z' };
    const deliveries = [
      delivery(1, 'mailing.delivered', { deliveredAt: '2026-01-05T09:00:00Z' }),
      delivery(1, 'mailing.replied', { repliedAt: '2026-01-06T10:00:00Z', ...left }),
      delivery(2, 'mailing.delivered', { deliveredAt: '2026-01-08T09:00:00Z', ...left }),
    ];
    writeFileSync(file, deliveries.map((one) => JSON.stringify(one)).join('\n'));
    const send = () => importFile(file, apiKey, '--steps', '198394=0', '--no-wait');
    const first = await send();
    expect(first).toMatchObject({
      rejected: 0,
      source: { told: { sent: 2, responded: 1, unsubscribed: 2 } },
    });
    expect(await send()).toMatchObject({ rejected: 0, duplicates: first.accepted });
    const optOuts = await installation.database.query<object>(
      `SELECT recipient_id, outcome_at FROM outcome_events WHERE company_id = '${companyId}'
         AND outcome = ${EVENT_KINDS.indexOf('unsubscribed')}`,
    );
    // Not after the newest time in the file.
    expect(optOuts).toEqual([{ recipient_id: 'outreach:7', outcome_at: new Date('2026-01-08T09:00:00Z') }]);
  }, 60_000);

  it('takes opt-outs and bounces of what is skipped or rejected, once however often it is imported', async () => {
    const { apiKey, companyId } = await company('Skipped');
    const file = join(folder, 'skipped.json');
    const [labelled, faulty, unread] = ['labelled', 'faulty', 'unread'].map((name) => `${name}@example.com`);
    const of = (event_type: string, lead_email = '', more: object = {}) => ({
      ...{ event_type, campaign_id: 111, campaign_name: 'Spring', event_timestamp: '2026-01-05T09:00:00Z' },
      ...{ stats_id: 's', lead_email, sequence_number: 1, ...more },
    });
    const deliveries = [
      of('LEAD_CATEGORY_UPDATED', labelled, { lead_category: { new_name: 'Do Not Contact' } }),
      of('EMAIL_BOUNCE', faulty, { event_timestamp: 'soon' }),
      of('LEAD_OPTED_OUT', unread),
    ];
    writeFileSync(file, deliveries.map((one) => JSON.stringify(one)).join('\n'));
    const send = () => importFile(file, apiKey, '--no-wait');
    const first = await send();
    expect(first).toMatchObject({
      ...{ accepted: 3, rejected: 1, duplicates: 0 },
      source: { takenAnyway: { unsubscribed: 2, bounced: 1 } },
    });
    expect(await send()).toMatchObject({ accepted: 3, rejected: 1, duplicates: 3 });
    const stuck = await installation.database.query<{ recipient_id: string; outcome: number }>(
      'SELECT recipient_id, outcome FROM outcome_events WHERE company_id = $1 ORDER BY outcome, recipient_id',
      [companyId],
    );
    const [bounced, unsubscribed] = ['bounced', 'unsubscribed'].map((kind) =>
      EVENT_KINDS.indexOf(kind as 'bounced'),
    );
    const idOf = (address = '') => `em_${createHash('sha256').update(address).digest('hex').slice(0, 32)}`;
    expect(stuck).toEqual([
      { recipient_id: idOf(faulty), outcome: bounced },
      ...[idOf(labelled), idOf(unread)]
        .sort()
        .map((recipient_id) => ({ recipient_id, outcome: unsubscribed })),
    ]);
  }, 60_000);

  it('stores no address, and writes rejected rows by number and column alone', async () => {
    const { apiKey, companyId } = await company('Rejects');
    const file = join(folder, 'faulty.csv');
    const columns = 'lead_email,sequence_number,sent_time,reply_time,is_unsubscribed,is_bounced';
    const rows = [
      'ada@example.com,1,2026-01-05 09:00:00,,false,false',
      'nobody,1,2026-01-05 09:00:00,,false,false',
    ];
    // An answer from before its mail is refused by ingest-api, and named by its row as well.
    rows.push('ben@example.com,1,2026-01-05 09:00:00,2026-01-04 09:00:00,false,false');
    writeFileSync(file, `${columns}\n${rows.join('\n')}\n`);
    const result = await importFile(file, apiKey, '--no-wait');
    expect(result).toMatchObject({ accepted: 2, rejected: 2 });
    const rejects = readFileSync(result.rejectsFile ?? '', 'utf8')
      .trim()
      .split('\n');
    expect(rejects).toEqual([
      'source_row,column,code',
      '2,"lead_email",INVALID_ADDRESS',
      '3,"outcome_at",OUTCOME_BEFORE_SENT',
    ]);
    const stored = await installation.database.query<object>(
      `SELECT * FROM outcome_events WHERE company_id = '${companyId}'`,
    );
    expect(stored).toHaveLength(2);
    expect(JSON.stringify(stored)).not.toMatch(/ada@|ben@/);
  }, 60_000);

  it('sends nothing in a dry run, which needs neither a key nor a service', async () => {
    const file = join(folder, 'faulty.csv');
    const { code, stdout, stderr } = await installation.cliOutcome(
      ...['import', file, '--campaign', '111', '--dry-run', '--url', 'http://127.0.0.1:9', '--key', ''],
    );
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('reading it as Smartlead'),
    });
    expect(stdout).toMatch(
      /row 1 -> sent 2026-01-05T09:00:00Z \(step 0\)\nrow 2 -> rejected: INVALID_ADDRESS/,
    );
    expect(stdout).toContain('3 rows');
  });
});
