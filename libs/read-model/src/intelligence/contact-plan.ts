import type {
  ArmRecord,
  BanditDocument,
  Channel,
  NextAction,
  RecipientIntelligence,
} from '@outcomes/contracts';
import { campaignRecords, type BlockReason, type KnownCampaign } from '@outcomes/persistence';
import { armInCampaign, betaInterval } from '@outcomes/statistics';
import type { ContactHistory, NewestMessage } from '../touches/contact.repository';

const DAY_MS = 86_400_000;
/** A second message within two days reads as pressure, whatever the rates say. */
const REST_DAYS = 2;

const BECAUSE: Readonly<Record<BlockReason, string>> = {
  unsubscribed: 'The contact unsubscribed: do not write again, on any channel.',
  bounced: 'The address bounced, and no reply has come from it since.',
};

type Likelihood = RecipientIntelligence['reply_likelihood'];
type Plan = Omit<RecipientIntelligence['next_best_action'], 'pattern_codes'>;

/** Whether anything is on record: a message, an event that waits for its message, or an opt-out that outlived both. */
export function isKnown({ standing, cells }: ContactHistory): boolean {
  return standing.isKnown || cells.length > 0 || standing.blockReasons.length > 0;
}

/** Whether the contact may be written to; null where nothing is known of it, which is no leave to write. */
export function canContact(history: ContactHistory): boolean | null {
  if (history.standing.blockReasons.length > 0) return false;
  return isKnown(history) ? true : null;
}

/** The arm to use: of the channel asked for, else the best mean among the channels of this position. */
export function armFor(
  bandit: BanditDocument | undefined,
  position: string,
  channel: Channel | undefined,
): ArmRecord | undefined {
  return (bandit?.arms ?? [])
    .filter((arm) => arm.position === position && (channel === undefined || arm.channel === channel))
    .reduce<ArmRecord | undefined>(
      (best, arm) => (best && best.posterior_mean >= arm.posterior_mean ? best : arm),
      undefined,
    );
}

/**
 * Chance of a reply to the next message: the posterior of the contact's arm, taken inside the campaign that the contact
 * is in, as decisions take it; where campaigns are alike, the arm's exactly. Without an arm it is the spread of arms over
 * the company; without a run nothing is claimed.
 * @param campaignId - of the newest message; null where it names none
 */
export function replyLikelihood(
  bandit: BanditDocument | undefined,
  arm: ArmRecord | undefined,
  campaignId: string | null,
): Likelihood {
  if (arm) {
    return {
      ...insideCampaign(arm, campaignRecords(bandit?.campaigns ?? [])(arm.channel, campaignId)),
      sample_size: arm.observations,
      data_source: arm.own_data_share >= 0.5 ? 'segment' : 'company',
      own_data_share: 0,
    };
  }
  if (!bandit || bandit.arms.length === 0) {
    return {
      value: null,
      ci_low: null,
      ci_high: null,
      sample_size: 0,
      data_source: 'prior',
      own_data_share: 0,
    };
  }
  const { mean, concentration } = bandit.prior;
  const { low, high } = betaInterval(mean * concentration, (1 - mean) * concentration, 0.95);
  const outcomes = bandit.arms.reduce((sum, other) => sum + other.observations, 0);
  return {
    value: mean,
    ci_low: low,
    ci_high: high,
    sample_size: outcomes,
    data_source: 'company',
    own_data_share: 0,
  };
}

function insideCampaign(
  arm: ArmRecord,
  campaign: KnownCampaign | undefined,
): Pick<Likelihood, 'value' | 'ci_low' | 'ci_high'> {
  if (!campaign) return { value: arm.posterior_mean, ci_low: arm.ci_low, ci_high: arm.ci_high };
  const { alpha, beta } = armInCampaign(arm, campaign);
  const { low, high } = betaInterval(alpha, beta, 0.95);
  return { value: alpha / (alpha + beta), ci_low: low, ci_high: high };
}

/**
 * What to do about a contact next. Whoever unsubscribed, bounced or answered has left the sequence. Of a stranger
 * nothing says that writing is allowed: the opt-out may stand in the caller's own records.
 * @param best - arm of the channel to be used
 */
export function planFor(
  history: ContactHistory,
  best: ArmRecord | undefined,
  arms: readonly ArmRecord[],
  now: Date,
): Plan {
  const reasons = history.standing.blockReasons;
  if (reasons.length > 0) return plan('stop', null, reasons.map((reason) => BECAUSE[reason]).join(' '));
  if (!isKnown(history)) {
    return plan(
      'wait',
      null,
      'Nothing is known of this contact: check its id, and your own opt-out records, before anybody writes.',
    );
  }
  if (history.cells.some((cell) => cell.outcome === 'responded')) {
    return plan('stop', null, 'The contact has replied: go on by hand, outside the sequence.');
  }
  const newest = history.newest[0];
  if (!newest) return plan('send', best?.channel ?? null, 'Nothing was sent to the contact yet.');
  const restedAt = new Date(newest.sentAt.getTime() + REST_DAYS * DAY_MS);
  if (restedAt > now) {
    return {
      ...plan('wait', newest.channel, `The newest message is less than ${REST_DAYS} days old.`),
      not_before: restedAt.toISOString(),
    };
  }
  return best && beats(best, newest, arms)
    ? plan(
        'switch_channel',
        best.channel,
        'The other channel has the clearly higher reply rate for this position.',
      )
    : plan('send', newest.channel, 'No answer yet, and nothing speaks against another message.');
}

/** Another channel is better beyond doubt: its interval lies above the present one's. */
function beats(best: ArmRecord, newest: NewestMessage, arms: readonly ArmRecord[]): boolean {
  const present = arms.find((arm) => arm.channel === newest.channel && arm.position === best.position);
  return best.channel !== newest.channel && present !== undefined && best.ci_low > present.ci_high;
}

function plan(action: NextAction, channel: Channel | null, rationale: string): Plan {
  return { action, channel, not_before: null, rationale };
}
