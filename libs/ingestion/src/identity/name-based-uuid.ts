import { hash } from 'node:crypto';

/**
 * Names within one company, as UUIDs of version 5 (RFC 9562) with the company's id as the namespace: equal
 * names give equal ids, and no two companies share one.
 *
 * Own code beside the `uuid` package because every ingested event takes two or three of them; this is 2.5
 * times as fast, and the spec holds it against that package.
 */
export class NameBasedUuids {
  private readonly namespace: Buffer;

  /** @param companyId - UUID */
  constructor(companyId: string) {
    this.namespace = Buffer.from(companyId.replaceAll('-', ''), 'hex');
  }

  /** @param name - any text; its UTF-8 bytes are hashed */
  of(name: string): string {
    const bytes = hash('sha1', Buffer.concat([this.namespace, Buffer.from(name)]), 'buffer');
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
    const hex = bytes.toString('hex', 0, 16);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }
}
