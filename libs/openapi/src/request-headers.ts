import { CLAIMABLE_ACTOR_TYPES } from '@outcomes/contracts';
import type { OpenAPIObject } from '@nestjs/swagger';

type Parameters = NonNullable<NonNullable<OpenAPIObject['components']>['parameters']>;

const header = (name: string, description: string, schema: object) => ({
  name,
  in: 'header' as const,
  required: false,
  description,
  schema: { type: 'string', ...schema },
});

/** Headers that every operation takes. */
export const REQUEST_HEADERS = {
  TenantId: header(
    'X-Tenant-Id',
    'Tenant to act for. Only a credential of several tenants needs it; a key names its own.',
    { minLength: 1, maxLength: 128 },
  ),
  PortalId: header('X-Portal-Id', 'Portal to act for, with a credential of several tenants.', {
    minLength: 1,
    maxLength: 128,
  }),
  ActorType: header('X-Actor-Type', 'Kind of actor behind the call.', { enum: CLAIMABLE_ACTOR_TYPES }),
  ActorId: header('X-Actor-Id', 'Name of the actor behind the call: visible ASCII.', {
    minLength: 1,
    maxLength: 128,
    pattern: '^[!-~]+$',
  }),
  RequestId: header('X-Request-Id', 'Your own id of the request; the answer carries it back.', {
    pattern: '^[A-Za-z0-9_.-]{1,64}$',
  }),
} as const satisfies Parameters;
