import { join } from 'node:path';
import { loadConfig, serviceConfigSchema, z } from '@outcomes/platform';

export const CONSOLE_CONFIG = Symbol('ConsoleConfig');

const MEBIBYTE = 1_024 * 1_024;

const schema = serviceConfigSchema({ port: 3000, managementPort: 9000 }).extend({
  /** Memory that the bodies of requests may take together: that of the largest batch of an import at least. */
  MAX_HELD_BODY_BYTES: z.coerce
    .number()
    .int()
    .min(8 * MEBIBYTE)
    .default(48 * MEBIBYTE),
  /** Scheme, host and port under which people open the console. Browsers keep its cookie on https, and on localhost. */
  CONSOLE_ORIGIN: z
    .url({ protocol: /^https?$/ })
    .default('http://localhost:3000')
    .transform((url) => new URL(url).origin),
  /** Addresses of the other surfaces, as agents of this company reach them; shown beside new keys. */
  READ_API_PUBLIC_URL: z.url().default('http://localhost:3001/v1'),
  INGEST_API_PUBLIC_URL: z.url().default('http://localhost:3002'),
  MCP_PUBLIC_URL: z.url().default('http://localhost:3003/mcp'),
  /** Identity provider: where set, people sign in there and nowhere else. */
  OIDC_ISSUER: z.url({ protocol: /^https?$/ }).optional(),
  OIDC_CLIENT_ID: z.string().min(1).optional(),
  /** A secret. */
  OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  /** Folder of the built page. */
  CONSOLE_PAGE: z.string().default(join(__dirname, '../page')),
});

export type ConsoleConfig = z.infer<typeof schema>;

const complete = schema.refine(
  ({ OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET }) =>
    (OIDC_ISSUER === undefined) === (OIDC_CLIENT_ID === undefined) &&
    (OIDC_ISSUER === undefined) === (OIDC_CLIENT_SECRET === undefined),
  { path: ['OIDC_ISSUER'], message: 'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET go together.' },
);

export function consoleConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): ConsoleConfig {
  return loadConfig(complete, environment);
}
