import { PATTERN_CATALOGUE, type NoClaimReason } from '@outcomes/contracts';
import { isoDay } from '../cohorts/days';
import { countedText, countText, escapeHtml, roughCountText } from '../documents/phrasing';
import { firstDayOf } from '../evidence/matured-fortnights';
import type { PatternFinding } from './pattern-finding';
import {
  areFirstMessages,
  DAYS_COUNT,
  groundsText,
  isOfTime,
  outlook,
  rangeText,
  rateSentence,
} from './pattern-messages';

// Why nothing is claimed, and what to send to find out. Of HTML only b, em, strong and code.

export function undecidedTitle({ pattern }: PatternFinding, reason: NoClaimReason): string {
  return `<b>${escapeHtml(pattern.title)}</b>: ${reason === 'survivors' ? 'described only' : 'cannot tell yet'}`;
}

export function undecidedMessage(finding: PatternFinding, reason: NoClaimReason): string {
  return MESSAGES[reason](finding);
}

export function retractionTitle({ pattern }: PatternFinding, wasConfirmed: boolean): string {
  return `<b>${escapeHtml(pattern.title)}</b>: no longer ${wasConfirmed ? 'confirmed' : 'likely'}`;
}

/** Relative changes of the reply rate within this are called too small: nobody would act on them. */
const SMALL_CHANGE = 0.1;

/** @param reason - why it is not claimed now; `erased`: messages that it rested on are gone */
export function retractionMessage(finding: PatternFinding, reason: NoClaimReason | 'erased'): string {
  const why =
    reason === 'erased'
      ? 'It rested on messages that were erased; without them nothing is claimed.'
      : undecidedMessage(finding, reason);
  return `This was claimed once. ${why} ${rateSentence(finding)}`;
}

const MESSAGES: Readonly<Record<NoClaimReason, (finding: PatternFinding) => string>> = {
  no_data: (finding) =>
    finding.assessment.n === 0
      ? `No settled ${areFirstMessages(finding) ? 'first message' : 'message'} is of this kind.`
      : `${allJudged(finding)} of this kind, so there is nothing to compare with. ${trial(finding)}`,
  varies_between_campaigns: (finding) => `${variesBetween(finding)} ${trial(finding)}`,
  few_texts: restsOnFew,
  goes_with: ({ assessment }) =>
    `Goes with <b>${escapeHtml(titleOf(assessment.goesWith ?? ''))}</b>; too little is left of its evidence once that is held fixed.`,
  changed: ({ assessment: { change }, evidence }) =>
    [
      `What was seen before has ended: since ${change ? isoDay(firstDayOf(change.since)) : 'then'} evidence counts anew.`,
      ...outlook(evidence),
    ].join(' '),
  survivors: () =>
    'Whoever answers gets no further message, so later steps go to other people than first ones: they are described and not compared.',
  undecided: (finding) =>
    [
      `${groundsText(finding)}: such messages got ${rangeText(finding.evidence)}.`,
      ...(finding.evidence.sends_to_decide === null ? [whatWouldSettle(finding)] : outlook(finding.evidence)),
    ].join(' '),
};

/** Not every message shows everything: one without a subject line is of no kind of subject. */
function allJudged(finding: PatternFinding): string {
  const { n } = finding.assessment;
  const isFirst = areFirstMessages(finding);
  const [first, known] = [isFirst ? 'first ' : '', isFirst ? '' : ' of which this is known'];
  return n === 1
    ? `The only settled ${first}message${known} is`
    : `All ${countText(n)} settled ${first}messages${known} are`;
}

/** Without a forecast there may be nothing to find, or nothing to forecast from: the interval says which. */
function whatWouldSettle(finding: PatternFinding): string {
  const { lift_low, lift_high } = finding.evidence;
  return Math.max(-lift_low, lift_high) <= SMALL_CHANGE
    ? 'A difference, if there is one, is too small for more messages like these to settle it.'
    : `Too little is known yet to say which gets more. ${trial(finding)}`;
}

function variesBetween({ assessment }: PatternFinding): string {
  const { campaignsWith, campaignsWithout, campaignsWithBoth } = assessment;
  return campaignsWithBoth === 0
    ? `Varies only between campaigns (${countText(campaignsWith)} with it, ${countText(campaignsWithout)} without): cannot tell it from the audience yet.`
    : `Never sent beside its alternatives to like recipients (same campaign, fortnight, step, position and channel), though ${countedText(campaignsWithBoth, 'campaign')} ${campaignsWithBoth === 1 ? 'has' : 'have'} both: cannot tell it from the audience yet.`;
}

function restsOnFew(finding: PatternFinding): string {
  const { pattern, assessment } = finding;
  const isOfChannel = pattern.dimension === 'channel';
  // What repeats of a channel are campaigns; texts are not counted by it.
  if ((isOfChannel ? assessment.campaigns : assessment.textsWith + assessment.textsWithout) === 0)
    return assessment.y + assessment.yOther === 0
      ? 'No reply yet, so nothing can be compared.'
      : 'Where both were sent to like recipients nobody has answered yet, or everybody, so nothing can be compared.';
  const [isWith, isWithout] = [assessment.textsWith, assessment.textsWithout].map((texts) =>
    countText(Math.max(1, Math.round(texts))),
  );
  if (isOfChannel)
    return `Rests on ${countedText(assessment.campaigns, 'campaign')} whose first messages use both channels; it takes eight that share no texts.`;
  if (isOfTime(pattern.dimension))
    return `Rests on ${isWith} and ${isWithout} days ${DAYS_COUNT}, whatever the number of messages: go on for some weeks, on this and on other days.`;
  return `Rests on the weight of ${isWith} ${isWith === '1' ? 'text' : 'texts'} with it, ${isWithout} without, whatever the number of messages: compares texts, see variants. ${trial(finding)}`;
}

function trial({ pattern, assessment: { trialSends } }: PatternFinding): string {
  if (pattern.dimension === 'channel')
    return 'Send first messages on both channels inside campaigns, by lot from message to message: it takes eight campaigns that share no texts.';
  const ask = isOfTime(pattern.dimension)
    ? 'Send at this and at other times inside one campaign'
    : 'Send both inside one campaign, by lot from message to message';
  return trialSends === null
    ? `${ask}.`
    : `${ask}: about ${roughCountText(trialSends)} messages, half of them with it, would confirm 50% more replies.`;
}

function titleOf(code: string): string {
  return PATTERN_CATALOGUE.find((pattern) => pattern.code === code)?.title ?? code;
}
