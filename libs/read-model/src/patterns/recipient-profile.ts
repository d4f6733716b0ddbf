import { LEVELS, type RecipientProfile, type SegmentDocument } from '@outcomes/contracts';
import { cleanText } from '../text/clean-text';
import type { Responder } from '../touches/responder.repository';
import { segmentIndexOf } from './segment-membership';

/** Profile of one recipient who has answered, from what was observed and nothing else. */
export function profileOf(
  companyId: string,
  responder: Responder,
  segments: SegmentDocument | undefined,
): RecipientProfile {
  const cluster = segmentIndexOf(segments, responder);
  const segment = segments?.segments[cluster];
  const categorised = responder.position !== 'unknown';
  return {
    companyId,
    recipientId: responder.personId,
    inferred_position: responder.position,
    original_position: categorised || responder.jobTitle === null ? null : cleanText(responder.jobTitle),
    position_confidence: responder.positionConfidence,
    response_count: responder.responses,
    // Index into the segments of the recipient analysis.
    cluster_assignment: cluster,
    pattern_preferences: answeredLevels(responder.answeredLevels),
    response_metrics: { messages: responder.messages, responses: responder.responses },
    ...(segment && { statistical_tests: segment.statistical_tests }),
    last_updated: responder.lastOutcomeAt.toISOString(),
    email_domain: responder.emailDomain === null ? 'unknown' : cleanText(responder.emailDomain),
  };
}

/** Answered messages per dimension and level. Counts, not rates: a profile exists only because of an answer. */
function answeredLevels(indexes: readonly number[]): Record<string, Record<string, number>> {
  const preferences: Record<string, Record<string, number>> = {};
  for (const index of indexes) {
    const [dimension, level] = LEVELS[index]?.split(':') ?? [];
    if (!dimension || !level) continue;
    const counts = (preferences[dimension] ??= {});
    counts[level] = (counts[level] ?? 0) + 1;
  }
  return preferences;
}
