import { NO_MESSAGES, type RecipientAnalysis } from '@outcomes/contracts';

const NOBODY = 'Nobody has answered yet: profiles are of people who answered.';
const NO_SEGMENTS =
  'No group of recipients, by industry or position, has been shown to answer to other messages than the rest.';
const NOT_COMPARED =
  'Groups of recipients, by industry or position, are compared where two campaigns or more each sent the same texts to ' +
  'several of them, from 20 settled replies of a group on: send recipient_position and industry with the events, ' +
  'name the campaign of each message (metadata.campaign_id), or wait for more replies.';
const NO_POSITIONS =
  'No known position has 3 people who answered: send recipient_position with the events, or wait for more replies.';

/**
 * Why parts of the recipient analysis are empty, or say less than they did.
 * @param found - how many there are of each part, and the messages that it rests on
 * @returns a sentence per such part; undefined where there is none
 */
export function emptyRecipientParts(found: {
  readonly messages: number;
  readonly profiled: number;
  readonly segments: number;
  /** Whether any groups were compared in the search for segments. */
  readonly compared: boolean;
  readonly insights: number;
  readonly positions: number;
  /** Which channels changed when, where that is why nothing is said of positions; else null. */
  readonly withheldSince: string | null;
}): RecipientAnalysis['reasons'] {
  const nobody = found.messages === 0 ? NO_MESSAGES : NOBODY;
  const reasons = {
    ...(found.profiled === 0 && { overview: nobody }),
    ...(found.segments === 0 && {
      segments: found.profiled === 0 ? nobody : found.compared ? NO_SEGMENTS : NOT_COMPARED,
    }),
    ...(found.insights === 0 && { insights: nobody }),
    ...(found.positions === 0 && { position_breakdown: found.profiled === 0 ? nobody : NO_POSITIONS }),
    ...(found.withheldSince !== null && {
      position_insights:
        `Replies changed (${found.withheldSince}), and what was sent since does not bear out the differences between ` +
        'positions of before: none is told until it does.',
    }),
  };
  return Object.keys(reasons).length > 0 ? reasons : undefined;
}
