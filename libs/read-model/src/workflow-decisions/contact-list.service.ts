import { Inject, Injectable } from '@nestjs/common';
import {
  ACTIVE_DAYS,
  type ChannelUse,
  type ContactLine,
  DAY_MS,
  instantOf,
  type WorkflowDecisionsQuery,
} from '@outcomes/contracts';
import { contactOf } from '@outcomes/persistence';
import type { TenantScope } from '@outcomes/tenancy';
import { decodeCursor, encodeCursor } from '../arguments/cursor';
import type { FrozenRow } from '../decisions/decision-row';
import { DecisionRepository } from '../decisions/decision.repository';
import { adviceFor, canContact, isKnown } from '../recipient-intelligence/contact-advice';
import { cleanText } from '../text/clean-text';
import { thatFit } from '../text/room';
import { ContactRepository, type ContactFacts } from '../touches/contact.repository';
import { retentionCutoff } from '../touches/retention-cutoff';
import { decisionRecord } from './decision-record';

const LIST = 'contacts';
/** Of a page without a limit: as many as fit into a small answer, this many at most. */
const [PAGE, ROOM_BYTES] = [20, 6_600];

/** Contacts with what to do about each, and what is to be said of the list as a whole. */
export interface ListedContacts {
  readonly lines: readonly ContactLine[];
  /** Decisions that hold, of those that were looked at; or contacts asked for. */
  readonly total: number;
  /** Of the page: advised as asked, but something that happened since speaks against it. */
  readonly leftOut: number;
  readonly nextCursor: string | null;
}

/**
 * What to do about contacts now. It is the frozen decision about each, unless something that happened since outdates it, by
 * the very rule that contact intelligence goes by.
 */
@Injectable()
export class ContactList {
  constructor(
    @Inject(DecisionRepository) private readonly decisions: DecisionRepository,
    @Inject(ContactRepository) private readonly contacts: ContactRepository,
  ) {}

  /** One line for each contact asked for, in their order; with an action or campaign those alone of whom it is true. */
  async ofContacts(
    scope: TenantScope,
    ids: readonly string[],
    { action, campaign_id: campaignId, since, until }: WorkflowDecisionsQuery,
    moment: Moment,
  ): Promise<ListedContacts> {
    const { now } = moment;
    const contacts = ids.map(contactOf);
    const expired = retentionCutoff(now);
    const facts = await this.contacts.facts(scope, contacts, expired);
    const rows = await this.decisions.newestOf(scope, contacts, { ...timesOf(since, until), expired });
    const lines = ids.map((id, place) => lineOf(id, facts[place] as ContactFacts, rows[place], moment));
    const asked = lines.filter(
      (line, place) =>
        (action === undefined || isOf(line, action)) &&
        (campaignId === undefined || rows[place]?.campaignId === campaignId),
    );
    return { lines: asked, total: ids.length, leftOut: 0, nextCursor: null };
  }

  /** Contacts by what to do about them, those decided about last first. */
  async byAction(
    scope: TenantScope,
    action: NonNullable<WorkflowDecisionsQuery['action']>,
    query: WorkflowDecisionsQuery,
    moment: Moment,
  ): Promise<ListedContacts> {
    const { now } = moment;
    const limit = query.limit ?? PAGE;
    const expired = retentionCutoff(now);
    const { since, until } = timesOf(query.since, query.until);
    const oldest = oldestHolding(moment);
    const page = await this.decisions.standing(
      scope,
      {
        action: action === 'due' ? undefined : action,
        campaignId: query.campaign_id,
        dueBy: action === 'due' ? now : undefined,
        since: since !== undefined && since > oldest ? since : oldest,
        ...{ until, expired },
      },
      limit + 1,
      decodeCursor(LIST, query.cursor),
    );
    const rows = page.rows.slice(0, limit);
    const facts = await this.contacts.facts(
      scope,
      rows.map(({ contactId }) => contactOf(contactId)),
      expired,
    );
    const all = rows.map((row, place) => lineOf(row.contactId, facts[place] as ContactFacts, row, moment));
    const taken = query.limit === undefined ? thatFit(all, ROOM_BYTES).length : all.length;
    const lines = all.slice(0, taken).filter((line) => isOf(line, action));
    const last = page.rows.length > taken ? rows[taken - 1]?.mark : (page.oldest ?? undefined);
    return {
      lines,
      total: page.total,
      leftOut: taken - lines.length,
      nextCursor: last === undefined ? null : encodeCursor(LIST, last),
    };
  }
}

/** Time of the answer, and what the newest run says: up to when outcomes are in it, and when each channel was last sent on. */
interface Moment {
  readonly now: Date;
  readonly dataAsOf: Date | null;
  readonly channels: readonly ChannelUse[];
}

/** Whoever has had no message for longer is not decided about, so nothing older holds. */
function oldestHolding({ now, dataAsOf }: Moment): Date {
  return new Date((dataAsOf ?? now).getTime() - ACTIVE_DAYS * DAY_MS);
}

function timesOf(since: string | undefined, until: string | undefined) {
  return {
    since: since === undefined ? undefined : instantOf(since),
    until: until === undefined ? undefined : instantOf(until),
  };
}

function isOf(line: ContactLine, action: NonNullable<WorkflowDecisionsQuery['action']>): boolean {
  return action === 'due' ? line.due : line.action === action;
}

function lineOf(
  contactId: string,
  facts: ContactFacts,
  row: FrozenRow | undefined,
  moment: Moment,
): ContactLine {
  const decision = row && {
    record: decisionRecord({ ...row, standing: facts.standing }, undefined, false, []),
    isPast: row.isPast,
  };
  const advice = adviceFor(facts, decision, moment.now, moment.channels);
  const may = canContact(facts);
  const stands = decision !== undefined && advice.decision_id !== null;
  return {
    contact_id: cleanText(contactId),
    known: isKnown(facts),
    can_contact: may,
    block_reasons: facts.standing.blockReasons,
    action: advice.action,
    due:
      may === true &&
      advice.action !== 'stop' &&
      stands &&
      decision.record.decided_at >= oldestHolding(moment).toISOString() &&
      advice.not_before !== null &&
      Date.parse(advice.not_before) <= moment.now.getTime(),
    channel: advice.channel,
    sequence_step: advice.sequence_step,
    not_before: advice.not_before,
    reply_probability: stands ? decision.record.reply_probability.value : null,
    campaign_id: decision?.record.campaign_id ?? null,
    rationale: advice.rationale,
    decision_id: advice.decision_id,
    decided_at: advice.decided_at,
  };
}
