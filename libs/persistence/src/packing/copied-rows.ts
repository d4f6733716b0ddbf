import { escapeLiteral, Query, type ClientBase } from 'pg';

/** Signature and flags of Postgres' binary copy format; an extension follows, behind its length. */
const SIGNATURE_BYTES = 15;
const LENGTH_BYTES = 4;
const COUNT_BYTES = 2;
const NULL_LENGTH = -1;
const END = -1;

/** A value of a statement. */
export type CopyValue = string | number | readonly number[];

/** A row of bytes, as Postgres sends them in binary form; null where there is no value. */
export type CopiedRow = readonly (Buffer | null)[];

/** Room that stays for the next copy: what grows anew every time is megabytes of garbage for each that is read. */
const MAX_SPARE_BYTES = 2 ** 22;
let spare: Buffer | undefined;

/** Takes the bytes of a copy, which the driver would drop. */
class CopyOut extends Query {
  private bytes = takeSpare();
  private size = 0;

  /** Called by the driver. @param message - over memory that is the driver's: it is copied */
  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    if (this.size + chunk.length > this.bytes.length) {
      const longer = Buffer.allocUnsafe(Math.max(2 * this.bytes.length, this.size + chunk.length));
      this.bytes.copy(longer, 0, 0, this.size);
      this.bytes = longer;
    }
    this.bytes.set(chunk, this.size);
    this.size += chunk.length;
  }

  /** To be called once. */
  finish(): Buffer {
    const received = Buffer.from(this.bytes.subarray(0, this.size));
    if (this.bytes.length <= MAX_SPARE_BYTES) spare = this.bytes;
    return received;
  }
}

function takeSpare(): Buffer {
  const taken = spare ?? Buffer.allocUnsafe(65_536);
  spare = undefined;
  return taken;
}

/**
 * Reads rows as they are: the driver takes results as text alone, for which Postgres writes every byte of a bytea out
 * as two letters, and which has to be read back. Worth it for packed counts, which are kilobytes each. To be called in a
 * transaction: a copy takes no parameters, so they are settings of it. Only the company is written into the statement,
 * because Citus looks there for the node that it is for; so there are as many different ones as companies, and no more.
 * @param query - with $1 for the company, $2 and so on for the values, each with its type behind it (`$1::uuid`)
 * @returns rows over one memory, which lives as long as any of them
 */
export async function copiedRows(
  client: ClientBase,
  query: string,
  [companyId, ...values]: readonly [companyId: string, ...values: CopyValue[]],
): Promise<CopiedRow[]> {
  const settings = values.map((_, i) => `set_config('${settingOf(i)}', $${i + 1}, true)`).join(', ');
  const text = query.replaceAll(/\$(\d+)/g, (_, place: string) =>
    place === '1' ? escapeLiteral(companyId) : `current_setting('${settingOf(Number(place) - 2)}')`,
  );
  const set = client.query(`SELECT ${settings}`, values.map(settingValue));
  const copied = new Promise<Buffer>((resolve, reject) => {
    const copy: CopyOut = new CopyOut(`COPY (${text}) TO STDOUT (FORMAT binary)`, (error) =>
      error ? reject(error) : resolve(copy.finish()),
    );
    client.query(copy);
  });
  // Sent together: neither waits for the other, and the first to fail is told of.
  const [, received] = await Promise.all([set, copied]);
  return rowsOf(received);
}

/** A bigint of a binary row that fits a number. */
export function bigintOf(bytes: Buffer): number {
  return Number(bytes.readBigInt64BE());
}

/** In letters, as all settings are that Citus carries to its nodes (k8s/citus.sql). */
const SETTINGS = ['first', 'second', 'third', 'fourth'];

function settingOf(value: number): string {
  const name = SETTINGS[value];
  if (name === undefined) throw new RangeError('a copy takes four values');
  return `app.copied_${name}`;
}

function settingValue(value: CopyValue): string {
  return typeof value === 'object' ? `{${value.join(',')}}` : String(value);
}

function rowsOf(bytes: Buffer): CopiedRow[] {
  const rows: CopiedRow[] = [];
  if (bytes.length === 0) return rows;
  let at = SIGNATURE_BYTES + LENGTH_BYTES + bytes.readInt32BE(SIGNATURE_BYTES);
  for (;;) {
    const fields = bytes.readInt16BE(at);
    at += COUNT_BYTES;
    if (fields === END) return rows;
    const row = new Array<Buffer | null>(fields);
    for (let field = 0; field < fields; field += 1) {
      const length = bytes.readInt32BE(at);
      at += LENGTH_BYTES;
      if (length === NULL_LENGTH) row[field] = null;
      else row[field] = bytes.subarray(at, (at += length));
    }
    rows.push(row);
  }
}
