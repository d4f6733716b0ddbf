const LINE_FEED = 0x0a;
/** "From " at the beginning of a line parts two mails (RFC 4155); in a mail it stands as ">From ". */
const SEPARATOR = [0x46, 0x72, 0x6f, 0x6d, 0x20];
/** A mail larger than this is left out: nothing but an attachment makes one. */
export const MAX_MAIL_BYTES = 32 * 1024 * 1024;

/**
 * Cuts a file into mails. Memory holds one mail.
 * @param chunks - of an mbox file, or of one mail
 */
export async function* mboxMessages(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array = new Uint8Array();
  let isTooLarge = false;
  for await (const chunk of chunks) {
    let rest = joined(held, chunk);
    for (let end = nextSeparator(rest, 1); end > 0; end = nextSeparator(rest, 1)) {
      if (!isTooLarge) yield* mailIn(rest.subarray(0, end));
      isTooLarge = false;
      rest = rest.subarray(end);
    }
    if (rest.length > MAX_MAIL_BYTES) {
      isTooLarge = true;
      rest = rest.subarray(rest.length - SEPARATOR.length - 1);
    }
    held = rest;
  }
  if (!isTooLarge) yield* mailIn(held);
}

function* mailIn(bytes: Uint8Array): Generator<Uint8Array> {
  const start = startsWithSeparator(bytes, 0) ? bytes.indexOf(LINE_FEED) + 1 : 0;
  const mail = bytes.subarray(start);
  if (mail.length > 1) yield mail;
}

/** Where the line of the next separator begins; -1 where none is seen whole. */
function nextSeparator(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(LINE_FEED, from - 1); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) {
    if (startsWithSeparator(bytes, at + 1)) return at + 1;
  }
  return -1;
}

function startsWithSeparator(bytes: Uint8Array, at: number): boolean {
  return SEPARATOR.every((byte, index) => bytes[at + index] === byte);
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a.length === 0) return b;
  const whole = new Uint8Array(a.length + b.length);
  whole.set(a);
  whole.set(b, a.length);
  return whole;
}
