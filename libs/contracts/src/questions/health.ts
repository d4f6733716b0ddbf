import { API_VERSION, PERMISSIONS } from '../access/permissions';
import {
  constant,
  count,
  integer,
  known,
  list,
  nullable,
  record,
  text,
  timestamp,
} from '../schemas/json-schema';
import { EXAMPLE_COMPANY, EXAMPLE_TIME } from './parts/examples';
import { question, type Answer } from './question';

export const DEPENDENCY_STATES = ['operational', 'degraded'] as const;

export const HEALTH = question({
  name: 'Health',
  arguments: {},
  required: [],
  result: record({
    status: constant('healthy', 'The service answers.'),
    service: text('Name of the service.'),
    version: text('Version of the API.', { examples: [API_VERSION] }),
    timestamp: timestamp('Time of the answer.'),
    authentication: record({
      companyId: text('Tenant that the credential stands for.'),
      portalId: nullable(text('Set where portal-based authentication was used; null for self-serve keys.')),
      permissions: list(known(PERMISSIONS), 'What the credential may do.'),
      authenticated: constant(true, 'Always true.'),
    }),
    rateLimiting: record({
      remaining: nullable(count('Requests left in the current window.')),
      windowMinutes: integer('Length of the window.', { minimum: 1 }),
      maxRequests: integer('Most requests per window.', { minimum: 1 }),
    }),
    services: record({
      database: known(DEPENDENCY_STATES, 'Where the data is.'),
      rateLimit: known(DEPENDENCY_STATES, 'degraded: each pod counts for itself.'),
      audit: known(DEPENDENCY_STATES, 'Where tool calls are recorded.'),
    }),
    environment: record({ stage: text('Deployment stage.'), region: text('Deployment region.') }),
  }),
  rest: [
    {
      path: '/health',
      operation: 'health',
      says: 'The service is healthy.',
      summary: 'Health and caller',
      description:
        'Who the credential stands for, what it has left and what works. Needs no permission and leaves the month alone. Without a valid credential the answer is 401, with the limits of the address.',
      everNew: true,
    },
  ],
  example: {
    status: 'healthy',
    service: 'outcomes-read-api',
    version: API_VERSION,
    timestamp: EXAMPLE_TIME,
    authentication: {
      companyId: EXAMPLE_COMPANY,
      portalId: null,
      permissions: PERMISSIONS,
      authenticated: true,
    },
    rateLimiting: { remaining: 199, windowMinutes: 15, maxRequests: 200 },
    services: { database: 'operational', rateLimit: 'operational', audit: 'operational' },
    environment: { stage: 'production', region: 'eu-west-1' },
  },
});
/** `data` of GET /health. */
export type HealthData = Answer<typeof HEALTH>;
