import type { Transform } from 'node:stream';
import zlib from 'node:zlib';
import { AppError } from '@outcomes/contracts';

/** Bytes that a decoder takes beside what it puts out. */
export const DECODER_BYTES = 64 * 1_024;

const DECODERS: Readonly<Record<string, (() => Transform) | undefined>> = {
  gzip: () => zlib.createGunzip(),
  'x-gzip': () => zlib.createGunzip(),
  deflate: () => zlib.createInflate(),
  br: () => zlib.createBrotliDecompress(),
  // Not in every Node that is supported.
  ...(typeof zlib.createZstdDecompress === 'function' && { zstd: zstdDecoder }),
};

/** The window that a stranger may make a decoder allocate is what he says it is, up to 2 to this power. */
const MAX_ZSTD_WINDOW_LOG = 23;

function zstdDecoder(): Transform {
  return zlib.createZstdDecompress({
    params: { [zlib.constants.ZSTD_d_windowLogMax]: MAX_ZSTD_WINDOW_LOG },
  });
}

/**
 * The decoder of a body, made when it is needed.
 * @param header - Content-Encoding
 * @returns undefined for a body that is sent as it is
 * @throws AppError UNSUPPORTED_MEDIA_TYPE where a body is encoded in a way that is not known, or more than once
 */
export function decoderFor(header: string | undefined): (() => Transform) | undefined {
  const coding = header?.trim().toLowerCase();
  if (coding === undefined || coding === '' || coding === 'identity') return undefined;
  const decoder = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined;
  if (decoder) return decoder;
  const message = `This Content-Encoding is not taken. Encode the body once, or not at all: ${Object.keys(DECODERS).join(', ')}.`;
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', {}, { message });
}
