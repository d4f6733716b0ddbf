import { Inject, Injectable } from '@nestjs/common';
import type {
  AlertCode,
  WorkflowDecision,
  WorkflowDecisions,
  WorkflowDecisionsQuery,
} from '@outcomes/contracts';
import { contactOf } from '@outcomes/persistence';
import { CLOCK, type Clock } from '@outcomes/platform';
import type { TenantScope } from '@outcomes/tenancy';
import { decisionRecord } from '../decisions/decision-record';
import { DecisionRepository } from '../decisions/decision.repository';
import { RunRepository } from '../runs/run.repository';
import { lastDayOf, settledDays } from '../runs/settled-days';
import { counted } from '../text/number-words';
import { retentionCutoff } from '../touches/retention-cutoff';
import { decodeCursor, encodeCursor, invalidCursor } from './cursor';
import { boundedInteger, identifier, instant } from './query-bounds';
import { frameOf } from './result-frame';
import { trustFields, trustIn } from './trust';

// Eight fit into the 8 KB that a default answer may take.
const LIMIT = { min: 1, max: 50, fallback: 8 };
const LIST = 'decisions';
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Decisions that the service froze about contacts, newest first, and what came of them. */
@Injectable()
export class WorkflowDecisionsService {
  constructor(
    @Inject(DecisionRepository) private readonly decisions: DecisionRepository,
    @Inject(RunRepository) private readonly runs: RunRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async answer(scope: TenantScope, query: WorkflowDecisionsQuery): Promise<WorkflowDecisions> {
    const limit = boundedInteger('limit', query.limit, LIMIT);
    const after = decodeCursor(LIST, query.cursor);
    if (after !== undefined && !UUID.test(after)) throw invalidCursor();
    const now = this.clock.now();
    const filter = {
      contact:
        query.contact_id === undefined ? undefined : contactOf(identifier('contact_id', query.contact_id)),
      campaignId: query.campaign_id === undefined ? undefined : identifier('campaign_id', query.campaign_id),
      since: instant('since', query.since),
      until: instant('until', query.until),
      expired: retentionCutoff(now),
    };
    // One row more than asked for tells whether there is another page.
    const { rows, models, total } = await this.decisions.page(scope, filter, limit + 1, after);
    const { freshness, frame } = await this.runs.read(scope);
    const trust = trustIn(frame, now);
    const settled = settledDays(frame, lastDayOf(freshness, now));
    const proves = query.include_replay === true;
    const bodies = new Map(models.map(({ model_sha256, body }) => [model_sha256, body]));
    const page = rows
      .slice(0, limit)
      .map((row) => decisionRecord(row, bodies.get(row.modelSha256), proves, settled));
    const hasMore = rows.length > limit;
    const level =
      query.contact_id !== undefined ? 'contact' : query.campaign_id !== undefined ? 'campaign' : 'company';
    const used = new Set(proves ? rows.slice(0, limit).map((row) => row.modelSha256) : []);
    return {
      ...frameOf(scope, level, freshness, now, `${summaryOf(total, page)} ${trust.sentence}`, [
        ...standingAlerts(page, query.contact_id !== undefined),
        ...alertsOf(total, hasMore, filter),
        ...trust.alerts,
      ]),
      decision_count: total,
      decisions: page,
      models: models.filter((model) => used.has(model.model_sha256)),
      next_cursor: hasMore ? encodeCursor(LIST, page.at(-1)?.decision_id ?? '') : null,
      ...trustFields(trust),
    };
  }
}

function summaryOf(total: number, page: readonly WorkflowDecision[]): string {
  if (total === 0) return '0 decisions match.';
  const actions = Map.groupBy(page, ({ action }) => action);
  const counts = [...actions].map(([action, decisions]) => `${decisions.length} ${action}`).sort();
  const exploring = page.filter(({ exploration }) => exploration).length;
  const overtaken = page.filter(isOvertaken).length;
  return (
    `${counted(total, 'decision')} match; the ${page.length} on this page: ${counts.join(', ')}. ` +
    `${exploring} chosen to learn. ${followWords(page)}` +
    (overtaken === 0 ? '' : ` ${overtaken} must not be followed: the contact unsubscribed or bounced since.`)
  );
}

/** What came of them: nothing of what is still open, so that waiting does not read as failing. */
function followWords(page: readonly WorkflowDecision[]): string {
  const answered = page.filter(({ outcome }) => outcome === 'responded').length;
  const silent = page.filter(({ outcome, settled }) => settled === true && outcome !== 'responded').length;
  const open = page.length - answered - silent;
  if (open === page.length)
    return 'All are open: no message that followed has settled, so nothing can be said of replies yet.';
  const rest = open === 0 ? '' : `; ${open} still open, of which nothing can be said yet`;
  return `Of ${answered + silent} that have settled, ${answered} got a reply${rest}.`;
}

/** Whether a frozen decision would have somebody written to who must not be. */
function isOvertaken({ action, can_contact }: WorkflowDecision): boolean {
  return can_contact === false && action !== 'stop';
}

function standingAlerts(page: readonly WorkflowDecision[], isOfOneContact: boolean): AlertCode[] {
  const alerts: AlertCode[] = page.some(isOvertaken) ? ['decisions_overtaken'] : [];
  const has = (reason: string) =>
    page.some(({ block_reasons }) => block_reasons.some((one) => one === reason));
  if (isOfOneContact && has('unsubscribed')) alerts.push('contact_unsubscribed');
  if (isOfOneContact && has('bounced')) alerts.push('contact_bounced');
  return alerts;
}

function alertsOf(
  total: number,
  hasMore: boolean,
  { since, expired }: { readonly since?: Date | undefined; readonly expired: Date },
): AlertCode[] {
  const alerts: AlertCode[] = [];
  if (total === 0) alerts.push('no_workflow_decisions_available');
  if (hasMore) alerts.push('results_truncated');
  if (since !== undefined && since < expired) alerts.push('window_clamped_to_retention');
  return alerts;
}
