import { Inject, Injectable } from '@nestjs/common';
import {
  AppError,
  WORKFLOW_DECISIONS,
  instantOf,
  type AlertCode,
  type ContactLine,
  type WorkflowDecision,
  type WorkflowDecisions,
  type WorkflowDecisionsQuery,
} from '@outcomes/contracts';
import { contactOf } from '@outcomes/persistence';
import { CLOCK, type Clock } from '@outcomes/platform';
import type { TenantScope } from '@outcomes/tenancy';
import { ContactList, type ListedContacts } from './contact-list.service';
import { decisionRecord } from './decision-record';
import { DecisionRepository } from '../decisions/decision.repository';
import { RunRepository } from '../runs/run.repository';
import { lastDayOf, settledDays } from '../runs/settled-days';
import { cleanText } from '../text/clean-text';
import { counted } from '../text/number-words';
import { CampaignRepository } from '../touches/campaign.repository';
import { retentionCutoff } from '../touches/retention-cutoff';
import { shownAs } from '../campaigns/likely-campaigns';
import { decodeCursor, encodeCursor, UUID } from '../arguments/cursor';
import { frameOf } from '../frame/result-frame';
import { trustFields, trustIn } from '../frame/trust';

const LIST = 'decisions';

/** Decisions that the service froze about contacts, newest first, and what came of them. */
@Injectable()
export class WorkflowDecisionsService {
  constructor(
    @Inject(DecisionRepository) private readonly decisions: DecisionRepository,
    @Inject(RunRepository) private readonly runs: RunRepository,
    @Inject(ContactList) private readonly contacts: ContactList,
    @Inject(CampaignRepository) private readonly campaigns: CampaignRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async answer(scope: TenantScope, query: WorkflowDecisionsQuery): Promise<WorkflowDecisions> {
    refuseTogether(query);
    const isOfContacts = query.action !== undefined || query.contact_ids !== undefined;
    return isOfContacts ? this.contactsNow(scope, query) : this.history(scope, query);
  }

  /**
   * One decision, as the list has it.
   * @throws AppError DECISION_NOT_FOUND, also for another company's, and for one that has expired
   */
  async one(scope: TenantScope, decisionId: string): Promise<WorkflowDecision> {
    if (!UUID.test(decisionId)) throw new AppError('DECISION_NOT_FOUND');
    const [decision] = (await this.history(scope, { limit: 1 }, decisionId)).decisions;
    if (!decision) throw new AppError('DECISION_NOT_FOUND');
    return decision;
  }

  /** What to do about contacts now, a line each. */
  private async contactsNow(scope: TenantScope, query: WorkflowDecisionsQuery): Promise<WorkflowDecisions> {
    const now = this.clock.now();
    const { freshness, frame } = await this.runs.read(scope);
    const moment = { now, dataAsOf: freshness.dataAsOf, channels: frame?.channels ?? [] };
    const ids = query.contact_ids ?? (query.contact_id === undefined ? undefined : [query.contact_id]);
    const { action } = query;
    const listed =
      ids !== undefined || action === undefined
        ? await this.contacts.ofContacts(scope, ids ?? [], query, moment)
        : await this.contacts.byAction(scope, action, query, moment);
    const likeliest = listed.lines.length === 0 ? await this.suggestionsFor(scope, query) : undefined;
    const shown = shownAs(query.campaign_id ?? '', likeliest ?? []);
    if (shown !== undefined) return this.contactsNow(scope, { ...query, campaign_id: shown });
    const similar = likeliest?.map(cleanText);
    const trust = trustIn(frame, now);
    const summary = ids === undefined ? pageWords(listed, action) : linesWords(listed.lines);
    return {
      ...frameOf(scope, levelOf(query), freshness, now, `${summary} ${trust.sentence}`, [
        ...(listed.lines.some(({ known }) => !known) ? (['contact_unknown'] as const) : []),
        ...unknownCampaign(similar),
        ...alertsOf(listed.lines.length, listed.nextCursor !== null, {
          expired: retentionCutoff(now),
          since: query.since === undefined ? undefined : instantOf(query.since),
        }),
        ...trust.alerts,
      ]),
      decision_count: listed.total,
      contacts: listed.lines,
      similar_campaign_ids: similar ?? [],
      decisions: [],
      models: [],
      next_cursor: listed.nextCursor,
      ...trustFields(trust),
    };
  }

  /** Campaigns that may be meant by one that does not exist; undefined where it does, or none was named. */
  private async suggestionsFor(
    scope: TenantScope,
    { campaign_id: campaignId }: WorkflowDecisionsQuery,
  ): Promise<readonly string[] | undefined> {
    if (campaignId === undefined) return undefined;
    return this.campaigns.suggestionsFor(scope, campaignId);
  }

  private async history(
    scope: TenantScope,
    query: WorkflowDecisionsQuery,
    decisionId?: string,
  ): Promise<WorkflowDecisions> {
    const limit = query.limit ?? WORKFLOW_DECISIONS.arguments.limit.default;
    const after = decodeCursor(LIST, query.cursor);
    const now = this.clock.now();
    const filter = {
      decisionId,
      contact: query.contact_id === undefined ? undefined : contactOf(query.contact_id),
      campaignId: query.campaign_id,
      since: query.since === undefined ? undefined : instantOf(query.since),
      until: query.until === undefined ? undefined : instantOf(query.until),
      expired: retentionCutoff(now),
    };
    const { freshness, frame } = await this.runs.read(scope);
    // One row more than asked for tells whether there is another page.
    const { rows, models, total } = await this.decisions.page(scope, filter, limit + 1, after);
    const trust = trustIn(frame, now);
    const settled = settledDays(frame, lastDayOf(freshness, frame, now));
    const proves = query.include_replay === true;
    const bodies = new Map(models.map(({ model_sha256, body }) => [model_sha256, body]));
    const page = rows
      .slice(0, limit)
      .map((row) => decisionRecord(row, bodies.get(row.modelSha256), proves, settled));
    const hasMore = rows.length > limit;
    const likeliest = total === 0 ? await this.suggestionsFor(scope, query) : undefined;
    const shown = shownAs(query.campaign_id ?? '', likeliest ?? []);
    if (shown !== undefined) return this.history(scope, { ...query, campaign_id: shown });
    const similar = likeliest?.map(cleanText);
    const used = new Set(proves ? rows.slice(0, limit).map((row) => row.modelSha256) : []);
    return {
      ...frameOf(scope, levelOf(query), freshness, now, `${summaryOf(total, page)} ${trust.sentence}`, [
        ...unknownCampaign(similar),
        ...standingAlerts(page, query.contact_id !== undefined),
        ...alertsOf(total, hasMore, filter),
        ...trust.alerts,
      ]),
      decision_count: total,
      contacts: [],
      similar_campaign_ids: similar ?? [],
      decisions: page,
      models: models.filter((model) => used.has(model.model_sha256)),
      next_cursor: hasMore ? encodeCursor(LIST, rows[limit - 1]?.mark ?? '') : null,
      ...trustFields(trust),
    };
  }
}

/**
 * What would be passed over is a fault: a line about another contact than the one that was named says wrongly whom may be
 * written to.
 * @throws AppError INVALID_PARAMETER
 */
function refuseTogether(query: WorkflowDecisionsQuery): void {
  const { contact_id: one, contact_ids: several, action, cursor } = query;
  if (several !== undefined && one !== undefined)
    throw refusal('contact_ids', 'contact_ids cannot be given with contact_id: name all contacts in one.');
  const areNamed = several !== undefined || (one !== undefined && action !== undefined);
  if (areNamed && cursor !== undefined)
    throw refusal('cursor', 'cursor cannot be given where each contact gets a line: there is one page.');
}

function refusal(parameter: string, message: string): AppError {
  return new AppError('INVALID_PARAMETER', { parameter }, { message });
}

function levelOf(query: WorkflowDecisionsQuery): WorkflowDecisions['scope'] {
  if (query.contact_id !== undefined) return 'contact';
  return query.campaign_id !== undefined ? 'campaign' : 'company';
}

function unknownCampaign(similar: readonly string[] | undefined): AlertCode[] {
  return similar === undefined ? [] : ['campaign_not_found'];
}

function pageWords(
  { lines, total, leftOut, nextCursor }: ListedContacts,
  action: WorkflowDecisionsQuery['action'],
): string {
  const what = action === 'due' ? 'to write to now' : `with the action ${action ?? ''}`;
  const more = nextCursor === null ? '' : ' There are more: follow next_cursor.';
  const left =
    leftOut === 0
      ? ''
      : ` ${counted(leftOut, 'contact')} left out: what happened since the decision speaks against it.`;
  return `${counted(lines.length, 'contact')} ${what} on this page, of ${counted(total, 'decision')} that may hold.${left}${more}`;
}

function linesWords(lines: readonly ContactLine[]): string {
  const count = (of: (line: ContactLine) => boolean) => lines.filter(of).length;
  return (
    `${counted(lines.length, 'contact')}: ${count(({ due }) => due)} to write to now, ` +
    `${count(({ can_contact: may }) => may === false)} must not be written to, ${count(({ known }) => !known)} unknown.`
  );
}

function summaryOf(total: number, page: readonly WorkflowDecision[]): string {
  if (total === 0) return '0 decisions match.';
  const actions = Map.groupBy(page, ({ action }) => action);
  const counts = [...actions].map(([action, decisions]) => `${decisions.length} ${action}`).sort();
  const exploring = page.filter(({ exploration }) => exploration).length;
  const overtaken = page.filter(isOvertaken).length;
  return (
    `${counted(total, 'decision')} ${total === 1 ? 'matches' : 'match'}; the ${page.length} on this page: ${counts.join(', ')}. ` +
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
