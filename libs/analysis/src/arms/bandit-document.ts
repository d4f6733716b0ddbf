import type { ArmRecord, BanditDocument } from '@outcomes/contracts';
import { fitArms, type ArmPosterior } from '@outcomes/statistics';
import { rounded } from '../documents/rounding';
import { ENGINE_VERSION } from '../engine-version';
import { MARKET_PRIOR, type BorrowedPrior } from '../priors/platform-prior.service';
import type { ArmSums } from './arm-counts';

/** Posteriors of all arms, each pooled with the company's others. */
export function banditDocument(
  arms: readonly ArmSums[],
  dataAsOf: Date,
  borrowed: BorrowedPrior = MARKET_PRIOR,
): BanditDocument {
  const { arms: posteriors, hyper } = fitArms(
    // A reply that came faster than the curve expects is a settled message all the same.
    arms.map((arm) => ({ n: Math.max(arm.weightedTouches, arm.weightedReplies), y: arm.weightedReplies })),
    { hyperprior: borrowed.hyperprior },
  );
  return {
    data_as_of: dataAsOf.toISOString(),
    engine_version: ENGINE_VERSION,
    prior: { mean: rounded(hyper.mu), concentration: rounded(hyper.k), source: borrowed.source },
    arms: arms.flatMap((arm, index) => {
      const posterior = posteriors[index];
      return posterior === undefined ? [] : [armRecord(arm, posterior)];
    }),
  };
}

function armRecord(arm: ArmSums, posterior: ArmPosterior): ArmRecord {
  const ownDataShare = rounded(posterior.ownDataShare);
  return {
    channel: arm.channel,
    position: arm.position,
    alpha: posterior.alpha,
    beta: posterior.beta,
    posterior_mean: posterior.mean,
    posterior_variance: posterior.variance,
    ci_low: rounded(posterior.low),
    ci_high: rounded(posterior.high),
    interval_type: 'equal_tailed_95',
    data_source: arm.streamed > 0 ? 'live' : 'migration',
    observations: arm.observations,
    replies: arm.replies,
    effective_n: rounded(posterior.effectiveN),
    own_data_share: ownDataShare,
    prior_weight: rounded(1 - ownDataShare),
    immature_share: rounded(arm.immature / arm.observations),
    probability_best: rounded(posterior.pBest),
    last_outcome_at: Number.isNaN(arm.lastOutcomeAt) ? null : new Date(arm.lastOutcomeAt).toISOString(),
  };
}
