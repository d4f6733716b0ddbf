import {
  ACTIVE_DAYS,
  type ArmRecord,
  type BanditDocument,
  type Channel,
  type ChannelUse,
  idleChannels,
  type RecipientIntelligence,
  type WorkflowDecision,
} from '@outcomes/contracts';
import type { BlockReason } from '@outcomes/persistence';
import { betaInterval, contactDecider, type DecisionInputs, type DecisionModel } from '@outcomes/statistics';
import { PLACES } from '../frame/trust-table';
import { decisionRecord, ownDataShare, sourceOfChannel } from '../workflow-decisions/decision-record';
import type { DecisionPage } from '../decisions/decision.repository';
import { sixDigits } from '../text/six-digits';
import type { ContactFacts, ContactHistory } from '../touches/contact.repository';
import { addDays, dayOf } from '../touches/day';

const BECAUSE: Readonly<Record<BlockReason, string>> = {
  unsubscribed: 'The contact unsubscribed: do not write again, on any channel.',
  bounced: 'The address bounced, and no reply has come from it since.',
};

/** From here on a posterior is that of the contact's position rather than of the company, as in decisions. */
const OWN_SHARE = 0.5;

type Likelihood = RecipientIntelligence['reply_likelihood'];
type Advice = RecipientIntelligence['next_best_action'];

/** The newest decision about a contact, as it was frozen and as it is served. */
export interface NewestDecision {
  readonly record: WorkflowDecision;
  readonly inputs: DecisionInputs;
  readonly modelBody: string;
  /** Whether a message has gone to the contact since the one that it follows. */
  readonly isPast: boolean;
}

/** @param page - of the contact's decisions, newest first */
export function newestDecision({ rows: [row], models }: DecisionPage): NewestDecision | undefined {
  const model = models.find(({ model_sha256: sha256 }) => sha256 === row?.modelSha256)?.body;
  if (row === undefined || model === undefined) return undefined;
  return {
    record: decisionRecord(row, model, false, []),
    inputs: JSON.parse(row.inputs) as DecisionInputs,
    modelBody: model,
    isPast: row.isPast,
  };
}

/** Whether anything is on record: a message, an event that waits for its message, or an opt-out that outlived both. */
export function isKnown({ standing, isWrittenTo }: ContactFacts): boolean {
  return standing.isKnown || isWrittenTo || standing.blockReasons.length > 0;
}

/** Whether the contact may be written to; null where nothing is known of it, which is no leave to write. */
export function canContact(facts: ContactFacts): boolean | null {
  if (facts.standing.blockReasons.length > 0) return false;
  return isKnown(facts) ? true : null;
}

/**
 * What to do about a contact: what was decided, in the words of the decision, and nothing that was not. What happened
 * since comes first: whoever unsubscribed, bounced or answered has left the sequence, and a message that has gone
 * out needs no second one before it has been thought about. Of a stranger nothing says that writing is allowed: the
 * opt-out may stand in the caller's own records. A channel that nothing has been sent on since the decision, for so long that
 * none would be for it today, is nowhere to write.
 * @param now - time of the answer
 * @param channels - when each was last sent on, by the newest run
 */
export function adviceFor(
  facts: ContactFacts,
  decision: Pick<NewestDecision, 'record' | 'isPast'> | undefined,
  now: Date,
  channels: readonly ChannelUse[] = [],
): Advice {
  const reasons = facts.standing.blockReasons;
  if (reasons.length > 0) return stop(reasons.map((reason) => BECAUSE[reason]).join(' '));
  if (!isKnown(facts)) {
    return wait(
      'Nothing is known of this contact: check its id, and your own opt-out records, before anybody writes.',
    );
  }
  if (facts.hasAnswered && decision?.record.action !== 'stop')
    return stop('The contact has replied or booked a meeting: go on by hand, outside the sequence.');
  if (decision === undefined || decision.isPast) {
    if (!isActive(facts, now)) return wait(undecided(facts));
    return wait(
      decision === undefined
        ? 'Nothing has been decided about this contact yet: the next analysis does.'
        : 'A message has gone to the contact since the newest decision: the next analysis decides anew.',
    );
  }
  const { record } = decision;
  const idle = idleChannels(channels, now).find(({ channel }) => channel === record.channel);
  if (idle !== undefined && record.action !== 'stop') return wait(leftIdle(idle));
  return {
    action: record.action,
    channel: record.action === 'stop' ? null : record.channel,
    sequence_step: record.action === 'stop' ? null : record.sequence_step,
    not_before: record.not_before,
    rationale: record.rationale,
    pattern_codes: record.pattern_codes,
    decision_id: record.decision_id,
    decided_at: record.decided_at,
  };
}

/** Whether the analysis of the next day still decides about the contact. */
function isActive({ lastSentAt }: ContactFacts, now: Date): boolean {
  return lastSentAt !== null && dayOf(lastSentAt) > addDays(dayOf(now), -ACTIVE_DAYS);
}

function undecided({ lastSentAt }: ContactFacts): string {
  const last =
    lastSentAt === null ? 'no message is on record' : `the newest message is of ${dayOf(lastSentAt)}`;
  return `Analyses decide only about contacts written to in the last ${ACTIVE_DAYS} days, and ${last}: decide by hand whether to write; the analysis after that message decides what follows.`;
}

