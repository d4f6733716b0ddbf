import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import zlib from 'node:zlib';
import { decoderFor } from './content-coding';

/** Not in every Node that is supported. */
const hasZstd = typeof zlib.createZstdCompress === 'function';

const decoded = async (coding: string, body: Buffer) => {
  const decoder = decoderFor(coding)?.();
  decoder?.end(body);
  return decoder && (await buffer(decoder));
};

describe('the content coding of a body', () => {
  it.each([undefined, '', ' ', 'identity', ' Identity '])('is none where %j is said', (header) => {
    expect(decoderFor(header)).toBeUndefined();
  });

  it.each([
    ['gzip', zlib.gzipSync],
    [' X-GZIP ', zlib.gzipSync],
    ['Deflate', zlib.deflateSync],
    ['br', zlib.brotliCompressSync],
    ...(hasZstd ? ([['zstd', zlib.zstdCompressSync]] as const) : []),
  ] as const)('%s is undone', async (coding, encode) => {
    expect(String(await decoded(coding, encode('payload')))).toBe('payload');
  });

  it.each(['compress', 'gzip, br', 'gzip gzip', 'toString', '__proto__'])(
    '%s is refused, with what is taken',
    (coding) => {
      expect(() => decoderFor(coding)).toThrow(
        expect.objectContaining({
          code: 'UNSUPPORTED_MEDIA_TYPE',
          message: expect.stringMatching(/: gzip, x-gzip, deflate, br(, zstd)?\.$/),
        }),
      );
    },
  );

  if (!hasZstd) return;

  it.each([
    [23, true],
    [24, false],
  ])('may make a decoder of zstd take a window of two to the power of %d: %s', async (windowLog, isTaken) => {
    const encoder = zlib.createZstdCompress({ params: { [zlib.constants.ZSTD_c_windowLog]: windowLog } });
    const chunks: Buffer[] = [];
    encoder.on('data', (chunk: Buffer) => chunks.push(chunk)).write('payload');
    // The window is said in the head of the frame, which leaves before the encoder knows how little there is.
    await new Promise<void>((resolve) => encoder.flush(resolve));
    encoder.end();
    await once(encoder, 'end');
    const told = await decoded('zstd', Buffer.concat(chunks)).then(String, () => 'refused');
    expect(told).toBe(isTaken ? 'payload' : 'refused');
  });
});
