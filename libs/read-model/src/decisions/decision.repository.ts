import { Inject, Injectable } from '@nestjs/common';
import { CHANNELS, OUTCOMES, type Channel, type Outcome } from '@outcomes/contracts';
import { standingsOf, contactOf, type Contact, type ContactStanding } from '@outcomes/persistence';
import { TenantDatabase, type TenantScope, type TenantTransaction } from '@outcomes/tenancy';
import { invalidCursor } from '../arguments/cursor';

export interface DecisionFilter {
  readonly contact?: Contact;
  readonly campaignId?: string;
  /** Inclusive. */
  readonly since?: Date;
  /** Exclusive. */
  readonly until?: Date;
  /** Decisions made up to here have expired. */
  readonly expired: Date;
}

/** The first message to the contact after the decision. */
export interface NextMessage {
  readonly channel: Channel;
  readonly step: number;
  readonly outcome: Outcome;
  readonly sentAt: Date;
  readonly outcomeAt: Date;
}

export interface DecisionRow {
  readonly decisionId: string;
  readonly decidedAt: Date;
  readonly runId: string;
  readonly contactId: string;
  readonly threadId: string;
  readonly campaignId: string | null;
  /** When the message was sent that the decision follows; null where it is gone. */
  readonly lastSentAt: Date | null;
  readonly engineVersion: string;
  readonly inputs: string;
  readonly result: string;
  /** SHA-256, hexadecimal, as are all of them. */
  readonly inputsSha256: string;
  readonly resultSha256: string;
  readonly modelSha256: string;
  readonly next: NextMessage | null;
  /** Of the contact, as of now. */
  readonly standing: ContactStanding;
}

export interface DecisionPage {
  readonly rows: readonly DecisionRow[];
  readonly models: readonly { readonly model_sha256: string; readonly body: string }[];
  /** Matching decisions over all pages. */
  readonly total: number;
}

const SHA256 = (text: string) => `encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`;

/** Spelled out for the filters that are given, so that each has its index. */
function conditionsOf({ contact, campaignId, since, until, expired }: DecisionFilter) {
  const values: unknown[] = [expired];
  const clauses = ['company_id = $1', 'decided_at > $2'];
  const add = (clause: string, value: unknown) => {
    if (value === undefined) return;
    values.push(value);
    clauses.push(`${clause} $${values.length + 1}`);
  };
  if (contact?.addressHash == null) add('contact_id =', contact?.recipientId);
  else {
    values.push(contact.recipientId, contact.addressHash);
    clauses.push('(contact_id = $3 OR recipient_hash = $4)');
  }
  add('campaign_id =', campaignId);
  add('decided_at >=', since);
  add('decided_at <', until);
  return { where: clauses.join(' AND '), values };
}

/** Decisions as they were frozen, and the messages that came after them. */
@Injectable()
export class DecisionRepository {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /**
   * Decisions newest first, all of one moment.
   * @param after - decision_id of the last row of the page before
   * @throws AppError INVALID_PARAMETER where this tenant has no such decision
   */
  async page(
    scope: TenantScope,
    filter: DecisionFilter,
    limit: number,
    after: string | undefined,
  ): Promise<DecisionPage> {
    return this.database.transaction(scope, async (transaction) => {
      const { client, companyId } = transaction;
      const mark = after === undefined ? undefined : await decidedAtOf(transaction, after);
      const { where, values } = conditionsOf(filter);
      const tally = await client.query<{ total: number }>(
        `SELECT count(*)::integer AS total FROM workflow_decisions WHERE ${where}`,
        [companyId, ...values],
      );
      const beyond =
        mark === undefined
          ? ''
          : `AND (decided_at, decision_id) < ($${values.length + 3}, $${values.length + 4})`;
      const found = await client.query<StoredRow>(
        `SELECT decision_id AS "decisionId", decided_at AS "decidedAt", run_id AS "runId", contact_id AS "contactId",
           decision.thread_id AS "threadId", decision.campaign_id AS "campaignId", last.sent_at AS "lastSentAt",
           engine_version AS "engineVersion", inputs, result, ${SHA256('inputs')} AS "inputsSha256",
           ${SHA256('result')} AS "resultSha256", encode(model_sha256, 'hex') AS "modelSha256",
           next.channel, next.sequence_step AS step, next.outcome, next.sent_at AS "sentAt",
           next.outcome_at AS "outcomeAt"
         FROM (SELECT * FROM workflow_decisions WHERE ${where} ${beyond}
           ORDER BY decided_at DESC, decision_id DESC LIMIT $${values.length + 2}) AS decision
         LEFT JOIN touches AS last ON last.company_id = $1 AND last.touch_id = after_touch_id
         LEFT JOIN LATERAL (
           SELECT channel, sequence_step, outcome, sent_at, outcome_at FROM touches
           WHERE company_id = $1 AND recipient_id = contact_id AND sent_at > decided_at
           ORDER BY sent_at, sequence_step, touch_id LIMIT 1
         ) AS next ON true
         ORDER BY decided_at DESC, decision_id DESC`,
        [companyId, ...values, limit, ...(mark === undefined ? [] : [mark, after])],
      );
      const models = await client.query<DecisionPage['models'][number]>(
        `SELECT encode(model_sha256, 'hex') AS model_sha256, body FROM decision_models
         WHERE company_id = $1 AND encode(model_sha256, 'hex') = ANY ($2) ORDER BY data_as_of DESC`,
        [companyId, [...new Set(found.rows.map((row) => row.modelSha256))]],
      );
      const contacts = [...new Set(found.rows.map(({ contactId }) => contactId))];
      const standings = await standingsOf(transaction, contacts.map(contactOf), filter.expired);
      const standingOf = new Map(contacts.map((contact, place) => [contact, standings[place]]));
      const rows = found.rows.flatMap((row) => {
        const standing = standingOf.get(row.contactId);
        return standing === undefined ? [] : [{ ...rowOf(row), standing }];
      });
      return { rows, models: models.rows, total: tally.rows[0]?.total ?? 0 };
    });
  }
}

type FrozenRow = Omit<DecisionRow, 'standing'>;
type StoredRow = Omit<FrozenRow, 'next'> & {
  readonly channel: number | null;
  readonly step: number;
  readonly outcome: number;
  readonly sentAt: Date;
  readonly outcomeAt: Date;
};

function rowOf({ channel, step, outcome, sentAt, outcomeAt, ...row }: StoredRow): FrozenRow {
  if (channel === null) return { ...row, next: null };
  return {
    ...row,
    next: {
      channel: CHANNELS[channel] ?? 'email',
      step,
      outcome: OUTCOMES[outcome] ?? 'no_response',
      sentAt,
      outcomeAt,
    },
  };
}

async function decidedAtOf({ client, companyId }: TenantTransaction, decisionId: string): Promise<string> {
  // As text: Postgres keeps microseconds, a Date does not.
  const { rows } = await client.query<{ decided_at: string }>(
    `SELECT decided_at::text FROM workflow_decisions WHERE company_id = $1 AND decision_id = $2`,
    [companyId, decisionId],
  );
  const mark = rows[0]?.decided_at;
  if (mark === undefined) throw invalidCursor();
  return mark;
}
