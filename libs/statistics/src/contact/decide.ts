import { requireDomain } from '../numerics/stats-domain-error';
import type { ContactPrediction } from './contact-model';

export type ContactAction = 'send' | 'wait' | 'switch_channel' | 'stop';
export type StopReason = 'replied' | 'unsubscribed' | 'bounced' | 'sequence_exhausted';

/** Everything a decision rests on; kept with it, so that it can be computed again. */
export interface ContactSnapshot {
  /** null while the contact is at risk: neither replied, unsubscribed nor bounced everywhere */
  readonly ended: Exclude<StopReason, 'sequence_exhausted'> | null;
  /** channel of the last touch; null for a contact never touched */
  readonly currentChannel: string | null;
  /** next step of the sequence, zero-indexed */
  readonly nextStep: number;
  readonly maxSteps: number;
  /** whole days since the last touch; null for a contact never touched */
  readonly daysSinceLastTouch: number | null;
  /** days to leave between touches */
  readonly minGapDays: number;
  /** what each usable channel promises for the next touch */
  readonly options: readonly { readonly channel: string; readonly prediction: ContactPrediction }[];
}

export interface ContactDecision {
  readonly action: ContactAction;
  readonly channel: string | null;
  readonly step: number | null;
  readonly probability: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly waitDays: number;
  readonly stopReason: StopReason | null;
}

/** Another channel must promise this much more before a contact is moved: moving has a price too. */
const SWITCH_FACTOR = 1.25;

const stop = (stopReason: StopReason): ContactDecision => ({
  action: 'stop',
  channel: null,
  step: null,
  probability: null,
  low: null,
  high: null,
  waitDays: 0,
  stopReason,
});

/**
 * What to do next with one contact. A pure function of the snapshot: the same snapshot gives the same bytes.
 *
 * Shapes: one record in, one record out.
 * @param snapshot - the frozen state; steps zero-indexed, times in whole days
 * @returns `stop` once the contact has left the risk set or the sequence is over, `wait` inside the gap,
 * `switch_channel` where another channel promises a quarter more, else `send`
 * @throws StatsDomainError with code `size` or `range`
 *
 * Reference: a rule of this service, stated in full above.
 *
 * @example
 * decideContact({ ended: 'replied', currentChannel: 'email', nextStep: 1, maxSteps: 4, daysSinceLastTouch: 2, minGapDays: 3, options: [] }).action; // 'stop'
 */
export function decideContact(snapshot: ContactSnapshot): ContactDecision {
  const { ended, currentChannel, nextStep, maxSteps, daysSinceLastTouch, minGapDays, options } = snapshot;
  requireDomain(
    nextStep >= 0 && minGapDays >= 0 && (daysSinceLastTouch ?? 0) >= 0,
    'range',
    'steps and days must be >= 0',
  );
  if (ended !== null) return stop(ended);
  if (nextStep >= maxSteps) return stop('sequence_exhausted');
  requireDomain(options.length > 0, 'size', 'a contact at risk needs at least one usable channel');
  const ranked = [...options].sort(
    (a, b) => b.prediction.probability - a.prediction.probability || (a.channel < b.channel ? -1 : 1),
  );
  const best = ranked[0] as (typeof ranked)[number];
  const current = options.find(({ channel }) => channel === currentChannel);
  const stays = current && best.prediction.probability < SWITCH_FACTOR * current.prediction.probability;
  const chosen = stays ? current : best;
  const waitDays = daysSinceLastTouch === null ? 0 : Math.max(0, minGapDays - daysSinceLastTouch);
  const moves = currentChannel !== null && chosen.channel !== currentChannel;
  const { probability, low, high } = chosen.prediction;
  return {
    action: waitDays > 0 ? 'wait' : moves ? 'switch_channel' : 'send',
    channel: chosen.channel,
    step: nextStep,
    probability,
    low,
    high,
    waitDays,
    stopReason: null,
  };
}
