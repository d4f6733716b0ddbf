import type { PresentedCredential, PresentedTenant } from '@outcomes/auth';
import type { Exchange } from '@outcomes/platform';
import type { Surface } from '../limiter/consumption';

export type RequestCredentials = PresentedCredential & PresentedTenant;

/** What a request's headers present. X-API-Key is taken by the read API only; on MCP a call names its tenant. */
export function credentialsOf({ request: { headers }, ip }: Exchange, surface: Surface): RequestCredentials {
  return {
    authorization: headers.authorization,
    apiKey: surface === 'read' ? single(headers['x-api-key']) : undefined,
    ip,
    tenantId: surface === 'protocol' ? undefined : single(headers['x-tenant-id']),
    portalId: single(headers['x-portal-id']),
    actorType: single(headers['x-actor-type']),
    actorId: single(headers['x-actor-id']),
  };
}

/** Node joins repeated headers of these names with a comma, which no valid value contains. */
function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(',') : value;
}
