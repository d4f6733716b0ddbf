import { API_VERSION, PERMISSIONS } from '../access/permissions';
import { DEPENDENCY_STATES, type HealthData } from '../read-model/health';
import { choice, constant, count, integer, list, nullable, record, text, timestamp } from './json-schema';

/** `data` of GET /health. */
export const HEALTH_DATA_SCHEMA = record<HealthData>({
  status: constant('healthy', 'The service answers.'),
  service: text('Name of the service.'),
  version: text('Version of the API.', { examples: [API_VERSION] }),
  timestamp: timestamp('Time of the answer.'),
  authentication: record<HealthData['authentication']>({
    companyId: text('Tenant that the credential stands for.'),
    portalId: nullable(text('Set where portal-based authentication was used; null for self-serve keys.')),
    permissions: list({ type: 'string', enum: PERMISSIONS }, 'What the credential may do.'),
    authenticated: constant(true, 'Always true.'),
  }),
  rateLimiting: record<HealthData['rateLimiting']>({
    remaining: nullable(count('Requests left in the current window.')),
    windowMinutes: integer('Length of the window.', { minimum: 1 }),
    maxRequests: integer('Most requests per window.', { minimum: 1 }),
  }),
  services: record<HealthData['services']>({
    database: choice(DEPENDENCY_STATES, 'Where the data is.'),
    rateLimit: choice(DEPENDENCY_STATES, 'degraded: each pod counts for itself.'),
    audit: choice(DEPENDENCY_STATES, 'Where tool calls are recorded.'),
  }),
  environment: record<HealthData['environment']>({
    stage: text('Deployment stage.'),
    region: text('Deployment region.'),
  }),
});
