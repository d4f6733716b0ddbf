import { SCHEMA_VERSION } from './frame';

/** Whom the examples are about, and when they were answered. */
export const EXAMPLE_COMPANY = 'b9a7c1de-5f0f-4a39-9c36-0d7c3a1e2f44';
export const EXAMPLE_TIME = '2026-02-03T08:00:00.000Z';

export const EXAMPLE_FRAME = {
  schema_version: SCHEMA_VERSION,
  tenant_id: EXAMPLE_COMPANY,
  scope: 'company',
  alerts: [],
  as_of: EXAMPLE_TIME,
  data_as_of: '2026-02-03T01:58:40.000Z',
  analysed_at: '2026-02-03T02:00:00.000Z',
  newest_outcome_at: '2026-02-02T16:20:00.000Z',
} as const;
