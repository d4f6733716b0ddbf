import type { Deprecation } from '@outcomes/contracts';

/** An entry as the catalogue might have one. */
export const SAMPLE: Deprecation = {
  id: 'patterns-v0',
  subject: 'GET /v0/patterns',
  announcedOn: '2027-01-10',
  sunsetOn: '2027-05-01',
  replacement: 'Use GET /v1/patterns.',
  documentation: 'https://example.com/changes#patterns-v0',
};
