import {
  idleChannels,
  PATTERN_CATALOGUE,
  type BanditDocument,
  type Channel,
  type ChannelUse,
  type PatternRecord,
  type Position,
} from '@outcomes/contracts';
import {
  ENGINE_VERSION,
  fitContactModel,
  type CampaignRecord,
  type DecisionInputs,
  type DecisionModel,
} from '@outcomes/statistics';
import { DECISION_POLICY } from './decision-policy';

/** Matured messages and replies of one (channel, position, step bucket). */
export interface StepCount {
  readonly channel: Channel;
  readonly position: Position;
  readonly bucket: number;
  readonly touches: number;
  readonly replies: number;
}

/** Everything that all decisions of a run share: frozen with them, and free of contacts. */
export interface FrozenModel extends DecisionModel {
  readonly engine_version: string;
  readonly data_as_of: string;
  readonly prior: BanditDocument['prior'];
  /** Channels that nobody is moved to, because nothing was sent on them of late; absent where there are none. */
  readonly idle?: readonly Channel[];
  /** Per channel, of a position that it was never used for; absent in models of earlier versions. */
  readonly unused?: NonNullable<BanditDocument['unused']>['channels'];
  readonly arms: readonly {
    readonly channel: Channel;
    readonly position: Position;
    readonly alpha: number;
    readonly beta: number;
    readonly own_data_share: number;
  }[];
}

/** From here on a posterior is that of the contact's position rather than of the company. */
const OWN_SHARE = 0.5;
/** Dimensions of the catalogue that say nothing about how to write one more message. */
const NOT_PLANNED = new Set(['channel', 'sequence_step']);

/** @param channels - when each was last sent on */
export function decisionModel(
  bandit: BanditDocument,
  patterns: readonly PatternRecord[],
  steps: readonly StepCount[],
  channels: readonly ChannelUse[] = [],
): FrozenModel {
  const idle = idleChannels(channels, new Date(bandit.data_as_of)).map(({ channel }) => channel);
  const means = new Map(bandit.arms.map((arm) => [armKey(arm.channel, arm.position), arm.posterior_mean]));
  const rows = steps.flatMap(({ channel, position, bucket, touches, replies }) => {
    const armMean = means.get(armKey(channel, position));
    return armMean === undefined ? [] : [{ armMean, x: stepFeatures(bucket), n: touches, y: replies }];
  });
  return {
    engine_version: ENGINE_VERSION,
    data_as_of: bandit.data_as_of,
    policy: DECISION_POLICY,
    prior: bandit.prior,
    ...(idle.length > 0 && { idle }),
    ...(bandit.unused && { unused: bandit.unused.channels }),
    arms: bandit.arms.map(({ channel, position, alpha, beta, own_data_share }) => ({
      channel,
      position,
      alpha,
      beta,
      own_data_share,
    })),
    contact: fitContactModel(rows),
    patterns: supportedPatterns(patterns),
  };
}

/**
 * What the next message's place in the sequence adds. Whoever is decided about was written to before, so the first
 * bucket is the one that all others are held against.
 */
export function stepFeatures(bucket: number): number[] {
  return [bucket === 1 ? 1 : 0, bucket >= 2 ? 1 : 0];
}

/**
 * Posteriors of the company's channels for a position, each with what is known of the contact's campaign there; a
 * channel never used for the position starts from what its other positions tell of one more. A channel that nothing was sent
 * on of late is none of them: its rates are of another time, and may be of a channel that the company has given up.
 * @param current - channel of the contact's newest message; the only one where no channel in use has an arm
 */
export function candidatesFor(
  { arms, idle = [], unused, prior }: FrozenModel,
  position: Position,
  current: Channel,
  campaignOn: (channel: Channel) => CampaignRecord | undefined,
): DecisionInputs['candidates'] {
  const inUse = [...new Set(arms.map(({ channel }) => channel))].filter((channel) => !idle.includes(channel));
  const channels = inUse.length > 0 ? inUse : [current];
  return channels.map((channel) => {
    const arm = arms.find((candidate) => candidate.channel === channel && candidate.position === position);
    // A document that an earlier version wrote knows no more than how all channels' arms lie about their mean.
    const { alpha, beta } = arm ??
      unused?.find((candidate) => candidate.channel === channel) ?? {
        alpha: prior.mean * prior.concentration,
        beta: (1 - prior.mean) * prior.concentration,
      };
    const campaign = campaignOn(channel);
    return {
      channel,
      alpha,
      beta,
      source: (arm?.own_data_share ?? 0) >= OWN_SHARE ? 'segment' : 'company',
      ...(campaign && { campaign }),
    };
  });
}

/** Confirmed and likely patterns worth doing more of; of tone and time the strongest. */
function supportedPatterns(records: readonly PatternRecord[]): DecisionModel['patterns'] {
  const supported = records
    .filter(({ positive, tier }) => positive === true && (tier ?? 0) >= 2)
    .flatMap(({ code }) => PATTERN_CATALOGUE.find((pattern) => pattern.code === code) ?? [])
    .filter(({ dimension }) => !NOT_PLANNED.has(dimension));
  const strongest = (dimension: string) =>
    supported.find((pattern) => pattern.dimension === dimension)?.level ?? null;
  return {
    codes: supported.map(({ code }) => code),
    tone: strongest('tone'),
    daypart: strongest('daypart'),
    weekday: strongest('weekday'),
  };
}

function armKey(channel: Channel, position: Position): string {
  return `${channel}/${position}`;
}
