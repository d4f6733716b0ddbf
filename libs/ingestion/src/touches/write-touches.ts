import { together } from '@outcomes/tenancy';
import type { CampaignDeltas } from './campaign-deltas';
import type { ClosedTouches } from './close-by-replies';
import type { CohortDeltas } from './cohort-deltas';
import { isSameTouch, type Touch } from './touch';
import type { Fold, Gathered } from './touch-gathering.service';
import type { ReplyEcho, TouchRepository } from './touch.repository';

/** Where a fold collects what changes in the counts. */
export interface Counting {
  readonly deltas: CohortDeltas;
  readonly campaigns: CampaignDeltas;
}

/** Writes how touches stand after a fold, and notes what their counts change by. */
export async function writeTouches(
  repository: TouchRepository,
  { transaction, generation, deltas, campaigns }: Fold & Counting,
  { keys, stored, storedEchoes, deleted }: Gathered,
  { touches, echoes }: ClosedTouches,
): Promise<void> {
  const remaining = new Map(touches.map((touch) => [touch.touchId, touch]));
  const isStored = ({ touchId }: Touch) => stored.has(touchId) && !deleted.has(touchId);
  const isKept = (touch: Touch) => {
    const before = isStored(touch) ? stored.get(touch.touchId) : undefined;
    return before?.countedIn === generation && isSameTouch(touch, before);
  };
  const changed = touches.filter((touch) => !isKept(touch));
  for (const touch of changed) {
    deltas.add(touch);
    campaigns.add(touch);
  }
  const gone: string[] = [];
  for (const touchId of keys.touchIds()) {
    const before = stored.get(touchId);
    if (!before) continue;
    const after = remaining.get(touchId);
    if (!after) gone.push(touchId);
    if (after && isKept(after)) continue;
    const isCounted = before.countedIn === generation;
    deltas.remove(before, isCounted);
    if (isCounted) campaigns.remove(before);
  }
  const echoIds = new Set(echoes.map(({ reply }) => reply.touchId));
  const unknown = changed.filter((touch) => !isStored(touch));
  const left = gone.filter((touchId) => !deleted.has(touchId));
  const echoesGone = [...storedEchoes.keys()].filter((touchId) => !echoIds.has(touchId));
  // All are sent before the first is answered: whatever the caller asks next sees them written.
  await together(
    repository.insert(transaction, unknown, generation),
    repository.replace(transaction, changed.filter(isStored), generation),
    repository.delete(transaction, left),
    repository.upsertEchoes(transaction, echoes.map(echoOf)),
    repository.deleteEchoes(transaction, echoesGone),
  );
}

function echoOf({ reply, closesTouchId }: ClosedTouches['echoes'][number]): ReplyEcho {
  return {
    touchId: reply.touchId,
    recipientId: reply.recipientId,
    recipientHash: reply.recipientHash ?? '',
    closesTouchId,
  };
}
