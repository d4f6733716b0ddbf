import { Inject, Injectable } from '@nestjs/common';
import { AppError, SUPPRESSIONS, type SuppressionPage, type SuppressionsQuery } from '@outcomes/contracts';
import { CLOCK, type Clock } from '@outcomes/platform';
import type { TenantScope } from '@outcomes/tenancy';
import { decodeCursor, encodeCursor, invalidCursor, UUID } from '../arguments/cursor';
import { frameOf } from '../frame/result-frame';
import { RunRepository } from '../runs/run.repository';
import { counted } from '../text/number-words';
import {
  SuppressionListRepository,
  type ReadUpTo,
  type SuppressionEntry,
} from './suppression-list.repository';

const LIST = 'suppressions';
const NUMBER = /^\d{1,18}$/;
/** Seconds; the list is made with the next batch, or by the daily run. */
const RETRY_AFTER = '30';

/** Changes of who must not be written to, page by page, so that other tools can follow them. */
@Injectable()
export class SuppressionsService {
  constructor(
    @Inject(SuppressionListRepository) private readonly list: SuppressionListRepository,
    @Inject(RunRepository) private readonly runs: RunRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async answer(scope: TenantScope, query: SuppressionsQuery): Promise<SuppressionPage> {
    const limit = query.limit ?? SUPPRESSIONS.arguments.limit.default;
    const after = readUpTo(decodeCursor(LIST, query.cursor) ?? '0');
    const { freshness } = await this.runs.read(scope, []);
    const { isMade, isContinued, entries } = await this.list.page(scope, after, limit + 1);
    // An empty list would say that everybody may be written to.
    if (!isMade) throw new AppError('SERVICE_UNAVAILABLE', {}, { headers: { 'Retry-After': RETRY_AFTER } });
    // A restored backup may not know what the caller has seen: better begin anew than miss what follows.
    if (!isContinued) throw invalidCursor();
    const page = entries.slice(0, limit);
    const more = entries.length > limit;
    const summary = `${counted(page.length, 'change')} of who must not be written to on this page${more ? '; more follow' : ''}.`;
    return {
      ...frameOf(scope, 'company', freshness, this.clock.now(), summary, []),
      suppressions: page.map(wireEntry),
      next_cursor: encodeCursor(LIST, markOf(page.at(-1) ?? after)),
      has_more: more,
    };
  }
}

/** @throws AppError INVALID_PARAMETER */
function readUpTo(mark: string): ReadUpTo {
  const [changeNo = '', suppressionId, ...more] = mark.split(' ');
  const isId = suppressionId === undefined || UUID.test(suppressionId);
  if (!NUMBER.test(changeNo) || !isId || more.length > 0) throw invalidCursor();
  return { changeNo, suppressionId };
}

/** The entry stands beside the number, by which another list is told from the one that was read. */
function markOf({ changeNo, suppressionId }: ReadUpTo): string {
  return suppressionId === undefined ? changeNo : `${changeNo} ${suppressionId}`;
}

/** Identifiers stand as they were sent: they are there to be matched, not to be shown. */
function wireEntry(entry: SuppressionEntry): SuppressionPage['suppressions'][number] {
  return {
    suppression_id: entry.suppressionId,
    change: entry.change,
    reason: entry.reason,
    bounce: entry.reason === 'bounced' ? (entry.bounce ?? 'unknown') : null,
    channel: entry.channel,
    since: entry.since.toISOString(),
    recipient_ids: entry.recipientIds,
    recipient_id_sha256: entry.recipientSha,
    email_hash: entry.addressHash,
    changed_at: entry.changedAt.toISOString(),
  };
}
