import { mboxMessages, mailRecords } from '.';
import { recipientIdOf } from '../interpret/recipient-id';
import { mapExample } from '../testing';

const OWN = new Set(['us@example.org']);
const lines = (...text: string[]) => text.join('\r\n');
const mail = (text: string) => mailRecords(new TextEncoder().encode(text), OWN);

const SENT = lines(
  'From: Us <us@example.org>',
  'To: Ada <Ada@Example.com>, ben@example.com',
  'Message-ID: <1@example.org>',
  'Date: Mon, 5 Jan 2026 09:00:00 +0100',
  'Subject: A question',
  '',
  'Never leaves',
);
const REPLY = lines(
  'From: ada@example.com',
  'To: us@example.org',
  'Message-ID: <2@example.com>',
  'In-Reply-To: <1@example.org>',
  'Date: Tue, 6 Jan 2026 09:00:00 +0100',
  '',
  'Never leaves either',
);
const group = (recipient: string, status: string, ...more: string[]) =>
  lines(`Final-Recipient: rfc822; ${recipient}`, `Status: ${status}`, ...more);
const report = (...groups: string[]) =>
  lines(
    'From: mailer-daemon@example.net',
    'To: us@example.org',
    'Date: Mon, 5 Jan 2026 08:00:09 +0000',
    'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'It did not arrive.',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; example.net',
    '',
    groups.join('\r\n\r\n'),
    '--b',
    'Content-Type: text/rfc822-headers',
    '',
    'Message-ID: <1@example.org>',
    '--b--',
  );

