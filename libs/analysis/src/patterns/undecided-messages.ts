import { PATTERN_CATALOGUE, type NoClaimReason } from '@outcomes/contracts';
import { isoDay } from '../cohorts/days';
import { countText, escapeHtml, roughCountText } from '../documents/phrasing';
import { firstDayOf } from '../evidence/matured-fortnights';
import type { PatternFinding } from './pattern-finding';
import { groundsText, isOfTime, outlook, rangeText, rateSentence } from './pattern-messages';

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

/** @param reason - why it is not claimed now; `erased`: messages that it rested on are gone */
export function retractionMessage(finding: PatternFinding, reason: NoClaimReason | 'erased'): string {
  const why =
    reason === 'erased'
      ? 'It rested on messages that were erased; without them nothing is claimed.'
      : undecidedMessage(finding, reason);
  return `This was claimed once. ${why} ${rateSentence(finding.evidence)}`;
}

const MESSAGES: Readonly<Record<NoClaimReason, (finding: PatternFinding) => string>> = {
  no_data: (finding) =>
    finding.assessment.n === 0
      ? 'No settled message is of this kind.'
      : `All ${countText(finding.assessment.n)} settled messages are of this kind, so there is nothing to compare with. ${trial(finding)}`,
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
      ...(finding.evidence.sends_to_decide === null
        ? ['A difference, if there is one, is too small for more messages like these to settle it.']
        : outlook(finding.evidence)),
    ].join(' '),
};

function variesBetween({ assessment }: PatternFinding): string {
  const { campaignsWith, campaignsWithout, campaignsWithBoth } = assessment;
  return campaignsWithBoth === 0
    ? `Varies only between campaigns (${countText(campaignsWith)} with it, ${countText(campaignsWithout)} without): cannot tell it from the audience yet.`
    : `Never sent beside its alternatives to like recipients (same campaign, fortnight, step, position and channel), though ${countText(campaignsWithBoth)} campaigns have both: cannot tell it from the audience yet.`;
}

function restsOnFew(finding: PatternFinding): string {
  const { pattern, assessment } = finding;
  const [isWith, isWithout] = [assessment.textsWith, assessment.textsWithout].map((texts) =>
    countText(Math.max(1, Math.round(texts))),
  );
  if (pattern.dimension === 'channel')
    return `Rests on ${countText(assessment.campaigns)} campaigns whose first messages use both channels; it takes eight that share no texts.`;
  if (isOfTime(pattern.dimension))
    return `Rests on ${isWith} and ${isWithout} days, whatever the number of messages: go on for some weeks, on this and on other days.`;
  return `Rests on ${isWith} ${isWith === '1' ? 'text' : 'texts'} with it, ${isWithout} without, whatever the number of messages: compares texts, see variants. ${trial(finding)}`;
}

function trial({ pattern, assessment: { trialSends } }: PatternFinding): string {
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
