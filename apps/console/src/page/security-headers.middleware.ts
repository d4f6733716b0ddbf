import { exchangeOf } from '@outcomes/platform';
import type { NextFunction, Request, Response } from 'express';
import type { ConsoleConfig } from '../console.config';

/** Only what this host serves as a file, and no text that becomes code. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  ...['script-src', 'style-src', 'img-src', 'connect-src', 'worker-src', 'form-action'].map(
    (name) => `${name} 'self'`,
  ),
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  // The address of a Worker needs a policy; the page has this one, for one address.
  'trusted-types import-worker',
].join('; ');

/** Header fields of every answer. */
function headersOf({ CONSOLE_ORIGIN }: Pick<ConsoleConfig, 'CONSOLE_ORIGIN'>): Record<string, string> {
  return {
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    ...(CONSOLE_ORIGIN.startsWith('https:') && { 'Strict-Transport-Security': 'max-age=31536000' }),
  };
}

/** Sets them before anybody can answer or refuse. What the API says is kept nowhere. */
export function securityHeaders(config: ConsoleConfig) {
  const headers = headersOf(config);
  return (request: Request, _response: Response, next: NextFunction) => {
    const exchange = exchangeOf(request);
    exchange.setHeaders(headers);
    if (request.path.startsWith('/api/')) exchange.setHeader('Cache-Control', 'no-store');
    next();
  };
}
