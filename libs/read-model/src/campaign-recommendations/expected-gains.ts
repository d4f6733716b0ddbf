import {
  adviceKindOf,
  idleChannels,
  levelIndex,
  levelIndexesOf,
  PATTERN_CATALOGUE,
  VOLUME_DAYS,
  type AdviceKind,
  type Channel,
  type ChannelVolume,
  type PatternDefinition,
  type PatternEvidence,
  type Recommendation,
} from '@outcomes/contracts';
import { expectedGain, ratesAtOdds } from '@outcomes/statistics';
import type { DatedFrame } from '../runs/dated-frame';

type Effect = Recommendation['effect'];

/** The messages that advice is for, and where replies to them stand. */
export interface Outlook {
  /** Per channel; undefined where no run has counted them yet. */
  readonly volumes: readonly ChannelVolume[] | undefined;
  readonly frame: DatedFrame | undefined;
  /** The only one, where one was asked for. */
  readonly channel: Channel | undefined;
}

/** Messages of one channel that a pattern's dimension speaks of. */
interface Concerned {
  readonly channel: Channel;
  readonly messages: number;
  readonly withIt: number;
  /** Reply rate of the channel since its last change; undefined where none is known. */
  readonly level: number | undefined;
}

const PATTERNS: ReadonlyMap<string, PatternDefinition> = new Map(
  PATTERN_CATALOGUE.map((pattern) => [pattern.code, pattern]),
);

export function patternOf(code: string): PatternDefinition | undefined {
  return PATTERNS.get(code);
}

/** What a code's advice is about; words, where the code is no pattern of today's catalogue. */
export function kindOf(code: string): AdviceKind {
  const pattern = patternOf(code);
  return pattern === undefined ? 'content' : adviceKindOf(pattern.dimension);
}

/** Whether advice has a use for the channel asked for: it sends messages of the kind, and is no advice to leave it. */
export function isOfUse(code: string, { volumes, frame, channel }: Outlook): boolean {
  const pattern = patternOf(code);
  if (channel === undefined || pattern === undefined) return true;
  if (kindOf(code) === 'channel') return false;
  return volumes === undefined || concernedBy(pattern, volumes, frame).length > 0;
}

/** Whether a code speaks of a channel that the company has not sent on of late: its effect is of that time. */
export function isOfIdle(code: string, frame: DatedFrame | undefined, now: Date): boolean {
  const pattern = patternOf(code);
  return (
    pattern?.dimension === 'channel' &&
    idleChannels(frame?.channels ?? [], now).some(({ channel }) => channel === pattern.level)
  );
}

/**
 * What following a piece of advice is worth in VOLUME_DAYS days at the volume of today.
 * @returns null where the volume, the effect or the level of replies is not known
 */
export function gainOf(
  code: string,
  evidence: PatternEvidence | undefined,
  { volumes, frame }: Outlook,
): Recommendation['expected_gain'] {
  const pattern = patternOf(code);
  if (pattern === undefined || volumes === undefined || !hasOdds(evidence)) return null;
  const concerned = concernedBy(pattern, volumes, frame);
  const groups = concerned.flatMap(({ messages, withIt, level }) =>
    level === undefined ? [] : [{ messages, share: withIt / messages, level }],
  );
  if (concerned.length > 0 && groups.length === 0) return null;
  const { replies, low, high } = expectedGain(groups, {
    expected: evidence.odds_ratio_expected,
    low: evidence.odds_ratio_low,
    high: evidence.odds_ratio_high,
  });
  const messages = concerned.reduce((sum, one) => sum + one.messages, 0);
  const withIt = concerned.reduce((sum, one) => sum + one.withIt, 0);
  return {
    ...{ replies, ci_low: low, ci_high: high, days: VOLUME_DAYS, messages },
    share_with: messages > 0 ? withIt / messages : null,
  };
}

/**
 * Rates of a claim on one channel: at its own level of replies, for its own share of messages with the pattern.
 * @returns undefined where one of them is not known: then the rates over all channels are the best there are
 */
export function effectOn(
  code: string,
  evidence: PatternEvidence | undefined,
  { volumes, frame, channel }: Outlook,
):
  Pick<Effect, 'with_rate' | 'without_rate' | 'level_since' | 'lift' | 'lift_low' | 'lift_high'> | undefined {
  const pattern = patternOf(code);
  if (channel === undefined || pattern === undefined || !hasOdds(evidence)) return undefined;
  const [one] = concernedBy(pattern, volumes ?? [], frame);
  const level = one?.level;
  if (one === undefined || level === undefined) return undefined;
  const at = (oddsRatio: number) => ratesAtOdds(level, one.withIt / one.messages, oddsRatio);
  const [middle, low, high] = [
    at(evidence.odds_ratio),
    at(evidence.odds_ratio_low),
    at(evidence.odds_ratio_high),
  ];
  const { with_rate, without_rate } = evidence;
  return {
    with_rate: { value: middle.with, ci_low: low.with, ci_high: high.with, n: with_rate.n },
    without_rate: { value: middle.without, ci_low: high.without, ci_high: low.without, n: without_rate.n },
    level_since: changeOf(frame, channel) ?? null,
    lift: middle.with / middle.without - 1,
    lift_low: low.with / low.without - 1,
    lift_high: high.with / high.without - 1,
  };
}

/** Channels on which messages of the pattern's dimension are sent. */
function concernedBy(
  { dimension, level }: PatternDefinition,
  volumes: readonly ChannelVolume[],
  frame: DatedFrame | undefined,
): Concerned[] {
  const [own, all] = [levelIndex(dimension, level), levelIndexesOf(dimension)];
  return volumes.flatMap(({ channel, levels }) => {
    const messages = all.reduce((sum, index) => sum + (levels[index] ?? 0), 0);
    return messages === 0
      ? []
      : [{ channel, messages, withIt: levels[own] ?? 0, level: levelOn(frame, channel) }];
  });
}

/** A rate of 0 or 1 leaves no room for an effect. */
function levelOn(frame: DatedFrame | undefined, name: Channel): number | undefined {
  const value = frame?.channels?.find(({ channel }) => channel === name)?.rate.value ?? 0;
  return value > 0 && value < 1 ? value : undefined;
}

function changeOf(frame: DatedFrame | undefined, name: Channel): string | undefined {
  return frame?.channels?.find(({ channel }) => channel === name)?.changes.at(-1)?.since;
}

/** Records that an earlier version left do not say what to expect. */
function hasOdds(evidence: Partial<PatternEvidence> | undefined): evidence is PatternEvidence {
  return [evidence?.odds_ratio_low, evidence?.odds_ratio_high, evidence?.odds_ratio_expected].every(
    (odds) => odds !== undefined && odds > 0,
  );
}
