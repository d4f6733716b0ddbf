import { Inject, Injectable } from '@nestjs/common';
import {
  BANDIT_STATE,
  DOCUMENTS,
  type AlertCode,
  type ArmRecord,
  type BanditDocument,
  type BanditState,
  type BanditStateQuery,
  type DriftDocument,
} from '@outcomes/contracts';
import { CLOCK, type Clock } from '@outcomes/platform';
import { bestArmProbabilities, narrow } from '@outcomes/statistics';
import type { TenantScope } from '@outcomes/tenancy';
import { FreshnessRepository } from '../freshness/freshness.repository';
import { sampleAlerts } from '../freshness/sample-alerts';
import { parseSnapshot } from '../snapshots/parse-snapshot';
import { SnapshotRepository } from '../snapshots/snapshot.repository';
import { counted, percent } from '../text/number-words';
import { frameOf } from '../frame/result-frame';
import { trustFields, trustIn } from '../frame/trust';

/** Posteriors per (channel, position), best mean first. */
@Injectable()
export class BanditStateService {
  constructor(
    @Inject(SnapshotRepository) private readonly snapshots: SnapshotRepository,
    @Inject(FreshnessRepository) private readonly freshness: FreshnessRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async answer(scope: TenantScope, query: BanditStateQuery): Promise<BanditState> {
    const topN = query.top_n ?? BANDIT_STATE.arguments.top_n.default;
    const stored = await this.snapshots.findAll(scope, [DOCUMENTS.bandit, DOCUMENTS.drift]);
    const freshness = await this.freshness.find(scope);
    const bandit = parseSnapshot<BanditDocument>(stored.get(DOCUMENTS.bandit));
    const drift = parseSnapshot<DriftDocument>(stored.get(DOCUMENTS.drift));
    const matching = rankedArms(ofToday(bandit), query);
    const arms = matching.slice(0, topN);
    const now = this.clock.now();
    const trust = trustIn(drift, now, query.channel);
    const summary = `${armWords(matching)} ${trust.sentence}`;
    const alerts = [
      ...armAlerts(matching, arms),
      ...trust.alerts,
      ...truncation(matching.length, arms.length),
    ];
    return {
      ...frameOf(scope, 'company', freshness, now, summary, alerts),
      arm_count: matching.length,
      prior: {
        source: bandit?.prior.source ?? null,
        expected_rate: bandit?.prior.expected_rate ?? null,
      },
      arms,
      ...trustFields(trust),
    };
  }
}

/** Arms that a run of an earlier version left say nothing of the time to come: until the next run there are none. */
function ofToday(bandit: BanditDocument | undefined): readonly ArmRecord[] {
  return (bandit?.arms ?? []).filter((arm: Partial<ArmRecord>) => arm.interval_target !== undefined);
}

/**
 * The arms that match, best mean first, with the chance of being the best among just these: a question of what is known,
 * and so asked before the posteriors are widened by what may come.
 */
export function rankedArms(
  all: readonly ArmRecord[],
  { channel, position }: Pick<BanditStateQuery, 'channel' | 'position'>,
): ArmRecord[] {
  const matching = all.filter(
    (arm) =>
      (channel === undefined || arm.channel === channel) &&
      (position === undefined || arm.position === position),
  );
  const best =
    matching.length === all.length || matching.length === 0
      ? matching.map((arm) => arm.probability_best)
      : bestArmProbabilities(matching.map((arm) => narrow(arm, arm.forward_sd ** 2)));
  return matching
    .map((arm, index) => ({ ...arm, probability_best: best[index] ?? arm.probability_best }))
    .sort(
      (a, b) =>
        b.posterior_mean - a.posterior_mean ||
        a.channel.localeCompare(b.channel, 'en') ||
        a.position.localeCompare(b.position, 'en'),
    );
}

function armWords(matching: readonly ArmRecord[]): string {
  const best = matching[0];
  if (!best) return 'No arm matches.';
  const range = `95 % interval ${percent(best.ci_low)} to ${percent(best.ci_high)}`;
  return (
    `${counted(matching.length, 'arm')}; the best mean is ${best.channel} to ${best.position} with a reply rate of ` +
    `${percent(best.posterior_mean)} (${range}), the best of these with probability ${percent(best.probability_best)}.`
  );
}

function armAlerts(matching: readonly ArmRecord[], returned: readonly ArmRecord[]): AlertCode[] {
  const best = matching[0];
  if (!best) return ['no_bandit_state_available'];
  const migrated = returned.filter((arm) => arm.data_source === 'migration').length;
  const alerts: AlertCode[] = sampleAlerts(best.observations);
  if (migrated === returned.length) alerts.push('migration_arms_only');
  else if (migrated > 0) alerts.push('mixed_data_sources');
  if (returned.some((arm) => arm.own_data_share < 0.5)) alerts.push('borrowed_prior');
  return alerts;
}

function truncation(matches: number, returned: number): AlertCode[] {
  return matches > returned ? ['results_truncated'] : [];
}
