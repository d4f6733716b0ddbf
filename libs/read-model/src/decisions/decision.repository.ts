import { Inject, Injectable } from '@nestjs/common';
import { NEXT_ACTIONS, type NextAction } from '@outcomes/contracts';
import { standingsOf, contactOf, type Contact } from '@outcomes/persistence';
import { TenantDatabase, type TenantScope, type TenantTransaction } from '@outcomes/tenancy';
import { invalidCursor, UUID } from '../arguments/cursor';
import { markOf, placeIn, type DecisionPlace } from './decision-place';
import { rowOf, type DecisionRow, type FrozenRow, type StoredRow } from './decision-row';
import {
  COLUMNS,
  NEIGHBOURS,
  NEWEST_FIRST,
  NEWEST_OF_EACH,
  NOT_BEFORE,
  standingStatement,
} from './decision-sql';

export interface DecisionFilter {
  /** This one alone. */
  readonly decisionId?: string | undefined;
  readonly contact?: Contact;
  readonly campaignId?: string;
  /** Inclusive. */
  readonly since?: Date;
  /** Exclusive. */
  readonly until?: Date;
  /** Decisions made up to here have expired. */
  readonly expired: Date;
}

/** When decisions were made: since inclusive, until exclusive, and none up to the end of retention. */
export type DecisionTimes = Pick<DecisionFilter, 'since' | 'until' | 'expired'>;

export interface StandingFilter extends DecisionTimes {
  /** What is advised; where it is left out, everything but to stop. */
  readonly action?: NextAction;
  readonly campaignId?: string;
  /** Those alone whose advice allows to write by then. */
  readonly dueBy?: Date;
}

export interface StandingPage {
  readonly rows: readonly FrozenRow[];
  /** Decisions that hold, of those that were looked at: LOOKED_AT_ONCE, more where few of them hold. */
  readonly total: number;
  /** Mark of a page that goes on behind the last decision that was looked at, where there may be more behind it. */
  readonly oldest: string | null;
}

export interface DecisionPage {
  readonly rows: readonly DecisionRow[];
  readonly models: readonly { readonly model_sha256: string; readonly body: string }[];
  /** Matching decisions over all pages. */
  readonly total: number;
}

/**
 * So many decisions are looked at for a page of those that still hold, and so many more each time it is not full, up to
 * MAX_LOOKED_AT. Most hold, and each costs Postgres 30 us.
 */
const LOOKED_AT_ONCE = 200;
const MAX_LOOKED_AT = 1_000;

/** Spelled out for the filters that are given, so that each has its index. */
function conditionsOf({ decisionId, contact, campaignId, since, until, expired }: DecisionFilter) {
  const values: unknown[] = [expired];
  const clauses = ['company_id = (SELECT $1::uuid)', 'decided_at > $2'];
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
  add('decision_id =', decisionId);
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
   * @param after - mark of the last row of the page before, which may be gone meanwhile
   * @throws AppError INVALID_PARAMETER where it is no mark of this tenant
   */
  async page(
    scope: TenantScope,
    filter: DecisionFilter,
    limit: number,
    after: string | undefined,
  ): Promise<DecisionPage> {
    return this.database.transaction(scope, async (transaction) => {
      const { client, companyId } = transaction;
      const place = after === undefined ? undefined : await placeBehind(transaction, after);
      const { where, values } = conditionsOf(filter);
      const tally = await client.query<{ total: number }>(
        `SELECT count(*)::integer AS total FROM workflow_decisions WHERE ${where}`,
        [companyId, ...values],
      );
      const beyond =
        place === undefined
          ? ''
          : `AND (decided_at, decision_id) < ($${values.length + 3}, $${values.length + 4})`;
      const found = await client.query<StoredRow>(
        `SELECT ${COLUMNS} FROM (SELECT * FROM workflow_decisions WHERE ${where} ${beyond}
           ${NEWEST_FIRST} LIMIT $${values.length + 2}) AS decision ${NEIGHBOURS} ${NEWEST_FIRST}`,
        [companyId, ...values, limit, ...(place === undefined ? [] : [place.decidedAt, place.decisionId])],
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
        return standing === undefined ? [] : [{ ...rowOf(scope, row), standing }];
      });
      return { rows, models: models.rows, total: tally.rows[0]?.total ?? 0 };
    });
  }

  /**
   * The newest decision about each of some contacts, in their order; undefined where there is none.
   * @param contacts - a hundred at most keep the statement short
   */
  async newestOf(
    scope: TenantScope,
    contacts: readonly Contact[],
    { since, until, expired }: DecisionTimes,
  ): Promise<(FrozenRow | undefined)[]> {
    return this.database.transaction(scope, async ({ client, companyId }) => {
      const { rows } = await client.query<StoredRow & { readonly asked: number }>(
        `SELECT asked.place::integer AS asked, ${COLUMNS}
         FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS asked (id, hash, place)
         CROSS JOIN LATERAL (SELECT * FROM (${NEWEST_OF_EACH}) AS either ${NEWEST_FIRST} LIMIT 1) AS decision
         ${NEIGHBOURS}`,
        [
          companyId,
          contacts.map(({ recipientId }) => recipientId),
          contacts.map(({ addressHash }) => addressHash),
          ...[expired, since ?? EVER, until ?? NEVER],
        ],
      );
      const byPlace = new Map(rows.map(({ asked, ...row }) => [asked, rowOf(scope, row)]));
      return contacts.map((_, index) => byPlace.get(index + 1));
    });
  }

  /**
   * Decisions that still hold, newest first: the newest about their contact, after the newest message to it.
   * @param filter - what is advised, or whose time to be written to has come by `dueBy`
   * @param limit - rows at most
   * @param after - mark of the last row of the page before, or where that one ended
   */
  async standing(
    scope: TenantScope,
    filter: StandingFilter,
    limit: number,
    after: string | undefined,
  ): Promise<StandingPage> {
    return this.database.transaction(scope, async (transaction) => {
      let place = after === undefined ? undefined : await placeBehind(transaction, after);
      const rows: FrozenRow[] = [];
      let [total, oldest]: [number, string | null] = [0, null];
      for (let lookedAt = 0; lookedAt < MAX_LOOKED_AT && rows.length < limit; lookedAt += LOOKED_AT_ONCE) {
        const found = await standingBehind(transaction, filter, limit - rows.length, place);
        rows.push(...found.rows);
        total += found.total;
        oldest = found.oldest;
        if (oldest === null) break;
        place = placeIn(scope, oldest);
      }
      return { rows, total, oldest };
    });
  }
}

