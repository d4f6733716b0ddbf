import { SCHEMA_VERSION, type AlertCode, type ResultFrame } from '@outcomes/contracts';
import type { TenantScope } from '@outcomes/tenancy';
import { freshnessAlerts } from '../runs/freshness-alerts';
import type { Freshness } from '../runs/run.repository';

/** What every answer begins with. Alerts about the answer itself come first, those about its age after. */
export function frameOf(
  scope: TenantScope,
  level: ResultFrame['scope'],
  freshness: Freshness,
  now: Date,
  summary: string,
  alerts: readonly AlertCode[],
): ResultFrame {
  return {
    schema_version: SCHEMA_VERSION,
    tenant_id: scope.companyId,
    scope: level,
    summary,
    alerts: [...new Set([...alerts, ...freshnessAlerts(freshness, now)])],
    as_of: now.toISOString(),
    data_as_of: freshness.dataAsOf?.toISOString() ?? null,
    analysed_at: freshness.analysedAt?.toISOString() ?? null,
    newest_outcome_at: freshness.newestOutcomeAt?.toISOString() ?? null,
  };
}
