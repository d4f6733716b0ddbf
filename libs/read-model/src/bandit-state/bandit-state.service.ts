import { Inject, Injectable } from '@nestjs/common';
import {
  BANDIT_STATE,
  DOCUMENTS,
  POSITIONS,
  idleChannels,
  type AlertCode,
  type ArmRecord,
  type ArmShape,
  type BanditDocument,
  type BanditState,
  type BanditStateQuery,
  type Channel,
  type ChannelUse,
  type Position,
} from '@outcomes/contracts';
import { CLOCK, type Clock } from '@outcomes/platform';
import { bestArmProbabilities, narrow } from '@outcomes/statistics';
import type { TenantScope } from '@outcomes/tenancy';
import { RunRepository, type Freshness, type RunReading } from '../runs/run.repository';
import { counted, percent, percents } from '../text/number-words';
import { frameOf } from '../frame/result-frame';
import { PLACES } from '../frame/trust-table';
import { trustFields, trustIn } from '../frame/trust';
import { sampleAlerts } from '../text/sample-alerts';
import { askedPosition } from './asked-position';

/** Posteriors per (channel, position), best mean first. */
@Injectable()
export class BanditStateService {
  constructor(
    @Inject(RunRepository) private readonly runs: RunRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async answer(scope: TenantScope, query: BanditStateQuery): Promise<BanditState> {
    const topN = query.top_n ?? BANDIT_STATE.arguments.top_n.default;
    const run = await this.runs.read(scope, [DOCUMENTS.bandit]);
    const bandit = run.document<BanditDocument>(DOCUMENTS.bandit);
    const position = query.position === undefined ? undefined : askedPosition(query.position);
    const all = ofToday(bandit);
    const isUnheardOf = query.position !== undefined && position === undefined;
    const matching = isUnheardOf ? [] : rankedArms(all, { channel: query.channel, position }, bandit?.known);
    const arms = matching.slice(0, topN);
    const now = this.clock.now();
    const trust = trustIn(run.frame, now, query.channel);
    const idle = idleChannels(run.frame?.channels ?? [], now);
    const summary = `${armWords(matching, all, isUnheardOf)}${idleWords(matching[0], idle)} ${trust.sentence}`;
    const alerts = [
      ...armAlerts(matching, arms),
      ...(arms.some((arm) => ofChannel(arm, idle)) ? (['channel_left_idle'] as const) : []),
      ...trust.alerts,
      ...truncation(matching.length, arms.length),
    ];
    return {
      ...frameOf(scope, 'company', freshnessOfArms(run), now, summary, alerts),
      arm_count: matching.length,
      position: position ?? null,
      prior: {
        source: bandit?.prior.source ?? null,
        expected_rate: bandit?.prior.expected_rate ?? null,
      },
      arms,
      ...trustFields(trust),
    };
  }
}

/** Arms are refreshed between runs, with outcomes that the rest of the run has not; trust in them is that of the run. */
function freshnessOfArms({ freshness, documentAsOf }: RunReading): Freshness {
  const { dataAsOf } = freshness;
  const armsAsOf = documentAsOf(DOCUMENTS.bandit);
  const areNewer = armsAsOf !== null && (dataAsOf === null || armsAsOf > dataAsOf);
  return areNewer ? { ...freshness, dataAsOf: armsAsOf } : freshness;
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
  { channel, position }: { readonly channel?: Channel | undefined; readonly position?: Position | undefined },
  known: readonly ArmShape[] = [],
): ArmRecord[] {
  const matching = all.filter(
    (arm) =>
      (channel === undefined || arm.channel === channel) &&
      (position === undefined || arm.position === position),
  );
  const isPart = matching.length > 0 && matching.length < all.length;
  const best = isPart ? bestArmProbabilities(matching.map((arm) => shapeOf(arm, known))) : [];
  return matching
    .map((arm, index) => ({ ...arm, probability_best: best[index] ?? arm.probability_best }))
    .sort(
      (a, b) =>
        b.posterior_mean - a.posterior_mean ||
        a.channel.localeCompare(b.channel, 'en') ||
        a.position.localeCompare(b.position, 'en'),
    );
}

/** Of the forward spread six digits are served, of its square half as exact. */
const ROUNDING = 1e-5;

/** What is known of an arm: in the document of an earlier version only as exactly as the served spread tells of it. */
function shapeOf(arm: ArmRecord, known: readonly ArmShape[]): Pick<ArmShape, 'alpha' | 'beta'> {
  const own = known.find(({ channel, position }) => channel === arm.channel && position === arm.position);
  if (own) return own;
  const added = arm.forward_sd ** 2;
  // Of an arm of millions of messages less is unknown than was rounded off.
  const most = (1 / arm.alpha + 1 / arm.beta) * (1 - ROUNDING);
  return narrow(arm, Math.min(added, most));
}

function armWords(matching: readonly ArmRecord[], all: readonly ArmRecord[], isUnheardOf: boolean): string {
  const best = matching[0];
  if (!best) {
    if (isUnheardOf)
      return `No arm matches: the position is no job title that is known, and none of ${POSITIONS.join(', ')}.`;
    const known = POSITIONS.filter((position) => all.some((arm) => arm.position === position));
    return known.length > 0 ? `No arm matches; there are arms for ${known.join(', ')}.` : 'No arm matches.';
  }
  const [mean, low, high] = percents([best.posterior_mean, best.ci_low, best.ci_high]);
  return (
    `${counted(matching.length, 'arm')}; the best mean is ${best.channel} to ${best.position} with a reply rate of ` +
    `${mean} (95 % interval ${low} to ${high}), the best of these with probability ${percent(best.probability_best)}.`
  );
}

/** The best arm is no advice where its channel was given up: what is told of it is how it was. */
function idleWords(best: ArmRecord | undefined, idle: readonly ChannelUse[]): string {
  const use = best && ofChannel(best, idle);
  return use
    ? ` Nothing has been sent${PLACES[use.channel]} since ${use.last_sent_on}: its arms tell how it was then.`
    : '';
}

function ofChannel({ channel }: ArmRecord, uses: readonly ChannelUse[]): ChannelUse | undefined {
  return uses.find((use) => use.channel === channel);
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