/** Those of the next LOOKED_AT_ONCE decisions behind a place that still hold. */
async function standingBehind(
  { companyId, client }: TenantTransaction,
  { action, campaignId, dueBy, since, until, expired }: StandingFilter,
  limit: number,
  place: DecisionPlace | undefined,
): Promise<StandingPage> {
  const values: unknown[] = [companyId, expired, since ?? EVER, until ?? NEVER, limit];
  const given = (value: unknown) => `$${values.push(value)}`;
  // Spelled out, so that each has its index.
  const conditions = [
    'company_id = (SELECT $1::uuid) AND decided_at > $2 AND decided_at >= $3 AND decided_at < $4',
    ...(campaignId === undefined ? [] : [`campaign_id = ${given(campaignId)}`]),
    ...(place === undefined
      ? []
      : [`(decided_at, decision_id) < (${given(place.decidedAt)}, ${given(place.decisionId)})`]),
  ];
  const isDue = dueBy === undefined ? '' : `AND (${NOT_BEFORE}) <= ${given(dueBy)}`;
  const latest = `${NEWEST_FIRST} LIMIT ${LOOKED_AT_ONCE}`;
  // One action at a time, each in the order of its index: who asks for all but one reads every decision there is.
  const ofEach = (action === undefined ? ADVISED : [action]).map(
    (one) => `(SELECT decision_id, decided_at FROM workflow_decisions
           WHERE ${conditions.join(' AND ')} AND action = ${given(one)} ${latest})`,
  );
  const { rows } = await client.query<StoredRow & Tally>(
    standingStatement({ ofEach, latest, isDue }),
    values,
  );
  const [first] = rows;
  return {
    rows: rows.flatMap(({ at: _at, oldest: _oldest, total: _total, ...row }) =>
      (row.decisionId as string | null) === null ? [] : [rowOf({ companyId }, row)],
    ),
    total: first?.total ?? 0,
    // Where all that were looked at are told of, the next page begins behind them.
    oldest: first?.at === LOOKED_AT_ONCE && first.oldest ? markOf({ companyId }, first.oldest) : null,
  };
}

/** What is listed where no action is asked for. */
const ADVISED = NEXT_ACTIONS.filter((action) => action !== 'stop');

/** Beyond every decision. */
const [EVER, NEVER] = [new Date(0), new Date('9999-12-31T00:00:00Z')];

interface Tally {
  readonly at: number;
  readonly oldest: string | null;
  readonly total: number;
}

/** The marks of an earlier version are ids, looked up among the decisions of this tenant. */
async function placeBehind(transaction: TenantTransaction, mark: string): Promise<DecisionPlace> {
  const { client, companyId } = transaction;
  if (!UUID.test(mark)) return placeIn(transaction, mark);
  // As text: Postgres keeps microseconds, a Date does not.
  const { rows } = await client.query<{ decided_at: string }>(
    `SELECT decided_at::text FROM workflow_decisions WHERE company_id = $1 AND decision_id = $2`,
    [companyId, mark],
  );
  const decidedAt = rows[0]?.decided_at;
  if (decidedAt === undefined) throw invalidCursor();
  return { decidedAt, decisionId: mark };
}
