import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '@outcomes/contracts';

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]+)/i;
/** ASCII is UTF-8 too. */
const CHARSETS = ['utf-8', 'utf8', 'us-ascii'];

/** @throws AppError UNSUPPORTED_MEDIA_TYPE where the body is said to be anything but this media type in UTF-8 */
export function requireMediaType(
  { 'content-type': sent = '' }: IncomingHttpHeaders,
  mediaType: string,
): void {
  if (sent === mediaType) return;
  const charset = CHARSET.exec(sent)?.[1]?.toLowerCase() ?? 'utf-8';
  const isRight = sent.split(';')[0]?.trim().toLowerCase() === mediaType;
  if (isRight && CHARSETS.includes(charset)) return;
  const message = `Send the body as "Content-Type: ${mediaType}", in UTF-8.`;
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', {}, { message });
}
