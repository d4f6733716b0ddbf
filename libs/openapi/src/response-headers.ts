import { BURST_WINDOW_SECONDS, DEFAULT_BURST_LIMIT, DEFAULT_MONTHLY_QUOTA } from '@outcomes/contracts';
import type { OpenAPIObject } from '@nestjs/swagger';

type Headers = NonNullable<NonNullable<OpenAPIObject['components']>['headers']>;

const whole = (description: string, example: number) => ({
  description,
  required: true,
  schema: { type: 'integer', minimum: 0, examples: [example] },
});
const words = (description: string, example: string) => ({
  description,
  required: true,
  schema: { type: 'string', minLength: 1, examples: [example] },
});

/** Headers of answers, defined once; a response that refers to one always carries it. */
export const RESPONSE_HEADERS = {
  'X-Request-Id': words(
    'Id of the request: your own where you sent a harmless one, else a fresh one.',
    '3a1f0c52-5b0e-4a53-9d0f-0c5f2f6f1a11',
  ),
  'RateLimit-Limit': whole('Requests per window.', DEFAULT_BURST_LIMIT),
  'RateLimit-Remaining': whole('Requests left in the window.', DEFAULT_BURST_LIMIT - 1),
  'RateLimit-Reset': whole('Seconds until the window ends.', BURST_WINDOW_SECONDS),
  'RateLimit-Policy': words(
    'Requests per window and its length in seconds.',
    `${DEFAULT_BURST_LIMIT};w=${BURST_WINDOW_SECONDS}`,
  ),
  'X-Quota-Limit': whole('Requests per calendar month (UTC).', DEFAULT_MONTHLY_QUOTA),
  'X-Quota-Remaining': whole('Requests left in the month.', DEFAULT_MONTHLY_QUOTA - 1),
  'X-Quota-Reset': whole('Seconds until the month ends.', 2_592_000),
  'Retry-After': whole('Seconds to wait before the next attempt.', BURST_WINDOW_SECONDS),
  'WWW-Authenticate': words('How to authenticate (RFC 6750).', 'Bearer'),
  Link: {
    ...words('Where the list goes on; missing on the last page.', '<?limit=100&cursor=WyJw>; rel="next"'),
    required: false,
  },
  Allow: words('Methods that this address takes.', 'GET, HEAD'),
  ETag: words('Version of the findings; send it back in If-None-Match.', 'W/"Zk3yB0pQ1yZ8m0Jm5p0y2A"'),
  'Cache-Control': words('Answers belong to one credential.', 'private, no-cache'),
  Vary: words('Headers that choose the answer.', 'Authorization, X-API-Key'),
} as const satisfies Headers;
export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

export const RATE_LIMIT_HEADERS = [
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'RateLimit-Policy',
] as const satisfies readonly ResponseHeader[];
export const QUOTA_HEADERS = [
  'X-Quota-Limit',
  'X-Quota-Remaining',
  'X-Quota-Reset',
] as const satisfies readonly ResponseHeader[];

/** References to the named headers, as a response lists them. */
export function headerReferences(names: readonly ResponseHeader[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
