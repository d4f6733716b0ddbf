import { createHash } from 'node:crypto';

/** A document as it is stored and sent. */
export interface SerialisedDocument {
  readonly document: string;
  readonly body: string;
  /** Hash of the content without the times at which it was written; not quoted. */
  readonly etag: string;
}

/** Fields that say when a document was written and nothing about its content. */
const WRITE_TIMES = new Set(['updated', 'lastUpdated', 'last_updated', 'analysed_at']);

/**
 * Bytes of a document. The same data gives the same bytes, but for the write times: keys stand in the order in
 * which the code builds them, and numbers are rounded where they are made (see rounding.ts).
 */
export function serialise(document: string, content: unknown): SerialisedDocument {
  const timeless = JSON.stringify(content, (key, value: unknown) =>
    WRITE_TIMES.has(key) ? undefined : value,
  );
  return {
    document,
    body: JSON.stringify(content),
    etag: createHash('sha256').update(timeless).digest('base64url').slice(0, 27),
  };
}
