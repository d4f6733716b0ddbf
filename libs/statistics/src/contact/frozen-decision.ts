import { armInCampaign, type CampaignRecord } from '../arms/campaign-factor';
import { incompleteBeta } from '../numerics/incomplete-beta';
import { betaQuantile } from '../numerics/beta-quantile';
import { expit, logit } from '../numerics/logistic';
import { requireDomain } from '../numerics/stats-domain-error';
import { drawBeta } from '../random/samplers';
import { seededRng } from '../random/rng';
import { type ContactModel, predictContact } from './contact-model';
import { type ContactAction, type ContactSnapshot, decideContact, type StopReason } from './decide';

/** What was known of one contact when a decision was made. Holds no identifier and no text of the tenant. */
export interface DecisionInputs {
  /** seed of the draws, a whole number */
  readonly seed: number;
  readonly ended: ContactSnapshot['ended'];
  readonly currentChannel: string;
  /** zero-indexed step of the newest message */
  readonly currentStep: number;
  /** whole days since the newest message */
  readonly daysSinceLastTouch: number;
  readonly position: string;
  /** history features, as many as the contact model has */
  readonly features: readonly number[];
  /** posterior of every usable channel for this position */
  readonly candidates: readonly Candidate[];
}

/** A usable channel. */
export interface Candidate {
  readonly channel: string;
  readonly alpha: number;
  readonly beta: number;
  /** the contact's campaign on this channel: the posterior is taken inside it; absent where campaigns say nothing */
  readonly campaign?: CampaignRecord;
  /** what the posterior rests on; told with the decision, and no part of the computation */
  readonly source?: string;
}

/** What was known of the company: the same for all decisions of a run. */
export interface DecisionModel {
  readonly policy: { readonly maxSteps: number; readonly minGapDays: number };
  readonly contact: ContactModel | null;
  readonly patterns: {
    readonly codes: readonly string[];
    readonly tone: string | null;
    readonly daypart: string | null;
    readonly weekday: string | null;
  };
}

export type DecisionReason = StopReason | 'resting' | 'learning' | 'better_channel' | 'next_step';

export interface DecisionResult {
  readonly action: ContactAction;
  readonly reason: DecisionReason;
  readonly channel: string | null;
  readonly step: number | null;
  readonly waitDays: number;
  /** reply chance of the next message, and its 95 % interval; null where there is to be none */
  readonly probability: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** chance with which these inputs lead to this channel, over all seeds; 1 for a stop */
  readonly propensity: number;
  /** the draws chose another channel than the means would have */
  readonly exploration: boolean;
  readonly patternCodes: readonly string[];
  readonly tone: string | null;
  readonly daypart: string | null;
  readonly weekday: string | null;
}

/** Midpoints of equal mass that a propensity is averaged over: exact to about 1e-4. */
const NODES = 64;
/** The rule of `decideContact`: another channel must promise a quarter more. */
const SWITCH_FACTOR = 1.25;
const TINY = 1e-12;

/**
 * Makes the decisions of one run: Thompson sampling among the channels, within the rules of `decideContact`.
 *
 * Each channel's posterior, inside the contact's campaign, is drawn from once, with the seed of the inputs; the rules then see the draws instead of
 * the means. What is promised is the mean and interval of the channel chosen, never the draw. The same model and
 * inputs give the same result, bit for bit.
 *
 * Shapes: one model in, one function from one record to one record out.
 * @param model - contact model, policy and supported patterns of the run
 * @returns function of `DecisionInputs`; it throws StatsDomainError as `decideContact` and `predictContact` do
 * @throws StatsDomainError with code `range`
 *
 * Reference: Russo et al. (2018), A Tutorial on Thompson Sampling, Foundations and Trends in Machine Learning 11, 1.
 *
 * @example
 * contactDecider({ policy: { maxSteps: 8, minGapDays: 2 }, contact: null, patterns: { codes: [], tone: null, daypart: null, weekday: null } })({ seed: 1, ended: null, currentChannel: 'email', currentStep: 0, daysSinceLastTouch: 3, position: 'vp', features: [0], candidates: [{ channel: 'email', alpha: 5, beta: 95 }] }).probability; // 0.05
 */
