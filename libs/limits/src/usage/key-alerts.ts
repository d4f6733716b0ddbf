import type { Principal } from '@outcomes/auth';
import { DAY_MS, type AlertCode } from '@outcomes/contracts';
import type { Consumption } from '../limiter/consumption';

const NEARLY = 0.9;
const SOON_MS = 14 * DAY_MS;

/** What the holder of the key should know about the key itself. */
export function keyAlerts({ expiresAt }: Principal, usage: Consumption, now: Date): AlertCode[] {
  const alerts: AlertCode[] = [];
  if (usage.quotaUsed >= NEARLY * usage.quotaLimit) alerts.push('quota_nearly_exhausted');
  if (expiresAt && expiresAt.getTime() - now.getTime() <= SOON_MS) alerts.push('key_expires_soon');
  return alerts;
}
