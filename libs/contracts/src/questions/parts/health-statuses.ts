/** From unknown over good to bad. */
export const HEALTH_STATUSES = ['insufficient_data', 'healthy', 'watch', 'critical'] as const;
export type HealthStatus = (typeof HEALTH_STATUSES)[number];

export const HEALTH_STATUS_MEANING =
  'Worst issue first decides; insufficient_data means unknown, not healthy.';