describe('mails of a mailbox', () => {
  it('are read in time that grows with their length, however often an id begins in the original', async () => {
    const hostile = report(group('ben@example.com', '5.1.1')).replace(
      'Message-ID: <1@example.org>',
      `${'Message-ID:<\r\n'.repeat(150_000)}References:\r\n <1@example.org>`,
    );
    // Mutation: an id that may go on over lines takes minutes, and the time-out of a test is half a minute.
    expect(await mail(hostile)).toMatchObject([{ kind: 'hard_bounce', conversation: '<1@example.org>' }]);
  });

  it('tell of each recipient of what was sent, and nothing of its text', async () => {
    const records = await mail(SENT);
    expect(records).toMatchObject([
      {
        kind: 'sent',
        counterpart: 'ada@example.com',
        conversation: '<1@example.org>',
        subject: 'A question',
      },
      { kind: 'sent', counterpart: 'ben@example.com' },
    ]);
    expect(JSON.stringify(records)).not.toContain('Never');
  });

  it('tell of a reply in the conversation of the mail that it answers', async () => {
    expect(await mail(REPLY)).toMatchObject([
      { kind: 'reply', counterpart: 'ada@example.com', conversation: '<1@example.org>' },
    ]);
    // A reply to a reply still names the first mail.
    const later = REPLY.replace(
      'In-Reply-To: <1@example.org>',
      'References: <1@example.org> <9@x>\r\nIn-Reply-To: <9@x>',
    );
    expect(await mail(later)).toMatchObject([{ conversation: '<1@example.org>' }]);
  });

  it('tell an automatic answer from one of a person', async () => {
    const kindWith = async (header: string) => (await mail(`${header}\r\n${REPLY}`))[0]?.kind;
    expect(await kindWith('Auto-Submitted: auto-replied')).toBe('auto_reply');
    expect(await kindWith('X-Autoreply: yes')).toBe('auto_reply');
    expect(await kindWith('Auto-Submitted: no')).toBe('reply');
  });

  it.each([
    ['5.1.1', 'hard_bounce'],
    ['4.2.2', 'soft_bounce'],
  ])('tell by status %s of a %s', async (status, kind) => {
    expect(await mail(report(group('ada@example.com', status)))).toMatchObject([
      { kind, counterpart: 'ada@example.com', conversation: '<1@example.org>' },
    ]);
  });

  it.each([
    [
      ['5.1.1', '5.1.1'],
      ['hard_bounce ada@example.com', 'hard_bounce ben@example.com'],
    ],
    [['2.0.0', '5.1.1'], ['hard_bounce ben@example.com']],
    [
      ['4.2.2', '5.1.1'],
      ['soft_bounce ada@example.com', 'hard_bounce ben@example.com'],
    ],
    [['5.1.1', '2.0.0'], ['hard_bounce ada@example.com']],
  ])('tell of each recipient of a report what became of the mail to it: %s', async ([ada, ben], expected) => {
    const records = await mail(
      report(group('ada@example.com', ada ?? ''), group('ben@example.com', ben ?? '')),
    );
    expect(records.map(({ kind, counterpart }) => `${kind as string} ${counterpart as string}`)).toEqual(
      expected,
    );
  });

  it('tell of nobody by the status of somebody else', async () => {
    const nameless = lines('Final-Recipient: x400; /G=Ada/S=Lovelace/', 'Status: 5.1.1');
    expect(await mail(report(nameless, group('ben@example.com', '2.0.0')))).toEqual([]);
    expect(await mail(report('Final-Recipient: rfc822; ada@example.com', 'Status: 5.1.1'))).toEqual([]);
  });

  it('are read where the fields of a report go on in the next line', async () => {
    const folded = lines(
      'Final-Recipient: rfc822',
      ' ; ada@example.com',
      'Diagnostic-Code: smtp; 550',
      '\tStatus: 4.2.2',
      ' ',
      ' Final-Recipient: rfc822; cy@example.com',
      'Status:',
      '\t5.1.1 (no such mailbox)',
    );
    expect(await mail(report(folded, group('ben@example.com', '4.2.2')))).toMatchObject([
      { kind: 'hard_bounce', counterpart: 'ada@example.com' },
      { kind: 'soft_bounce', counterpart: 'ben@example.com' },
    ]);
  });

  it('tell of no bounce for good as long as delivery is tried again', async () => {
    expect(await mail(report(group('ada@example.com', '5.4.7', 'Action: delayed')))).toMatchObject([
      { kind: 'soft_bounce' },
    ]);
    expect(await mail(report(group('ada@example.com', '5.4.7', 'Action: failed')))).toMatchObject([
      { kind: 'hard_bounce' },
    ]);
  });

  it('become a bounce of each recipient that one report names, at the mail to it', async () => {
    const bounced = report(group('ada@example.com', '5.1.1'), group('ben@example.com', '5.1.1'));
    const records = [...(await mail(SENT)), ...(await mail(bounced))];
    const events = mapExample({ tool: 'mailbox', route: 'mail', records, becomes: [] }).flatMap((mapped) =>
      'events' in mapped ? mapped.events.map(({ event }) => event) : [],
    );
    expect(events.filter(({ outcome }) => outcome === 'bounced')).toMatchObject(
      ['ada@example.com', 'ben@example.com'].map((address) => ({
        recipient_id: recipientIdOf(address),
        sent_at: '2026-01-05T08:00:00.000Z',
        metadata: { bounce: 'hard' },
      })),
    );
  });

  it('tell nothing where they answer nothing', async () => {
    expect(await mail(REPLY.replace('In-Reply-To: <1@example.org>\r\n', ''))).toEqual([]);
    expect(await mail(report(group('ada@example.com', '2.0.0')))).toEqual([]);
  });
});

describe('an mbox file', () => {
  async function* chunked(text: string, size: number) {
    const bytes = new TextEncoder().encode(text);
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }

  it('is cut at its separators wherever a chunk ends', async () => {
    const quoted = `${REPLY}\r\n>From here on quoted`;
    const file = `From us Mon Jan  5 09:00:00 2026\r\n${SENT}\r\n\r\nFrom ada Tue Jan  6 09:00:00 2026\r\n${quoted}\r\n`;
    for (const size of [1, 7, 64, 10_000]) {
      const mails: string[] = [];
      for await (const bytes of mboxMessages(chunked(file, size)))
        mails.push(new TextDecoder().decode(bytes));
      expect(mails.map((text) => text.trim())).toEqual([SENT, quoted]);
    }
  });

  it('may be one mail alone', async () => {
    const mails: Uint8Array[] = [];
    for await (const bytes of mboxMessages(chunked(SENT, 50))) mails.push(bytes);
    expect(mails.map((bytes) => new TextDecoder().decode(bytes))).toEqual([SENT]);
  });
});
