import {
  CLAIM_END_REASONS,
  type ClaimEndReason,
  type PatternRecord,
  type UndecidedCodes,
} from '@outcomes/contracts';

/** The reasons in words, for all codes together; each record of GET /patterns says its own with numbers. */
const MESSAGES: Readonly<Record<ClaimEndReason, string>> = {
  no_data: 'All messages that could be compared are of one kind. Send both inside one campaign, by lot.',
  varies_between_campaigns:
    'Never sent beside its alternatives to like recipients: cannot be told from the audience. Send both inside one campaign, by lot.',
  few_texts:
    'Rests on few texts, days or campaigns with replies, or on none, however many messages. Vary it from message to message.',
  goes_with: 'Goes with a stronger pattern; too little is left of its evidence once that is held fixed.',
  changed: 'What was seen before has ended; evidence counts anew.',
  survivors: 'Later steps go to those who have not answered: described, not compared.',
  undecided: 'Compared, and undecided so far.',
  erased: 'Claimed once; the messages that it rested on were erased.',
};

/**
 * Codes of patterns of which nothing is claimed, by the reason; without a word about a code no message carries it.
 * Observations on whole dimensions are not of them.
 */
export function undecidedCodes(records: readonly PatternRecord[]): UndecidedCodes[] {
  const ofPatterns = records.filter(({ levels }) => levels === undefined);
  const byReason = Map.groupBy(ofPatterns, ({ reason }) => reason);
  return CLAIM_END_REASONS.flatMap((reason) => {
    const codes = (byReason.get(reason) ?? []).map(({ code }) => code);
    return codes.length > 0 ? [{ reason, message: MESSAGES[reason], codes }] : [];
  });
}
