import { createHash } from 'node:crypto';
import { ServedFrame } from '../runs/served-frame';
import type { StoredBody } from './snapshot.repository';

/** JSON that is ready to be sent. Whoever writes the answer splices it in and never parses it. */
export class PreSerialised {
  private encoded?: string;

  constructor(
    readonly json: string,
    /** Changes exactly when the JSON does; without quotes. */
    readonly etag: string,
    /** What is said of the run that left it; undefined where it is of none. */
    readonly frame?: ServedFrame,
  ) {}

  /** The JSON's UTF-8, one character per byte: encoded once however often it is sent. */
  get bytes(): string {
    return (this.encoded ??=
      Buffer.byteLength(this.json) === this.json.length
        ? this.json
        : Buffer.from(this.json).toString('latin1'));
  }

  static of(found: StoredBody): PreSerialised {
    return new PreSerialised(found.body, found.etag, servedFrame(found));
  }

  static from(value: unknown, frame?: ServedFrame): PreSerialised {
    const json = JSON.stringify(value);
    return new PreSerialised(json, createHash('sha256').update(json).digest('base64url').slice(0, 22), frame);
  }
}

/** What stands beside a stored document. Where there is one, events were sent. */
export function servedFrame({
  frame,
  lastRunFailed,
}: Pick<StoredBody, 'frame' | 'lastRunFailed'>): ServedFrame {
  const parsed =
    frame === null ? undefined : (JSON.parse(frame) as ConstructorParameters<typeof ServedFrame>[0]);
  return new ServedFrame(parsed, { hasEvents: true, lastRunFailed });
}
