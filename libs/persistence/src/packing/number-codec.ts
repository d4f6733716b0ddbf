const MORE = 0x80;
const GROUP = 128;

/** Writes numbers close together: counts in as many groups of seven bits as they need, everything else as it is. */
export class NumberWriter {
  private buffer: Buffer;
  private length = 0;

  /** @param room - bytes to begin with */
  constructor(room = 16_384) {
    this.buffer = Buffer.allocUnsafe(room);
  }

  /** Whole numbers, 0 to 2^53 - 1, behind their number. */
  counts(counts: ArrayLike<number>): void {
    this.count(counts.length);
    for (let i = 0; i < counts.length; i += 1) this.count(counts[i] ?? 0);
  }

  doubles(values: Float64Array): void {
    this.bytes(Buffer.from(values.buffer, values.byteOffset, values.byteLength));
  }

  bytes(bytes: Buffer): void {
    this.count(bytes.length);
    this.reserve(bytes.length);
    bytes.copy(this.buffer, this.length);
    this.length += bytes.length;
  }

  /** Begins anew, in the room that there is. What `finish` gave before is written over. */
  restart(): this {
    this.length = 0;
    return this;
  }

  finish(): Buffer {
    return this.buffer.subarray(0, this.length);
  }

  count(value: number): void {
    this.reserve(8);
    let rest = value;
    while (rest >= GROUP) {
      this.buffer[this.length++] = (rest % GROUP) | MORE;
      rest = Math.floor(rest / GROUP);
    }
    this.buffer[this.length++] = rest;
  }

  /** Whole numbers of either sign. */
  signed(value: number): void {
    this.count(value < 0 ? -2 * value - 1 : 2 * value);
  }

  private reserve(more: number): void {
    if (this.length + more <= this.buffer.length) return;
    const longer = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, this.length + more));
    this.buffer.copy(longer);
    this.buffer = longer;
  }
}

/** Reads what NumberWriter wrote, in the same order. */
export class NumberReader {
  constructor(
    private readonly buffer: Buffer,
    private at = 0,
    private readonly end = buffer.length,
  ) {}

  counts(): Float64Array {
    const counts = new Float64Array(this.count());
    for (let i = 0; i < counts.length; i += 1) counts[i] = this.count();
    return counts;
  }

  doubles(): Float64Array<ArrayBuffer> {
    return doublesOf(this.bytes());
  }

  bytes(): Buffer {
    const length = this.count();
    const bytes = this.buffer.subarray(this.at, this.at + length);
    this.at += length;
    return bytes;
  }

  /** The same bytes to be read later, or not at all: far cheaper than a Buffer where there are many. */
  part(): NumberReader {
    const length = this.count();
    this.at += length;
    return new NumberReader(this.buffer, this.at - length, this.at);
  }

  /** Whether everything has been read. */
  get ended(): boolean {
    return this.at >= this.end;
  }

  count(): number {
    const first = this.buffer[this.at++] ?? 0;
    if (first < MORE) return first;
    let value = first & (MORE - 1);
    for (let scale = GROUP; ; scale *= GROUP) {
      const byte = this.buffer[this.at++] ?? 0;
      value += (byte & (MORE - 1)) * scale;
      if (byte < MORE) return value;
    }
  }

  signed(): number {
    const written = this.count();
    return written % 2 === 1 ? -(written + 1) / 2 : written / 2;
  }
}

/** Doubles of their bytes, which may lie at any address; doubles may not. */
export function doublesOf(bytes: Buffer): Float64Array<ArrayBuffer> {
  const values = new Float64Array(bytes.length / Float64Array.BYTES_PER_ELEMENT);
  new Uint8Array(values.buffer).set(bytes);
  return values;
}