function leftIdle({ channel, last_sent_on }: ChannelUse): string {
  return `The decision was for a message${PLACES[channel]}, where the newest message of the company is of ${last_sent_on}: what was known of replies there is old. Decide by hand whether and where to write; the analysis after that message decides what follows.`;
}

/**
 * Chance of a reply to the next message: what the decision states of its channel, or what the same model would have
 * stated of another. Where there is no decision, or there is to be no message, it is that of the contact's own arm, on the
 * channel asked for or of the newest message; without such an arm what is known of one of the channel asked for that was
 * never used where there is no decision, else of one of whichever channel. Without a run nothing is claimed.
 * @param asked - channel of the caller's
 * @param contact - left out where nothing was ever sent to it
 */
export function replyLikelihood(
  bandit: BanditDocument | undefined,
  decision: NewestDecision | undefined,
  asked: Channel | undefined,
  contact?: Pick<ContactHistory, 'position' | 'lastChannel'>,
): Likelihood {
  if (decision === undefined) return ofOwnArm(bandit, asked, contact) ?? ofAnyArm(bandit, asked);
  const channel = asked ?? decision.record.channel;
  const chance = chanceOn(channel, decision);
  if (!chance)
    return ofOwnArm(bandit, asked, contact) ?? ofAnyArm(bandit, chance === null ? undefined : asked);
  const { inputs, modelBody } = decision;
  const arm = bandit?.arms.find(
    (one: ArmRecord) => one.channel === channel && one.position === inputs.position,
  );
  return {
    channel,
    ...chance,
    sample_size: arm?.observations ?? 0,
    data_source: sourceOfChannel(channel, inputs.candidates),
    own_data_share: sixDigits(ownDataShare(modelBody, channel, inputs.position)),
  };
}

/** @returns null where no message is to follow; undefined of a channel that nothing was weighed for */
function chanceOn(
  channel: Channel,
  { record, inputs, modelBody }: NewestDecision,
): WorkflowDecision['reply_probability'] | null | undefined {
  if (record.action !== 'stop' && channel === record.channel) return record.reply_probability;
  const candidates = inputs.candidates.filter((candidate) => candidate.channel === channel);
  if (candidates.length === 0) return record.action === 'stop' ? null : undefined;
  const decide = contactDecider(JSON.parse(modelBody) as DecisionModel);
  const { probability, low, high } = decide({
    ...inputs,
    currentChannel: channel,
    candidates,
  });
  if (probability === null) return null;
  return { value: sixDigits(probability), ci_low: sixDigits(low), ci_high: sixDigits(high) };
}

/** What decisions rest on too: the arm of the contact's position, of which its messages are a part. */
function ofOwnArm(
  bandit: BanditDocument | undefined,
  asked: Channel | undefined,
  contact: Pick<ContactHistory, 'position' | 'lastChannel'> | undefined,
): Likelihood | undefined {
  if (!contact?.lastChannel) return undefined;
  const channel = asked ?? contact.lastChannel;
  const arm = bandit?.arms.find((one) => one.channel === channel && one.position === contact.position);
  return (
    arm && {
      channel,
      ...{ value: arm.posterior_mean, ci_low: arm.ci_low, ci_high: arm.ci_high },
      sample_size: arm.observations,
      data_source: arm.own_data_share >= OWN_SHARE ? 'segment' : 'company',
      own_data_share: arm.own_data_share,
    }
  );
}

function ofAnyArm(bandit: BanditDocument | undefined, asked: Channel | undefined): Likelihood {
  if (!bandit || bandit.arms.length === 0) {
    return {
      channel: null,
      value: null,
      ci_low: null,
      ci_high: null,
      sample_size: 0,
      data_source: 'prior',
      own_data_share: 0,
    };
  }
  const ofChannel = bandit.unused?.channels.find(({ channel }) => channel === asked);
  const { alpha, beta } = ofChannel ?? bandit.unused?.company ?? priorShape(bandit);
  const { low, high } = betaInterval(alpha, beta, 0.95);
  const behind = ofChannel ? bandit.arms.filter(({ channel }) => channel === asked) : bandit.arms;
  return {
    channel: ofChannel?.channel ?? null,
    value: alpha / (alpha + beta),
    ci_low: low,
    ci_high: high,
    sample_size: behind.reduce((sum, { observations }) => sum + observations, 0),
    data_source: 'company',
    own_data_share: 0,
  };
}

/** In a document of an earlier version: how arms lie about their mean, were both known. */
function priorShape({ prior: { mean, concentration } }: BanditDocument): { alpha: number; beta: number } {
  return { alpha: mean * concentration, beta: (1 - mean) * concentration };
}

const NOTHING_DECIDED = {
  channel: null,
  sequence_step: null,
  not_before: null,
  pattern_codes: [],
  decision_id: null,
  decided_at: null,
};

function stop(rationale: string): Advice {
  return { action: 'stop', rationale, ...NOTHING_DECIDED };
}

function wait(rationale: string): Advice {
  return { action: 'wait', rationale, ...NOTHING_DECIDED };
}
