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
 * What a mail of a mailbox tells, as records of the profile `mailbox`: one for each recipient of a mail that was sent, one
 * for a mail that came in, none for what is neither. Nothing of its text is kept.
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
  const report = deliveryReportOf(mail);
  if (report) return [{ direction: 'in', date, ...report }];
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
function deliveryReportOf({ attachments }: Email): SourceRecord | undefined {
  const status = attachments.find(({ mimeType }) => mimeType === 'message/delivery-status');
  if (!status) return undefined;
  const fields = textOf(status.content);
  const recipient = addressOf(/^final-recipient:\s*[^;\s]+;\s*<?([^\s>]+)/im.exec(fields)?.[1] ?? '');
  const code = /^status:\s*([245])\.\d/im.exec(fields)?.[1];
  if (recipient === undefined || code === undefined || code === '2') return undefined;
  const original = attachments.find(({ mimeType }) =>
    /^(message\/rfc822|text\/rfc822-headers)$/.test(mimeType),
  );
  const head = original ? textOf(original.content) : '';
  const field = (name: string) => new RegExp(`^${name}:\\s*(<[^>]+>)`, 'im').exec(head)?.[1];
  const conversation = rootOf(field('references'), field('in-reply-to'), field('message-id')) ?? recipient;
  return { kind: code === '5' ? 'hard_bounce' : 'soft_bounce', counterpart: recipient, conversation };
}

function addressesOf(list: readonly Address[]): string[] {
  return list
    .flatMap((entry) => (entry.group ? entry.group : [entry]))
    .flatMap(({ address }) => addressOf(address ?? '') ?? []);
}

function textOf(content: string | ArrayBuffer | Uint8Array): string {
  return typeof content === 'string' ? content : new TextDecoder().decode(content);
}
