import type { PresentedCredential, PresentedTenant } from '@outcomes/auth';
import type { Request } from 'express';
import type { Surface } from '../limiter/consumption';

/** What a request's headers present. X-API-Key is taken by the read API only. */
export function presentedBy(request: Request, surface: Surface): PresentedCredential & PresentedTenant {
  const { headers } = request;
  return {
    authorization: headers.authorization,
    apiKey: surface === 'read' ? single(headers['x-api-key']) : undefined,
    ip: request.ip ?? '',
    tenantId: single(headers['x-tenant-id']),
    portalId: single(headers['x-portal-id']),
    actorType: single(headers['x-actor-type']),
    actorId: single(headers['x-actor-id']),
  };
}

/** Node joins repeated headers of these names with a comma, which no valid value contains. */
function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(',') : value;
}
