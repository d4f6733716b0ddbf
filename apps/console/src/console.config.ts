import { join } from 'node:path';
import { loadConfig, numberSetting, serviceConfigSchema, z } from '@outcomes/platform';

export const CONSOLE_CONFIG = Symbol('ConsoleConfig');

const MEBIBYTE = 1_024 * 1_024;

const schema = serviceConfigSchema({ port: 3000, managementPort: 9000 }).extend({
  // The largest batch of an import at least.
  MAX_HELD_BODY_BYTES: numberSetting(
    'Memory that all request bodies may take together. Beyond that the slowest are aborted.',
    'bytes',
    { least: 8 * MEBIBYTE, fallback: 48 * MEBIBYTE },
  ),
  CONSOLE_ORIGIN: z
    .url({ protocol: /^https?$/ })
    .default('http://localhost:3000')
    .transform((url) => new URL(url).origin)
    .describe(
      'Scheme, host and port under which people open the console. Browsers keep its cookie on https, and on localhost.',
    ),
  READ_API_PUBLIC_URL: z
    .url()
    .default('http://localhost:3001/v1')
    .describe('Address of the read API as callers reach it. Shown beside new keys.'),
  INGEST_API_PUBLIC_URL: z
    .url()
    .default('http://localhost:3002')
    .describe('Address of the ingest API as callers reach it. Shown beside new keys.'),
  MCP_PUBLIC_URL: z
    .url()
    .default('http://localhost:3003/mcp')
    .describe('Address of the MCP server as agents reach it. Shown beside new keys.'),
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Identity provider. If set, people sign in only there.'),
  OIDC_CLIENT_ID: z.string().min(1).optional().describe('Client id of the console at the identity provider.'),
  OIDC_CLIENT_SECRET: z
    .string()
    .min(1)
    .optional()
    .meta({ description: 'Secret of the console at the identity provider.', secret: true }),
  CONSOLE_PAGE: z
    .string()
    .optional()
    .transform((folder) => folder ?? join(__dirname, '../page'))
    .describe('Folder of the built page. By default the one built with the service.'),
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
  return loadConfig(complete, environment, process.argv);
}
