/** Every endpoint: its path in the API description, the folder of its tests, and an address that it answers. */
const TABLE = {
  '/health': ['health', '/health'],
  '/patterns': ['patterns', '/patterns'],
  '/patterns/descriptions': ['patterns-descriptions', '/patterns/descriptions'],
  '/patterns/analysis': ['patterns-analysis', '/patterns/analysis'],
  '/patterns/recipients': ['patterns-recipients', '/patterns/recipients'],
  '/patterns/recommendation-profiles': [
    'patterns-recommendation-profiles',
    '/patterns/recommendation-profiles',
  ],
  '/patterns/chunks': ['patterns-chunks', '/patterns/chunks'],
  '/patterns/chunks/{metricName}': ['patterns-chunk', '/patterns/chunks/tone'],
  '/patterns/contact-insights': ['patterns-contact-insights', '/patterns/contact-insights'],
  '/intelligence/campaigns': ['intelligence-campaigns', '/intelligence/campaigns'],
  '/intelligence/campaigns/health': ['intelligence-campaigns-health', '/intelligence/campaigns/health'],
  '/intelligence/campaigns/{campaignId}/health': [
    'intelligence-campaign-health',
    '/intelligence/campaigns/spring/health',
  ],
  '/intelligence/recommendations': ['intelligence-recommendations', '/intelligence/recommendations'],
  '/intelligence/bandit': ['intelligence-bandit', '/intelligence/bandit'],
  '/intelligence/drift': ['intelligence-drift', '/intelligence/drift'],
  '/intelligence/decisions': ['intelligence-decisions', '/intelligence/decisions'],
  '/intelligence/contacts/{contactId}': ['intelligence-contact', '/intelligence/contacts/anna'],
  '/intelligence/contacts/{contactId}/decisions': [
    'intelligence-contact-decisions',
    '/intelligence/contacts/anna/decisions',
  ],
  '/intelligence/audit': ['intelligence-audit', '/intelligence/audit'],
  '/intelligence/calibration': ['intelligence-calibration', '/intelligence/calibration'],
  '/suppressions': ['suppressions', '/suppressions'],
} as const;

export type Endpoint = keyof typeof TABLE;

export const ENDPOINT_NAMES = Object.keys(TABLE) as readonly Endpoint[];

export const folderOf = (endpoint: Endpoint): string => TABLE[endpoint][0];
export const exampleOf = (endpoint: Endpoint): string => TABLE[endpoint][1];

/** Every endpoint, with an argument where it takes one. */
export const ENDPOINTS = ENDPOINT_NAMES.map(exampleOf);
