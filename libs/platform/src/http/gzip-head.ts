import { promisify } from 'node:util';
import { constants, crc32, deflateRaw } from 'node:zlib';

const deflate = promisify(deflateRaw);

/** RFC 1952: DEFLATE, no name, no time, no system. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** A last block that is stored as it is (RFC 1951, 3.2.4) holds at most so many bytes. */
const MAX_STORED = 65_535;

/** The beginning of a gzip file, compressed once and ended in many ways. */
export interface GzipHead {
  readonly bytes: Buffer;
  /** Of what is compressed in them: its CRC-32 and length. */
  readonly crc: number;
  readonly length: number;
}

/**
 * Compresses all but the end of an answer. Flushed to a whole byte, it may be followed by any block.
 * @param text - at least most of the answer
 */
export async function gzipHead(text: Buffer): Promise<GzipHead> {
  const deflated = await deflate(text, { finishFlush: constants.Z_SYNC_FLUSH });
  return { bytes: Buffer.concat([HEADER, deflated]), crc: crc32(text), length: text.length };
}

/**
 * The whole file.
 * @param end - ASCII, at most 65,535 characters
 */
export function gzipWith({ bytes, crc, length }: GzipHead, end: string): Buffer {
  if (end.length > MAX_STORED) throw new RangeError('end');
  const whole = Buffer.allocUnsafe(bytes.length + 5 + end.length + 8);
  let at = bytes.copy(whole);
  at = whole.writeUInt8(1, at);
  at = whole.writeUInt16LE(end.length, at);
  at = whole.writeUInt16LE(end.length ^ 0xffff, at);
  at += whole.write(end, at, 'latin1');
  at = whole.writeUInt32LE(crc32(end, crc), at);
  whole.writeUInt32LE((length + end.length) % 2 ** 32, at);
  return whole;
}
