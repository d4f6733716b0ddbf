import {
  type Channel,
  CHANNELS,
  DAY_MS,
  type DecisionReplayProof,
  type NumberSource,
  type WorkflowDecision,
} from '@outcomes/contracts';
import type { ContactStanding } from '@outcomes/persistence';
import type { DecisionInputs, DecisionReason, DecisionResult } from '@outcomes/statistics';
import { cleanText } from '../text/clean-text';
import type { SettledDays } from '../runs/settled-days';
import { sixDigits } from '../text/six-digits';
import type { DecisionRow } from '../decisions/decision-row';

/** Fixed words: no text of a tenant can get in here. */
const RATIONALES: Readonly<Record<DecisionReason, string>> = {
  replied: 'The contact has replied or booked a meeting: go on by hand, outside the sequence.',
  unsubscribed: 'The contact unsubscribed.',
  bounced: 'The address bounced, and no reply had come from it since.',
  sequence_exhausted: 'The contact has had every message of the sequence without an answer.',
  resting: 'The newest message is too fresh: leave the contact some days.',
  learning:
    'Chosen to learn: by the means alone the message would take another channel, but which is best is not certain.',
  better_channel: 'The other channel promises at least a quarter more replies from this contact.',
  next_step: 'No answer yet, and nothing speaks against another message on this channel.',
};

/** Where nothing is known of the current channel's rate, there is nothing to be a quarter more than. */
const MOST_PROMISING =
  'No reply rate of the current channel is known; of the channels with a known rate this one promises the most.';

/** Of what was known of the company: how far each posterior rested on its own outcomes. */
interface ModelArms {
  readonly arms: readonly {
    readonly channel: string;
    readonly position: string;
    readonly own_data_share?: number;
  }[];
}

/**
 * What a frozen decision says, in the form that is served. Everything comes from the frozen bytes but the outcome, and
 * whether the contact may still be written to.
 * @param model - body of the model that it was made with
 * @param proves - whether the frozen bytes themselves come with it
 * @param settled - of every channel
 */
export function decisionRecord(
  row: DecisionRow,
  model: string | undefined,
  proves: boolean,
  settled: readonly SettledDays[],
): WorkflowDecision {
  const inputs = JSON.parse(row.inputs) as DecisionInputs;
  const result = JSON.parse(row.result) as DecisionResult;
  const channel = channelOf(result.channel ?? inputs.currentChannel);
  const step = result.step ?? inputs.currentStep;
  const notBefore = notBeforeOf(row, inputs, result);
  return {
    decision_id: row.decisionId,
    decided_at: row.decidedAt.toISOString(),
    contact_id: cleanText(row.contactId),
    campaign_id: row.campaignId === null ? null : cleanText(row.campaignId),
    thread_id: cleanText(row.threadId),
    channel,
    sequence_step: step,
    action: result.action,
    rationale: rationaleOf(result, inputs),
    confidence: sixDigits(confidenceOf(result, inputs, model)),
    exploration: result.exploration,
    position: inputs.position,
    pattern_codes: result.patternCodes,
    outcome: row.next?.outcome ?? null,
    outcome_at: row.next?.outcomeAt.toISOString() ?? null,
    settled: hasSettled(row, settled),
    data_source: sourceOf(result, inputs),
    not_before: notBefore?.toISOString() ?? null,
    reply_probability: {
      value: sixDigits(result.probability),
      ci_low: sixDigits(result.low),
      ci_high: sixDigits(result.high),
    },
    propensity: sixDigits(result.propensity),
    tone: result.tone,
    daypart: result.daypart,
    weekday: result.weekday,
    followed: followed(row, result, notBefore),
    replay: proves ? proofOf(row, inputs.seed) : null,
    can_contact: canContact(row.standing),
    block_reasons: row.standing.blockReasons,
  };
}

function rationaleOf({ reason }: DecisionResult, { candidates, currentChannel }: DecisionInputs): string {
  if (reason !== 'better_channel' || candidates.some(({ channel }) => channel === currentChannel))
    return RATIONALES[reason];
  return MOST_PROMISING;
}

/** An answer is one at once; silence only when the send day has settled, which is one by the clock of the sender. */
function hasSettled({ next }: DecisionRow, settled: readonly SettledDays[]): boolean | null {
  if (next === null) return null;
  const days = settled.find(({ channel }) => channel === next.channel);
  return next.outcome !== 'no_response' || (days !== undefined && next.sentDay <= days.through);
}

function canContact({ isKnown, blockReasons }: ContactStanding): boolean | null {
  if (blockReasons.length > 0) return false;
  return isKnown ? true : null;
}

/** A stop rests on a fact. A chance is no surer than the share of it that the company's own outcomes carry. */
function confidenceOf({ channel }: DecisionResult, { position }: DecisionInputs, model = ''): number {
  return channel === null ? 1 : ownDataShare(model, channel, position);
}

/**
 * How far the posterior of an arm rested on the company's own outcomes when a decision was made.
 * @param model - body of the model, or nothing where it is gone
 * @returns 0 to 1; 0 for a channel that had never been used for the position
 */
export function ownDataShare(model: string, channel: string, position: string): number {
  if (model === '') return 0;
  const { arms } = JSON.parse(model) as ModelArms;
  return arms.find((arm) => arm.channel === channel && arm.position === position)?.own_data_share ?? 0;
}

function proofOf(row: DecisionRow, seed: number): DecisionReplayProof {
  return {
    run_id: row.runId,
    engine_version: row.engineVersion,
    seed,
    inputs: row.inputs,
    inputs_sha256: row.inputsSha256,
    result: row.result,
    result_sha256: row.resultSha256,
    model_sha256: row.modelSha256,
  };
}

/** A stop rests on what the contact did; a chance on its position and step over the company. */
function sourceOf({ channel }: DecisionResult, { candidates }: DecisionInputs): NumberSource {
  return channel === null ? 'own' : sourceOfChannel(channel, candidates);
}

export function sourceOfChannel(channel: string, candidates: DecisionInputs['candidates']): NumberSource {
  return candidates.find((candidate) => candidate.channel === channel)?.source === 'segment'
    ? 'segment'
    : 'company';
}

function notBeforeOf(row: DecisionRow, inputs: DecisionInputs, result: DecisionResult): Date | null {
  if (result.action === 'stop') return null;
  if (result.waitDays === 0) return row.decidedAt;
  const rest = (inputs.daysSinceLastTouch + result.waitDays) * DAY_MS;
  return new Date((row.lastSentAt ?? row.decidedAt).getTime() + rest);
}

function followed({ next }: DecisionRow, result: DecisionResult, notBefore: Date | null): boolean | null {
  if (next === null) return null;
  return (
    notBefore !== null &&
    next.channel === result.channel &&
    next.step === result.step &&
    next.sentAt >= notBefore
  );
}

function channelOf(name: string): Channel {
  return CHANNELS.find((channel) => channel === name) ?? 'email';
}
