import type { Principal } from '@outcomes/auth';
import type { AlertCode } from '@outcomes/contracts';
import type { Consumption } from '@outcomes/limits';

const NEARLY = 0.9;
const SOON_MS = 14 * 24 * 3_600_000;

/** What the holder of the key should know about the key itself. */
export function keyAlerts({ expiresAt }: Principal, usage: Consumption, now: Date): AlertCode[] {
  const alerts: AlertCode[] = [];
  if (usage.quotaUsed >= NEARLY * usage.quotaLimit) alerts.push('quota_nearly_exhausted');
  if (expiresAt && expiresAt.getTime() - now.getTime() <= SOON_MS) alerts.push('key_expires_soon');
  return alerts;
}
