import type {
  Calibration,
  DriftState,
  Outcome,
  RateEstimate,
  Role,
  WorkflowDecision,
} from '@outcomes/contracts';

const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const WHOLE = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });

export const dayOf = (date: string) => DAY.format(new Date(date));
export const momentOf = (date: string | null) => (date === null ? 'never' : MOMENT.format(new Date(date)));
const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

export const monthOf = (date: string) => MONTH.format(new Date(date));
export const whole = (value: number) => WHOLE.format(value);
/** "1 batch", "2,000 batches". */
export const counted = (value: number, one: string, several = `${one}s`) =>
  `${whole(value)} ${value === 1 ? one : several}`;

/** A share in percent, with two significant digits below ten; neither none nor all unless it is. */
export function percent(share: number): string {
  const value = share * 100;
  if (value > 99.5 && value < 100) return '> 99.5 %';
  if (value > 0 && value < 0.01) return '< 0.01 %';
  if (value < 1) return `${Number(value.toPrecision(2))} %`;
  return `${value >= 9.95 ? value.toFixed(0) : value.toFixed(1)} %`;
}

/** "3.0 % (2.1 % to 4.2 %), n 420": no rate without its interval and n. */
export function rate({ value, ci_low, ci_high, n }: RateEstimate): string {
  if (value === null || ci_low === null || ci_high === null) return 'unknown: nothing has settled';
  return `${percent(value)} (${percent(ci_low)} to ${percent(ci_high)}), n ${whole(n)}`;
}

/** With so many digits that an end of an interval close to 1 stays beside it. */
export const times = (ratio: number) =>
  `×${ratio >= 10 ? ratio.toFixed(0) : ratio >= 0.1 ? ratio.toFixed(2) : ratio.toPrecision(2)}`;

/** A chance, which is never printed as none or as certain. */
export function chance(share: number): string {
  if (share < 0.001) return '< 0.1 %';
  return share > 0.999 ? '> 99.9 %' : percent(share);
}

export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  organization_admin: 'Organization admin',
  member: 'Member',
};

/** What the last look at reply rates found. */
const DRIFT_WORDS: Readonly<Record<DriftState['drift_state'], string>> = {
  none: 'No change of late.',
  rate: 'The reply rate has changed.',
  insufficient_data: 'Too little has settled to tell: unknown, not stable.',
};

/** The same of a channel or a company that nobody can look at: that no change is found there tells nothing. */
export const driftInWords = (state: DriftState['drift_state'], isTrustworthy: boolean) =>
  state === 'none' && !isTrustworthy ? 'Unknown: there are no recent outcomes.' : DRIFT_WORDS[state];

/** Texts of the catalogue carry no markup beyond emphasis, which is shown as plain words. */
export const plain = (text: string) => text.replaceAll(/<\/?(b|em|strong|code)>/g, '');

/** Below so many expected replies nothing is said of skill. */
const FEWEST_EXPECTED = 10;

/** Calibration in a sentence, with its interval or the reason why there is none. */
export function calibrationLine({
  predictions,
  expected_replies,
  observed_replies,
  ...rest
}: Calibration): string {
  const { value, ci_low, ci_high } = rest.observed_over_expected;
  if (predictions === 0) {
    const first = rest.awaiting.first_settles_on;
    return first === null
      ? 'No prediction has settled yet.'
      : `First predictions settle about ${dayOf(first)}.`;
  }
  const came = `${whole(observed_replies)} replies came where ${expected_replies.toFixed(1)} were expected`;
  if (expected_replies < FEWEST_EXPECTED || value === null || ci_low === null || ci_high === null)
    return `${came}: inconclusive.`;
  return `${came}: ${value.toFixed(2)} times as many (${ci_low.toFixed(2)} to ${ci_high.toFixed(2)}), n ${whole(predictions)}.`;
}

/** What was said to come of it, with its interval. */
export function promisedBy({ reply_probability: { value, ci_low, ci_high } }: WorkflowDecision): string {
  if (value === null || ci_low === null || ci_high === null) return 'nothing: it is a stop';
  return `${percent(value)} (${percent(ci_low)} to ${percent(ci_high)})`;
}

/** Whatever is no silence. */
const OUTCOME_WORDS: Readonly<Partial<Record<Outcome, string>>> = {
  responded: 'a reply',
  bounced: 'a bounce',
  unsubscribed: 'an opt-out',
};

/** What came of it so far: silence is an answer only once the message has settled. */
export function cameOf({ outcome, followed, settled }: WorkflowDecision): string {
  if (followed === null) return 'no message yet';
  const silence = settled === true ? 'no reply' : 'open: may still be answered';
  const what = (outcome && OUTCOME_WORDS[outcome]) ?? silence;
  return followed ? what : `${what}; another message than advised`;
}
