import { together, type TenantTransaction } from '@outcomes/tenancy';
import type { QueryResultRow } from 'pg';
import { scaleOf } from '../database/table-scale';
import type { Contact } from './contact';
import { NEIGHBOURS, STANDINGS } from './standing-sql';

export type BlockReason = 'unsubscribed' | 'bounced';

/** What the events of a company, and what outlived them, say of writing to a contact. */
export interface ContactStanding {
  /** Whether an event of the contact itself has not expired; messages to its address may be known beside it. */
  readonly isKnown: boolean;
  /** Empty where nothing speaks against writing. */
  readonly blockReasons: readonly BlockReason[];
  /**
   * The earliest opt-out, the latest bounce (lifted or not) and the latest reply, as late as it is sure to have come.
   * Replies matter beside a bounce only.
   */
  readonly unsubscribedAt: Date | null;
  readonly bouncedAt: Date | null;
  readonly repliedAt: Date | null;
}

interface StandingRow extends Omit<ContactStanding, 'blockReasons'> {
  readonly place: number;
  /** The latest moment at which the latest bounce can have come. */
  readonly bouncedBy: Date | null;
}

/**
 * The one place that decides who must not be written to; the rule stands in the README of this library. It reads
 * events, not touches, so that nothing which folds, orders or forgets messages can lose an opt-out.
 * @param contacts - any number; a few hundred at a time keep the statement short
 * @param cutoff - events ingested up to here have expired: they still block, and make nobody known
 * @returns one standing per contact, in their order
 */
export async function standingsOf(
  transaction: TenantTransaction,
  contacts: readonly Contact[],
  cutoff: Date,
): Promise<ContactStanding[]> {
  if (contacts.length === 0) return [];
  const values = [transaction.companyId, ...columnsOf(contacts), cutoff];
  const rows = await byKeptPlan<StandingRow>(transaction, 'standings', STANDINGS, values);
  return rows.map(({ isKnown, unsubscribedAt, bouncedAt, bouncedBy, repliedAt }) => {
    const blockReasons: BlockReason[] = [];
    if (unsubscribedAt !== null) blockReasons.push('unsubscribed');
    if (bouncedBy !== null && (repliedAt === null || bouncedBy >= repliedAt)) blockReasons.push('bounced');
    return { isKnown, blockReasons, unsubscribedAt, bouncedAt, repliedAt };
  });
}

/**
 * Whose standing an event of the given contacts may bear on: themselves, their addresses, and everybody who shares one.
 * @returns one list per contact, in their order
 */
export async function neighboursOf(
  transaction: TenantTransaction,
  contacts: readonly Contact[],
): Promise<Contact[][]> {
  if (contacts.length === 0) return [];
  // What has expired ties people together like everything else.
  const values = [transaction.companyId, ...columnsOf(contacts), new Date(0)];
  const rows = await byKeptPlan<Contact & { readonly place: number }>(
    transaction,
    'neighbours',
    NEIGHBOURS,
    values,
  );
  const lists = contacts.map((): Contact[] => []);
  for (const { place, ...neighbour } of rows) lists[place - 1]?.push(neighbour);
  return lists;
}

/** What holds of plans before, to be put back, and how large the tables are that are read. */
const KEEP_PLANS = `
  SELECT earlier, set_config('plan_cache_mode', 'force_generic_plan', true),
    ${scaleOf('outcome_events', 'touches', 'suppressions')} AS scale
  FROM (SELECT current_setting('plan_cache_mode') AS earlier OFFSET 0) AS settings`;

/**
 * A statement whose plan the connection keeps: planning takes four times as long as the look-ups for one contact. The plan
 * depends on how large the tables are and on nobody who is asked about: rows are looked up one by one.
 * @param name - together with the scale of the tables the name of the plan
 */
async function byKeptPlan<Row extends QueryResultRow>(
  { client }: TenantTransaction,
  name: string,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const {
    rows: [known],
  } = await client.query<{ earlier: string; scale: string }>({ name: 'keep-plans', text: KEEP_PLANS });
  const [{ rows }] = await together(
    client.query<Row>({ name: `${name} ${known?.scale}`, text, values }),
    client.query({
      name: 'plan-as-before',
      text: `SELECT set_config('plan_cache_mode', $1, true)`,
      values: [known?.earlier],
    }),
  );
  return rows;
}

function columnsOf(contacts: readonly Contact[]) {
  return [
    contacts.map((contact) => contact.recipientId),
    contacts.map((contact) => contact.recipientSha),
    contacts.map((contact) => contact.addressHash),
  ];
}
