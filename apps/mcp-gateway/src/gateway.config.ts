import type { AccessTokenSettings } from '@outcomes/auth';
import { loadConfig, numberSetting, serviceConfigSchema, z } from '@outcomes/platform';

/** Comma-separated names, lower case, blanks and empty ones dropped. */
const names = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((name) => name.trim().toLowerCase())
      .filter((name) => name !== ''),
  );

/** Encrypted, but on this machine. Without query and fragment: an identifier has none. */
const webAddress = z.url().refine((text) => {
  const { protocol, hostname, search, hash } = new URL(text);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return (protocol === 'https:' || (protocol === 'http:' && isLocal)) && search === '' && hash === '';
}, 'must be an https address without query and fragment');

const MEBIBYTE = 1_024 * 1_024;

const gatewayConfigSchema = serviceConfigSchema({ port: 3003, managementPort: 9003 })
  .extend({
    // Four of the largest messages; nearly all have a kilobyte.
    MAX_HELD_BODY_BYTES: numberSetting(
      'Memory that all request bodies may take together. Beyond that the slowest are aborted.',
      'bytes',
      { least: 2 * MEBIBYTE, fallback: 4 * MEBIBYTE },
    ),
    // Messages are small: nearly all of them come in one piece with their head.
    MAX_ARRIVING_BODIES: numberSetting(
      'Request bodies of one key that may be arriving at the same time. A company may have twice as many.',
      'bodies',
      { fallback: 32 },
    ),
    MCP_PUBLIC_HOSTS: names.describe(
      'Host names, without port, by which callers reach this server, separated by commas. localhost is always one.',
    ),
    MCP_OAUTH_ISSUER: z
      .union([z.literal(''), webAddress])
      .default('')
      .describe(
        'Issuer of the access tokens that are accepted in addition to keys, as their `iss` says. Needs MCP_OAUTH_JWKS_URL and MCP_RESOURCE_URL. Off unless set.',
      ),
    MCP_OAUTH_JWKS_URL: z
      .union([z.literal(''), webAddress])
      .default('')
      .describe('Where the issuer publishes its keys, e.g. `https://login.example.com/jwks`.'),
    MCP_RESOURCE_URL: z
      .union([z.literal(''), webAddress])
      .default('')
      .describe(
        'Address of this server as clients write it, e.g. `https://mcp.example.com/mcp`: the audience of its tokens.',
      ),
    MCP_OAUTH_TENANT_CLAIM: z
      .string()
      .min(1)
      .default('tenant_id')
      .describe('Claim of an access token that names the company.'),
    MCP_OAUTH_READ_SCOPE: z
      .string()
      .regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/)
      .default('outcomes:read')
      .describe('Scope that lets an access token read.'),
    MCP_ALLOWED_ORIGINS: names.describe(
      'Web origins, e.g. `https://agent.example.com`, whose pages may call this server, separated by commas.',
    ),
  })
  .refine(
    (config) =>
      config.MCP_OAUTH_ISSUER === '' || (config.MCP_OAUTH_JWKS_URL !== '' && config.MCP_RESOURCE_URL !== ''),
    { path: ['MCP_OAUTH_ISSUER'], message: 'needs MCP_OAUTH_JWKS_URL and MCP_RESOURCE_URL' },
  );

export type GatewayConfig = z.infer<typeof gatewayConfigSchema>;
export const GATEWAY_CONFIG = Symbol('GatewayConfig');

export function gatewayConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): GatewayConfig {
  return loadConfig(gatewayConfigSchema, environment, process.argv);
}

/** What access tokens are taken; undefined where none are. */
export function accessTokenSettings(config: GatewayConfig): AccessTokenSettings | undefined {
  if (config.MCP_OAUTH_ISSUER === '') return undefined;
  return {
    issuer: config.MCP_OAUTH_ISSUER,
    jwksUrl: config.MCP_OAUTH_JWKS_URL,
    audience: config.MCP_RESOURCE_URL,
    tenantClaim: config.MCP_OAUTH_TENANT_CLAIM,
    readScope: config.MCP_OAUTH_READ_SCOPE,
  };
}