export function contactDecider(model: DecisionModel): (inputs: DecisionInputs) => DecisionResult {
  const { maxSteps, minGapDays } = model.policy;
  requireDomain(maxSteps > 0 && minGapDays >= 0, 'range', 'a policy needs steps and a gap');
  // Contacts of one position and step share their posteriors, and the integral is the costly part.
  const known = new Map<string, number>();
  return (inputs) => {
    const candidates = inputs.candidates.map(inItsCampaign);
    const predicted = candidates.map(({ channel, alpha, beta }) => ({
      channel,
      prediction: predictContact(model.contact, { alpha, beta }, inputs.features),
    }));
    const shift = shiftOf(model.contact, inputs.features);
    const rng = seededRng(inputs.seed);
    const drawn = candidates.map(({ channel, alpha, beta }, i) => ({
      channel,
      prediction: {
        ...(predicted[i] as (typeof predicted)[number]).prediction,
        probability: moved(drawBeta(rng, alpha, beta), shift),
      },
    }));
    const snapshot = {
      ended: inputs.ended,
      currentChannel: inputs.currentChannel,
      nextStep: inputs.currentStep + 1,
      maxSteps,
      daysSinceLastTouch: inputs.daysSinceLastTouch,
      minGapDays,
    };
    const { action, channel, step, waitDays, stopReason } = decideContact({ ...snapshot, options: drawn });
    if (stopReason !== null || channel === null) return stopped(stopReason ?? 'sequence_exhausted');
    const exploration = decideContact({ ...snapshot, options: predicted }).channel !== channel;
    const promise = predicted.find((option) => option.channel === channel)?.prediction;
    const key = JSON.stringify([channel, inputs.currentChannel, shift, candidates]);
    const propensity = known.get(key) ?? propensityOf(channel, { ...inputs, candidates }, shift);
    known.set(key, propensity);
    return {
      action,
      reason: reasonOf(action, exploration),
      channel,
      step,
      waitDays,
      probability: promise?.probability ?? null,
      low: promise?.low ?? null,
      high: promise?.high ?? null,
      propensity,
      exploration,
      patternCodes: model.patterns.codes,
      tone: model.patterns.tone,
      daypart: model.patterns.daypart,
      weekday: model.patterns.weekday,
    };
  };
}

/** The posterior of a channel for this contact: inside its campaign, where one is known. */
function inItsCampaign({ channel, alpha, beta, campaign }: Candidate): Candidate {
  return { channel, ...(campaign ? armInCampaign({ alpha, beta }, campaign) : { alpha, beta }) };
}

function stopped(reason: StopReason): DecisionResult {
  return {
    action: 'stop',
    reason,
    channel: null,
    step: null,
    waitDays: 0,
    probability: null,
    low: null,
    high: null,
    propensity: 1,
    exploration: false,
    patternCodes: [],
    tone: null,
    daypart: null,
    weekday: null,
  };
}

function reasonOf(action: ContactAction, exploration: boolean): DecisionReason {
  if (action === 'wait') return 'resting';
  if (exploration) return 'learning';
  return action === 'switch_channel' ? 'better_channel' : 'next_step';
}

/** What the contact's history adds to every channel alike, on the log-odds scale. */
function shiftOf(contact: ContactModel | null, features: readonly number[]): number {
  return contact === null
    ? 0
    : features.reduce((sum, x, j) => sum + x * (contact.coefficients[j] as number), 0);
}

function moved(rate: number, shift: number): number {
  return shift === 0 ? rate : expit(logit(inside(rate)) + shift);
}

function inside(rate: number): number {
  return Math.min(1 - TINY, Math.max(TINY, rate));
}

/** Chance that the draws lead to `chosen`: its own posterior, times that all others draw below what they would need. */
function propensityOf(chosen: string, { candidates, currentChannel }: DecisionInputs, shift: number): number {
  const own = candidates.find(({ channel }) => channel === chosen);
  const others = candidates.filter(({ channel }) => channel !== chosen);
  if (own === undefined || others.length === 0) return 1;
  let total = 0;
  for (let node = 0; node < NODES; node++) {
    const promise = moved(betaQuantile((node + 0.5) / NODES, own.alpha, own.beta), shift);
    total += others.reduce((product, { channel, alpha, beta }) => {
      const factor =
        chosen === currentChannel ? SWITCH_FACTOR : channel === currentChannel ? 1 / SWITCH_FACTOR : 1;
      const bound = promise * factor;
      return bound >= 1 ? product : product * incompleteBeta(moved(bound, -shift), alpha, beta);
    }, 1);
  }
  return total / NODES;
}

/** A stored decision: the texts are what was frozen, byte for byte. */
export interface FrozenDecision {
  readonly model: string;
  readonly inputs: string;
  readonly result: string;
}

export interface Replay {
  /** what the stored inputs lead to now, as text */
  readonly result: string;
  readonly identical: boolean;
}

/**
 * Recomputes a frozen decision from its own stored inputs and model, and holds the bytes against what was stored.
 *
 * Nothing that came later is looked at: no data, no clock, no posterior of today.
 *
 * Shapes: three texts in, one text and one verdict out.
 * @param decision - model, inputs and result as they were stored, JSON
 * @param decide - decisions under that model, where many of one model are replayed
 * @returns the recomputed result, and whether it equals the stored one byte for byte
 * @throws StatsDomainError with code `range`, `size` or `shape`, where the stored inputs are none that led to a decision
 *
 * Reference: a rule of this service: recomputing from the snapshot gives the same bytes.
 *
 * @example
 * replayDecision({ model: '{"policy":{"maxSteps":8,"minGapDays":2},"contact":null,"patterns":{}}', inputs: '{"seed":1,"ended":"replied","currentStep":0,"features":[],"candidates":[]}', result: '{}' }).identical; // false
 */
export function replayDecision(
  decision: FrozenDecision,
  decide: (inputs: DecisionInputs) => DecisionResult = contactDecider(
    JSON.parse(decision.model) as DecisionModel,
  ),
): Replay {
  const result = JSON.stringify(decide(JSON.parse(decision.inputs) as DecisionInputs));
  return { result, identical: result === decision.result };
}
