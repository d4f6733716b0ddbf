import type { IncomingMessage } from 'node:http';
import { AppError } from '@outcomes/contracts';

/** Whether a request says how long its body is, within a limit, and sends it as it is: what `readBody` takes. */
export function hasPlainBody({ headers }: IncomingMessage, limit: number): boolean {
  const length = Number(headers['content-length'] ?? Infinity);
  return length <= limit && headers['content-encoding'] === undefined;
}

/**
 * The body of a request that `hasPlainBody`, where all of it is here: no wait.
 * @returns undefined where `readBody` must wait for it
 */
export function arrivedBody(request: IncomingMessage): Buffer | undefined {
  const isHere =
    request.complete && request.readableLength === Number(request.headers['content-length'] ?? NaN);
  return isHere ? ((request.read() as Buffer | null) ?? undefined) : undefined;
}

/**
 * Reads the body of a request that `hasPlainBody`. Node's parser ends it at the announced length.
 * @throws AppError REQUEST_TIMEOUT where it takes longer; INVALID_REQUEST where the connection breaks off
 */
export function readBody(request: IncomingMessage, timeoutMs: number): Promise<Buffer> {
  if (request.destroyed) return Promise.reject(new AppError('INVALID_REQUEST'));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const timer = setTimeout(() => reject(new AppError('REQUEST_TIMEOUT')), timeoutMs);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      clearTimeout(timer);
      const [only] = chunks;
      resolve(only && chunks.length === 1 ? only : Buffer.concat(chunks));
    });
    request.on('close', () => {
      clearTimeout(timer);
      if (!request.complete) reject(new AppError('INVALID_REQUEST'));
    });
  });
}
