import { CHANNELS, POSITIONS, type ArmRecord, type BanditDocument, type Channel } from '@outcomes/contracts';
import {
  ENGINE_VERSION,
  bestArmProbabilities,
  expit,
  fitRates,
  forwardArms,
  memoryDays,
  widen,
  type ArmCounts,
  type ForwardArm,
  type RatePosterior,
} from '@outcomes/statistics';
import type { ChannelFindings } from '../changes/analyse-channel';
import { isoDay } from '../cohorts/days';
import { rounded } from '../documents/rounding';
import { MARKET_PRIOR, type BorrowedPrior } from '../priors/platform-prior.service';
import type { ArmSums } from './arm-counts';
import { channelCampaigns } from './channel-campaigns';

/** An arm with the counts that its posterior rests on. */
interface CountedArm {
  readonly arm: ArmSums;
  readonly findings: ChannelFindings;
  readonly counts: ArmCounts;
}

/** Counts as the arms' memory weighs them, of all arms with data. */
export function armCountsOf(arms: readonly ArmSums[], channels: readonly ChannelFindings[]): ArmCounts[] {
  return countedArms(arms, channels).map(({ counts }) => counts);
}

/**
 * Posteriors of all arms: of the mean rate of the next 30 days, each arm pooled with the others of its channel.
 * @param observedUntil - days since 1970-01-01
 */
export function banditDocument(
  arms: readonly ArmSums[],
  channels: readonly ChannelFindings[],
  { dataAsOf, observedUntil }: { readonly dataAsOf: Date; readonly observedUntil: number },
  borrowed: BorrowedPrior = MARKET_PRIOR,
): BanditDocument {
  const counted = countedArms(arms, channels);
  const { hyperprior } = borrowed;
  const company = fitRates(
    counted.map(({ counts }) => counts),
    { hyperprior },
  );
  const used = channels.filter((findings) => counted.some((one) => one.findings === findings));
  const fits = used.map((findings) => {
    const own = counted.filter((one) => one.findings === findings);
    const data = own.map(({ counts }) => counts);
    const fit = forwardArms(data, findings.variances, { hyperprior });
    const plain = borrowed.source === 'market' ? fit : fitRates(data);
    return {
      channel: CHANNELS[findings.channel] as Channel,
      unseen: widen(fit.unseen, findings.variances.target),
      arms: own.map((one, place) => ({
        ...one,
        posterior: fit.arms[place] as ForwardArm,
        marketMean: (plain.arms[place] as RatePosterior).mean,
      })),
    };
  });
  const posteriors = fits.flatMap(({ arms: own }) => own);
  // Which arm is best is asked of what is known, before it is widened by what may come.
  const best =
    posteriors.length === 0 ? [] : bestArmProbabilities(posteriors.map(({ posterior }) => posterior));
  return {
    data_as_of: dataAsOf.toISOString(),
    engine_version: ENGINE_VERSION,
    prior: {
      mean: rounded(company.hyper.mu),
      concentration: rounded(company.hyper.k),
      source: borrowed.source,
      expected_rate: rounded(expit(hyperprior.logitMean)),
    },
    arms: posteriors.map((one, place) => armRecord(one, best[place] ?? 0, observedUntil)),
    known: posteriors.map(({ arm: { channel, position }, posterior: { alpha, beta } }) => ({
      channel,
      position,
      alpha,
      beta,
    })),
    unused: {
      channels: fits.map(({ channel, unseen }) => ({ channel, ...unseen })),
      // Of no channel in particular: as much may come as of the one that moves most.
      company: widen(company.unseen, Math.max(0, ...used.map(({ variances }) => variances.target))),
    },
    campaigns: channels.map((findings) =>
      channelCampaigns(
        findings,
        posteriors.filter((one) => one.findings === findings),
      ),
    ),
  };
}

function countedArms(arms: readonly ArmSums[], channels: readonly ChannelFindings[]): CountedArm[] {
  return arms.flatMap((arm) => {
    const findings = channels.find(({ channel }) => CHANNELS[channel] === arm.channel);
    const counts = findings?.arms[POSITIONS.indexOf(arm.position)];
    return findings === undefined || counts === undefined ? [] : [{ arm, findings, counts }];
  });
}

/** An arm with what is known of it, and its mean had no other company lent anything. */
interface FittedArm extends CountedArm {
  readonly posterior: ForwardArm;
  readonly marketMean: number;
}

function armRecord(
  { arm, findings, posterior, marketMean }: FittedArm,
  probabilityBest: number,
  observedUntil: number,
): ArmRecord {
  const { target, current } = posterior;
  const { dataFrom, weights, variances } = findings;
  const ownDataShare = rounded(posterior.ownDataShare);
  return {
    channel: arm.channel,
    position: arm.position,
    interval_target: 'next_30_days_mean_rate',
    alpha: target.alpha,
    beta: target.beta,
    posterior_mean: target.alpha / (target.alpha + target.beta),
    posterior_variance: varianceOf(target),
    ci_low: rounded(target.low),
    ci_high: rounded(target.high),
    interval_type: 'equal_tailed_95',
    current_low: rounded(current.low),
    current_high: rounded(current.high),
    data_from: isoDay(dataFrom),
    memory_days: rounded(memoryDays(weights.halfLives, Math.min(dataFrom, observedUntil), observedUntil)),
    forward_sd: rounded(Math.sqrt(variances.target)),
    data_source: arm.streamed > 0 ? 'live' : 'migration',
    observations: arm.observations,
    replies: arm.replies,
    effective_n: rounded(posterior.effectiveN),
    own_data_share: ownDataShare,
    prior_weight: rounded(1 - ownDataShare),
    market_mean: rounded(marketMean),
    immature_share: rounded(arm.immature / arm.observations),
    probability_best: rounded(probabilityBest),
    last_outcome_at: Number.isNaN(arm.lastOutcomeAt) ? null : new Date(arm.lastOutcomeAt).toISOString(),
  };
}

function varianceOf({ alpha, beta }: { readonly alpha: number; readonly beta: number }): number {
  const size = alpha + beta;
  return (alpha * beta) / (size * size * (size + 1));
}
