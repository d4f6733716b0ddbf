import PostalMime, { type Address, type Email } from 'postal-mime';
import { addressOf } from '../interpret/recipient-id';
import type { SourceRecord } from '../interpret/read-path';

/** An automatic answer by RFC 3834, or by the headers that older programs set in its place. */
const AUTOMATIC: readonly (readonly [header: string, isAutomatic: (value: string) => boolean])[] = [
  ['auto-submitted', (value) => !value.toLowerCase().startsWith('no')],
  ['x-autoreply', () => true],
  ['x-autorespond', () => true],
  ['precedence', (value) => value.toLowerCase() === 'auto_reply'],
];

/**
 * What a mail of a mailbox tells, as records of the profile `mailbox`: one for each recipient of a mail that was sent or of
 * a report that it did not arrive, one for an answer, none for what is neither. Nothing of its text is kept.
 * @param raw - the mail, RFC 5322
 * @param own - addresses of the mailbox's owner, in lower case
 */
export async function mailRecords(raw: Uint8Array, own: ReadonlySet<string>): Promise<SourceRecord[]> {
  const mail = await PostalMime.parse(raw);
  const date = mail.date;
  const conversation = rootOf(mail.references, mail.inReplyTo, mail.messageId);
  const { subject } = mail;
  const from = addressesOf(mail.from ? [mail.from] : [])[0];
  if (from !== undefined && own.has(from)) {
    const to = addressesOf([...(mail.to ?? []), ...(mail.bcc ?? [])]).filter((address) => !own.has(address));
    return to.map((counterpart) => ({
      direction: 'out',
      kind: 'sent',
      counterpart,
      conversation,
      date,
      subject,
    }));
  }
  const reports = await deliveryReportsOf(mail);
  if (reports.length > 0) return reports.map((report) => ({ direction: 'in', date, ...report }));
  if (from === undefined || conversation === undefined || conversation === mail.messageId) return [];
  return [
    {
      direction: 'in',
      kind: isAutomatic(mail) ? 'auto_reply' : 'reply',
      counterpart: from,
      conversation,
      date,
    },
  ];
}

/** The first mail of a thread: all that answer it carry its id. */
function rootOf(references?: string, inReplyTo?: string, messageId?: string): string | undefined {
  const [root] = references?.trim().split(/\s+/) ?? [];
  return root || inReplyTo?.trim() || messageId;
}

function isAutomatic({ headers }: Email): boolean {
  return headers.some(({ key, value }) =>
    AUTOMATIC.some(([name, test]) => name === key && test(value.trim())),
  );
}

/** RFC 3464: of whom a report says that a mail did not arrive, and whether it never will. */
async function deliveryReportsOf({ attachments }: Email): Promise<SourceRecord[]> {
  const status = attachments.find(({ mimeType }) => mimeType === 'message/delivery-status');
  if (!status) return [];
  const original = attachments.find(({ mimeType }) =>
    /^(message\/rfc822|text\/rfc822-headers)$/.test(mimeType),
  );
  const head = original ? textOf(original.content) : '';
  // An id stands in one line: what has no end there is none, however often it begins.
  const field = (name: string) => new RegExp(`^${name}:\\s*(<[^<>\\r\\n]+>)`, 'im').exec(head)?.[1];
  const conversation = rootOf(field('references'), field('in-reply-to'), field('message-id'));
  const reports: SourceRecord[] = [];
  // Groups of fields between empty lines: one about the mail, then one for each recipient.
  for (const group of textOf(status.content).split(/(?:\r?\n){2,}/)) {
    const { headers } = await PostalMime.parse(group);
    const valueOf = (name: string) => headers.find(({ key }) => key === name)?.value ?? '';
    const recipient = addressOf(/;\s*<?([^\s>]+)/.exec(valueOf('final-recipient'))?.[1] ?? '');
    const code = /^[245](?=\.\d)/.exec(valueOf('status'))?.[0];
    if (recipient === undefined || code === undefined || code === '2') continue;
    const isFinal = code === '5' && !/^delayed\b/i.test(valueOf('action'));
    reports.push({
      kind: isFinal ? 'hard_bounce' : 'soft_bounce',
      counterpart: recipient,
      conversation: conversation ?? recipient,
    });
  }
  return reports;
}

function addressesOf(list: readonly Address[]): string[] {
  return list
    .flatMap((entry) => (entry.group ? entry.group : [entry]))
    .flatMap(({ address }) => addressOf(address ?? '') ?? []);
}

function textOf(content: string | ArrayBuffer | Uint8Array): string {
  return typeof content === 'string' ? content : new TextDecoder().decode(content);
}
