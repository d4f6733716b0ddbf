import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { CliFailure } from '../output/cli-failure';
import { chooseProfile } from './choose-profile';
import { explanationOf } from './present-reading';
import { explainFile } from './explain-file';
import { openSourceFile } from './open-source-file';
import { surveyFile, type SourceReading } from './read-source-file';

const STATISTICS =
  'lead_name,lead_email,lead_category,sequence_number,stats_id,email_subject,sent_time,open_time,click_time,reply_time,is_unsubscribed,is_bounced';
const statistics = (n: number, more: Record<string, string> = {}) => {
  const row: Record<string, string> = {
    lead_name: 'Ada',
    lead_email: `lead-${n}@example.com`,
    sequence_number: '1',
    stats_id: `s${n}`,
    sent_time: '2026-01-05 09:00:00',
    is_unsubscribed: 'false',
    is_bounced: 'false',
    ...more,
  };
  return STATISTICS.split(',')
    .map((column) => row[column] ?? '')
    .join(',');
};

describe('files of tools', () => {
  let folder: string;
  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'outcomes-sources-'))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  interface Ways extends Partial<Omit<SourceReading, 'own'>> {
    readonly from?: string;
    readonly map?: string;
    readonly own?: ReadonlySet<string>;
  }

  async function read(
    content: string | Buffer,
    { from, map, own = new Set(), ...ways }: Ways = {},
    name = 'file.csv',
  ) {
    const path = join(folder, name);
    writeFileSync(path, content);
    const file = await openSourceFile(path);
    const chosen = await chooseProfile(file, { from, map, own });
    if (chosen.kind === 'contract') return 'contract';
    const reading = { file, profile: chosen.profile, route: chosen.route, own, ...ways };
    return explainFile(reading, await surveyFile(reading));
  }
  const refusal = async (...of: Parameters<typeof read>) =>
    read(...of).then(
      () => 'none',
      (error: unknown) => (error instanceof CliFailure ? error.message : String(error)),
    );

  it('are known by their columns, in any delimiter and encoding, packed or not', async () => {
    const text = `${STATISTICS}\n${statistics(1)}\n${statistics(2, { sent_time: '' })}\n`;
    const tabs = text.replaceAll(',', '\t');
    const expected = { rows: 2, told: { sent: 1 }, skipped: { not_sent: 1 }, faulty: {} };
    for (const content of [
      text,
      `\uFEFF${text.replaceAll(',', ';')}`,
      Buffer.from(`\uFEFF${tabs}`, 'utf16le'),
      gzipSync(text),
      text.replaceAll('\n', '\r\n'),
    ]) {
      expect(await read(content, { campaign: '111' })).toMatchObject(expected);
    }
  });

  it('of the columns of an outcome event go as they are', async () => {
    expect(await read('channel,sequence_step,recipient_id,sent_at,outcome_at,outcome\n')).toBe('contract');
    expect(await read('recipient_id,colour\n')).toBe('contract');
  });

  it('are explained row by row without an address, and counted to their end', async () => {
    const rows = [
      statistics(1, { reply_time: '2026-01-06 09:00:00' }),
      statistics(2, { is_bounced: 'true' }),
      statistics(3, { lead_email: 'nobody' }),
      ...Array.from({ length: 20 }, (_, n) => statistics(n + 10)),
    ];
    const explained = await read(`${STATISTICS}\n${rows.join('\n')}\n`, { campaign: '111' });
    expect(explained).toMatchObject({
      rows: 23,
      told: { sent: 22, responded: 1, bounced: 1 },
      faulty: { 'INVALID_ADDRESS lead_email': 1 },
      observedUntil: '2026-01-06T09:00:00.000Z',
    });
    const lines = explained === 'contract' ? [] : explained.explained;
    expect(lines).toHaveLength(10);
    expect(lines.slice(0, 3)).toEqual([
      'row 1 -> sent 2026-01-05T09:00:00Z (step 0), responded 2026-01-06T09:00:00Z (step 0)',
      'row 2 -> sent 2026-01-05T09:00:00Z (step 0), bounced not before 2026-01-05T09:00:00Z (step 0)',
      'row 3 -> rejected: INVALID_ADDRESS in "lead_email"',
    ]);
    expect(JSON.stringify(explained)).not.toContain('@');
    // What people read says what each code means.
    expect(explained === 'contract' ? '' : explanationOf(explained)).toContain(
      'INVALID_ADDRESS: not an e-mail address',
    );
  });

  it('are refused where no route matches, with the nearest and what it lacks', async () => {
    const message = await refusal(`${STATISTICS.replace('is_bounced', 'bounce')}\n`);
    expect(message).toMatch(
      /no known tool.*closest match is smartlead \(statistics\) but for "is_bounced".*--from accepts.*--map/s,
    );
  });

  it('are refused where two routes match, with both', async () => {
    const message = await refusal(`${STATISTICS},Timestamp,Activity,Lead,Campaign,Step\n`);
    expect(message).toMatch(
      /may come from instantly \(activity CSV\) or smartlead \(statistics\)\. Choose one with --from/,
    );
    const both = `${STATISTICS},Timestamp,Activity,Lead,Campaign,Step\n`;
    expect(await read(both, { from: 'smartlead', campaign: '1' })).toMatchObject({ rows: 0 });
  });

  it.each([
    [
      'Sequence,People contacted,Replied,Bounced',
      /Reply\.io's sequence statistics, which cannot be imported: connect its webhook/,
    ],
    [
      'Campaign name,Prospects,Delivered,Responded',
      /Woodpecker's campaign report, which cannot be imported: connect its webhook/,
    ],
  ])('are refused where they count whole campaigns: %s', async (header, expected) => {
    expect(await refusal(`${header}\nSpring,100,5,2\n`)).toMatch(expected);
  });

  const ACTIVITY = 'Timestamp,Activity,Lead,Campaign,Step\n';
  it.each<[string, string, Ways, RegExp]>([
    [
      'times without a zone',
      `${ACTIVITY}2026-01-05 09:00,Email Sent,a@example.com,S,Step 1\n`,
      { campaign: 'c' },
      /TIME_ZONE_NEEDED: times in "Timestamp".*--time-zone.*row 1\). Nothing was sent/,
    ],
    [
      'dates of either order',
      `${ACTIVITY}01/02/2026 09:00,Email Sent,a@example.com,S,Step 1\n`,
      { campaign: 'c', timeZone: 'UTC' },
      /AMBIGUOUS_DATES.*Nothing was sent/,
    ],
    [
      'a fault of the file in its last row',
      `${ACTIVITY}2026-01-05T09:00Z,Email Sent,a@example.com,S,Step 1\n2026-01-05 09:00,Email Sent,b@example.com,S,Step 1\n`,
      { campaign: 'c' },
      /TIME_ZONE_NEEDED.*row 2/,
    ],
    ['rows without a campaign', `${STATISTICS}\n${statistics(1)}\n`, {}, /CAMPAIGN_NEEDED.*--campaign/],
    [
      'rows with the name of their campaign alone',
      `${ACTIVITY}2026-01-05T09:00Z,Email Sent,a@example.com,S,Step 1\n`,
      {},
      /CAMPAIGN_NEEDED.*--campaign/,
    ],
    [
      'contacts without a time',
      'Email,Email Sent,Email Open,Email Bounced,Replied\na@example.com,true,false,true,false\n',
      {},
      /OBSERVED_UNTIL_NEEDED.*--observed-until/,
    ],
  ])('go as a whole or not at all: %s', async (_case, content, ways, expected) => {
    expect(await refusal(content, ways)).toMatch(expected);
  });

  it.each([
    ['an address', { lead_email: 'a@b@c' }, 'INVALID_ADDRESS lead_email'],
    ['a step', { sequence_number: 'two' }, 'INVALID_STEP sequence_number'],
    ['a time', { sent_time: 'yesterday' }, 'INVALID_TIME sent_time'],
  ])('lose no more than the row that has a fault in %s', async (_case, change, code) => {
    const explained = await read(`${STATISTICS}\n${statistics(1)}\n${statistics(2, change)}\n`, {
      campaign: '1',
    });
    expect(explained).toMatchObject({ told: { sent: 1 }, faulty: { [code]: 1 } });
  });

  it('of a type that is unknown are counted and skipped', async () => {
    const rows = `${ACTIVITY}2026-01-05T09:00Z,Email Sent,a@example.com,S,Step 1\n2026-01-05T09:00Z,Coffee,a@example.com,S,Step 1\n`;
    expect(await read(rows, { campaign: 'c' })).toMatchObject({
      told: { sent: 1 },
      skipped: { unknown_type: 1 },
    });
  });

  it('lose no opt-out and no bounce of rows that are skipped or rejected, and say so', async () => {
    const rows = [
      statistics(1),
      statistics(2, { sent_time: '', is_unsubscribed: 'true' }),
      statistics(3, { sequence_number: 'two', is_unsubscribed: 'true', is_bounced: 'true' }),
      // Never sent, so that it reached nobody.
      statistics(4, { sent_time: '', is_bounced: 'true' }),
    ];
    const explained = await read(`${STATISTICS}\n${rows.join('\n')}\n`, { campaign: '111' });
    if (explained === 'contract') throw new Error('The file is one of a tool.');
    expect(explained).toMatchObject({
      told: { sent: 1, unsubscribed: 2, bounced: 1 },
      takenAnyway: { unsubscribed: 2, bounced: 1 },
      skipped: { not_sent: 2 },
      faulty: { 'INVALID_STEP sequence_number': 1 },
    });
    expect(explained.explained.slice(1)).toEqual([
      'row 2 -> unsubscribed not after 2026-01-05T09:00:00.000Z; for the rest nothing (not_sent)',
      'row 3 -> unsubscribed not after 2026-01-05T09:00:00.000Z, bounced not before 2026-01-05T09:00:00Z; for the rest rejected: INVALID_STEP in "sequence_number"',
      'row 4 -> nothing (not_sent)',
    ]);
    const said = explanationOf(explained).split('\n');
    expect(said).toContain('Taken from rows that are skipped or rejected: 2 unsubscribed, 1 bounced.');
    const plain = await read(`${STATISTICS}\n${statistics(1)}\n`, { campaign: '111' });
    expect(plain === 'contract' ? '' : explanationOf(plain)).not.toContain('Taken from');
  });

  it('are up to their newest time that is not ahead, also one of a row that is skipped', async () => {
    const label = (event_timestamp: string, name: string) => ({
      ...{ event_type: 'LEAD_CATEGORY_UPDATED', campaign_id: 1, campaign_name: 'S', event_timestamp },
      ...{ lead_email: 'a@example.com', lead_category: { new_name: name } },
    });
    const labels = [
      label('2026-01-05T09:00:00Z', 'Do Not Contact'),
      label('2999-01-05T09:00:00Z', 'Interested'),
    ];
    expect(await read(JSON.stringify(labels), {}, 'file.json')).toMatchObject({
      observedUntil: '2026-01-05T09:00:00.000Z',
      explained: [
        'row 1 -> unsubscribed not after 2026-01-05T09:00:00.000Z; for the rest nothing (label)',
        'row 2 -> nothing (label)',
      ],
    });
  });

  it('may be lists of objects: one a line, an array, or the one list of an answer', async () => {
    const objects = [1, 2].map((n) => ({
      type: 'emailsSent',
      campaignId: 'c',
      leadEmail: `${n}@example.com`,
      sequenceStep: 0,
      createdAt: '2026-01-05T09:00:00Z',
    }));
    const forms = [
      objects.map((one) => JSON.stringify(one)).join('\n'),
      JSON.stringify(objects),
      JSON.stringify({ total: 2, activities: objects }, null, 2),
      `${JSON.stringify({ total: 2, activities: objects })}\n`,
      objects.map((one) => `${JSON.stringify([one])}\n`).join(''),
      `${JSON.stringify(objects, null, 1)}\n`,
    ];
    for (const form of forms)
      expect(await read(form, {}, 'file.json')).toMatchObject({ rows: 2, told: { sent: 2 } });
  });

  it('may name steps by ids, which the caller says', async () => {
    const mail = {
      data: {
        type: 'mailing',
        id: 1,
        attributes: {},
        relationships: { prospect: { id: 7 }, sequence: { id: 3 }, sequenceStep: { id: 5 } },
      },
      meta: { eventName: 'mailing.delivered', deliveredAt: '2026-01-05T09:00:00Z' },
    };
    const file = JSON.stringify([mail]);
    expect(await read(file, {}, 'file.json')).toMatchObject({
      faulty: { 'UNKNOWN_STEP_ID data.relationships.sequenceStep.id': 1 },
    });
    expect(await read(file, { steps: { '5': 2 } }, 'file.json')).toMatchObject({
      explained: ['row 1 -> sent 2026-01-05T09:00:00Z (step 2)'],
    });
  });

  it('may be a mailbox, whose owner has to be named', async () => {
    const mails = [
      'From us Mon Jan  5 09:00:00 2026',
      'From: us@example.org',
      'To: ada@example.com',
      'Message-ID: <1@example.org>',
      'Date: Mon, 5 Jan 2026 09:00:00 +0000',
      '',
      'Hello',
      'From ada Tue Jan  6 09:00:00 2026',
      'From: ada@example.com',
      'To: us@example.org',
      'Message-ID: <2@example.com>',
      'In-Reply-To: <1@example.org>',
      'Date: Tue, 6 Jan 2026 09:00:00 +0000',
      '',
      'Hello yourself',
      '',
    ].join('\n');
    expect(await refusal(mails, {}, 'file.mbox')).toMatch(/--mailbox/);
    const own = new Set(['us@example.org']);
    expect(await read(mails, { own }, 'file.mbox')).toMatchObject({ told: { sent: 1, responded: 1 } });
  });

  describe('with a profile of the caller', () => {
    const profile = {
      tool: 'mine',
      title: 'Mine',
      status: 'draft',
      documentation: [],
      routes: [
        {
          name: 'file',
          media: ['csv'],
          grain: 'message',
          detect: { columns: ['Mail', 'When'] },
          message: {
            joins: 'step',
            email: { op: 'email', path: 'Mail' },
            campaign: { op: 'const', value: 'one' },
            step: { op: 'const', value: 0 },
          },
          facts: [{ tells: 'sent', at: { op: 'time', path: 'When', order: 'dmy', zone: 'UTC' } }],
        },
      ],
    };
    const mapOf = (value: unknown) => {
      const path = join(folder, 'own.json');
      writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
      return path;
    };

    it('are read by it, and by no other', async () => {
      const explained = await read('Mail,When\na@example.com,01/02/2026 09:00\n', { map: mapOf(profile) });
      expect(explained).toMatchObject({ explained: ['row 1 -> sent 2026-02-01T09:00:00Z (step 0)'] });
    });

    it('are refused where that is none, with the place and what may stand there', async () => {
      const [route] = profile.routes;
      const wrong = { ...profile, routes: [{ ...route, grain: 'person' }] };
      expect(await refusal('Mail,When\n', { map: mapOf(wrong) })).toMatch(
        /\/routes\/0\/grain.*Allowed: message, activity, contact, campaign/,
      );
      expect(await refusal('Mail,When\n', { map: mapOf('{') })).toMatch(/is not valid JSON/);
    });
  });
});
