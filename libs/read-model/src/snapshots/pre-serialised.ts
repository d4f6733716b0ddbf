import { createHash } from 'node:crypto';
import type { StoredBody } from './snapshot.repository';

/** JSON that is ready to be sent. Whoever writes the answer splices it in and never parses it. */
export class PreSerialised {
  private encoded?: string;

  constructor(
    readonly json: string,
    /** Changes exactly when the JSON does; without quotes. */
    readonly etag: string,
  ) {}

  /** The JSON's UTF-8, one character per byte: encoded once however often it is sent. */
  get bytes(): string {
    return (this.encoded ??=
      Buffer.byteLength(this.json) === this.json.length
        ? this.json
        : Buffer.from(this.json).toString('latin1'));
  }

  static of(snapshot: StoredBody): PreSerialised {
    return new PreSerialised(snapshot.body, snapshot.etag);
  }

  static from(value: unknown): PreSerialised {
    const json = JSON.stringify(value);
    return new PreSerialised(json, createHash('sha256').update(json).digest('base64url').slice(0, 22));
  }
}
