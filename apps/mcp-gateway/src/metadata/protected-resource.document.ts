import type { GatewayConfig } from '../gateway.config';

/** What a client has to know to get an access token (RFC 9728). */
export interface ProtectedResource {
  readonly resource: string;
  readonly authorization_servers: readonly string[];
  readonly scopes_supported: readonly string[];
  readonly bearer_methods_supported: readonly ['header'];
  readonly resource_name: string;
}

type Settings = Pick<GatewayConfig, 'MCP_OAUTH_ISSUER' | 'MCP_OAUTH_READ_SCOPE' | 'MCP_RESOURCE_URL'>;

export function protectedResource(config: Settings): ProtectedResource {
  return {
    resource: config.MCP_RESOURCE_URL,
    authorization_servers: [config.MCP_OAUTH_ISSUER],
    scopes_supported: [config.MCP_OAUTH_READ_SCOPE],
    bearer_methods_supported: ['header'],
    resource_name: 'Outbound Outcome Intelligence',
  };
}

/** Where that is told: the well-known part stands between host and path (RFC 9728, section 3.1). */
export function metadataUrl({ MCP_RESOURCE_URL }: Settings): string {
  const { origin, pathname } = new URL(MCP_RESOURCE_URL);
  return `${origin}/.well-known/oauth-protected-resource${pathname === '/' ? '' : pathname}`;
}

/** What a refusal says of how to authenticate (RFC 6750, and RFC 9728 for where to begin). */
export interface Challenges {
  readonly noToken: string;
  readonly invalidToken: string;
  readonly insufficientScope: string;
}

/** @returns undefined where no access tokens are taken: then there is nowhere to point to */
export function challengesOf(config: Settings): Challenges | undefined {
  if (config.MCP_OAUTH_ISSUER === '') return undefined;
  const where = `scope="${config.MCP_OAUTH_READ_SCOPE}", resource_metadata="${metadataUrl(config)}"`;
  return {
    noToken: `Bearer ${where}`,
    invalidToken: `Bearer error="invalid_token", ${where}`,
    insufficientScope: `Bearer error="insufficient_scope", ${where}`,
  };
}
